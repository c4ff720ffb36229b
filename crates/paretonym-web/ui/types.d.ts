// What the server answers, and what the page makes of it. For the type checker only; never sent to a browser.

export interface TableFile { name: string; bytes: number }
export type Status = "waiting" | "running" | "stopped" | "done" | "failed";
export interface RunInfo {
  name: string; status: Status; table: string | null; optimizer: string | null; problem: string | null;
  solutions: number | null; exact: boolean | null; complete: boolean | null; message: string | null; study?: Study;
}
export interface ServerState { version: string; folder: string; upload_limit: number; tables: TableFile[]; runs: RunInfo[] }

export interface CatalogEntry {
  section: string; name: string; aliases: string[]; summary: string; property: string;
  parameters: { name: string; default: string; summary: string }[]; reference: string;
}

export type Role = "identifying" | "drop" | "quasi" | "sensitive" | "target" | "insensitive";
export type Kind = "numeric" | "ordinal" | "categorical";
/** A taxonomy as a study writes it: leaves, and nodes as objects of one key. */
export type Nested = string | Nested[] | { [name: string]: Nested };
export interface ColumnSpec {
  name: string; role: Role | Role[]; kind?: Kind; recode?: "levels" | "cuts" | "breaks";
  range?: [number, number]; granularity?: number; bins?: number; widths?: number[]; groups?: number[];
  hierarchy?: "prefix" | "dates" | "flat"; date_format?: string; taxonomy?: Nested; order?: string[]; weight?: number;
}
export interface Search {
  problem: string; eta: number; privacy: string | string[]; loss: string; optimizer: string; seed: number;
  [key: string]: unknown;
}
export interface Study { data: { path: string; other_columns?: string; on_missing?: string; [key: string]: unknown }; columns: ColumnSpec[]; search: Search }

export interface Tree { name: string; children?: Tree[]; shown?: boolean; count?: number }
export interface ColumnProfile {
  name: string; kind: Kind | null; distinct: number; more_values?: boolean; missing: number; values: [string, number][];
  tree?: Tree | null;
}
export interface Profile { study: Study; rows: number; columns: ColumnProfile[] }

export interface Solution {
  id: number; objectives: number[]; k: number | null; loss: number | null; gl: number | null; sl: number | null; weighted_k: number | null;
  l: number | null; t: number | null; necd: number | null; suppressed: number | null; groups: number | null; alternatives: number; one_valued?: number;
  /** False where the search was stopped before the solution was measured: what the objectives do not tell is null. */
  described?: boolean;
  recoding: { [column: string]: Recoded | number };
  [key: string]: unknown;
}
export interface Recoded { level?: number; cut?: string[]; breaks?: string[][] }
export interface Front {
  format: string; problem: string; optimizer: string; privacy: string[]; loss: string; eta?: number; cutoffs?: string;
  rows: number; dropped?: number; distinct: number; evaluated: number; space: number | null; exact: boolean;
  complete: boolean; seed: number; seconds: number; notes?: string[]; warnings?: string[];
  objectives: { name: string; sense: "max" | "min" }[]; solutions: Solution[];
}

export type LimitName = "max_loss" | "max_suppression" | "min_k" | "min_l" | "max_t";
export type Limits = { [name in LimitName]?: number };
export interface Choice {
  limits: Limits; feasible: number; best: Solution[];
  relaxations: { limit: LimitName; from: number; to: number; solution: Solution }[];
}

export interface ColumnSet { label: string; first: number; last: number; count: number; leaves?: string[] }
export interface SolutionColumn {
  name: string; kind: Kind; weight: number; loss: number; leaves: string[]; tree?: Tree | null;
  /** Not there where each region shows sets of its own. */
  sets?: ColumnSet[];
}
export interface SolutionDetails {
  id: number; columns: SolutionColumn[]; sizes: [number, number, number][];
  rows: { columns: string[]; before: (string | null)[][]; after: ((string | null)[] | null)[]; incomplete: boolean[] };
}

export interface PropertyIndices {
  dominance: string[][]; better: number[][]; mean: number[]; notes?: string[];
  [comparator: string]: unknown;
}
export interface Comparison {
  releases: string[]; rows: number; properties: { [name: string]: PropertyIndices };
  sets: { dominance: string[][] | null; preferred: { [name: string]: number[][] } | null; [name: string]: unknown };
  matched: (string | null)[]; notes?: string[];
}
export interface Compared {
  comparison: Comparison; verdict: string[]; curves: { [property: string]: { release: string; values: number[] }[] };
}

export interface Certificate {
  program: string; created: string; input: { digest: string }; output: FileFacts; suppressed_rows: string; dropped_for_missing: number; suppressed: number;
  k: number; weighted_k: number; gl: number; sl: number; losses: { [name: string]: number };
  l: { [column: string]: { [form: string]: number } } | null; t: { [column: string]: number } | null;
  risk: { highest: number; average: number; [name: string]: unknown };
  columns: { name: string; fate: string }[]; warnings?: string[]; [key: string]: unknown;
}
export interface FileFacts { name: string; bytes: number; sha256: string; rows: number }
export interface Released { files: string[]; certificate: Certificate; exact: Certificate }

export interface Progress {
  phase: string | null; done: number | null; total: number | null; evaluated: number | null; hypervolume: number | null;
}
export interface LiveFront { objectives: string[]; points: number[][] }
