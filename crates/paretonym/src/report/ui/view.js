// @ts-check
// A front as the library tells it (view/mod.rs), and how to ask it about one solution.

import { show } from "./number.js";

/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").Field} Field */
/** @typedef {import("./types.d.ts").Told} Told */

/** @param {Told} told @param {number} at */
const words = (told, at) => {
  const place = told.of[at];
  return place === null ? undefined : told.words[place];
};

/** Solutions are told by their positions. */
export class FrontView {
  /** @param {View} view */
  constructor(view) {
    this.view = view;
    this.ids = view.ids;
    this.fields = view.fields;
    /** The position of each number of a solution. @type {Map<number, number>} */
    this.places = new Map(view.ids.map((id, at) => [id, at]));
  }

  get count() {
    return this.ids.length;
  }

  /** @param {string} key */
  find(key) {
    return this.fields.find((field) => field.key === key);
  }

  /** One of the numbers of a solution. @param {string} key @param {number} at */
  value(key, at) {
    return this.find(key)?.values[at] ?? null;
  }

  /** "k = 14", "loss 24.80 %": the parts of a line, with whether they are what the front is about. @param {number} at @returns {[string, boolean][]} */
  line(at) {
    return this.view.telling.map(({ field, lead, strong }) => [lead + this.show(this.fields[field], at), strong]);
  }

  /** @param {Field} field @param {number} at */
  show(field, at) {
    return show(field.format, field.values[at]);
  }

  /**
   * Solutions in an order; what is not known comes last.
   * @param {{ by: number | "id", down: boolean }} order by a field, or by the number of the solution
   * @param {(at: number) => boolean} among
   */
  sorted({ by, down }, among) {
    const key = (/** @type {number} */ at) => (by === "id" ? this.ids[at] : this.fields[by].values[at]);
    const wanted = this.ids.map((_, at) => at).filter(among);
    return wanted.sort((a, b) => {
      const [left, right] = [key(a), key(b)];
      if (left === null || right === null) return Number(left === null) - Number(right === null) || a - b;
      return (down ? right - left : left - right) || a - b;
    });
  }

  /** What becomes of each column. @param {number} at @returns {{ name: string, words: string }[]} */
  recoding(at) {
    return this.view.columns.flatMap(({ name, told }) => {
      const own = words(told, at);
      return own === undefined ? [] : [{ name, words: own }];
    });
  }

  /** What the solution leaves out, for whatever reason. @param {number} at */
  leftOut(at) {
    return words(this.view.left_out, at) ?? "";
  }

  /** What else concerns the solution. @param {number} at @returns {string[]} */
  concerns(at) {
    return [words(this.view.concerns, at) ?? []].flat();
  }

  /** Whether the solution was measured. @param {number} at */
  isMeasured(at) {
    return !this.view.unmeasured.includes(at);
  }
}
