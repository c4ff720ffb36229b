/** A taxonomy as a study writes it: values, and nodes as objects of one key. */
export type Nested = string | Nested[] | { [name: string]: Nested };
