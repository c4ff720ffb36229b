// @ts-check
// The chosen solution: its numbers, its recoding in short, and what to do with it.

import { badge, button, make, warningList } from "./dom.js";
import { memory } from "./state.js";

/** @typedef {import("./view.js").FrontView} FrontView */

/** Numbers that are shown whatever was traded. */
const USUAL = ["k", "loss", "sl", "gl", "l", "t", "groups", "suppressed"];

/** The parts of the card. @param {FrontView} front @param {number} at @param {string} run @param {(id: number) => void} pin */
export function solutionCard(front, at, run, pin) {
  const id = front.ids[at];
  const traded = front.view.objectives.map(({ field }) => front.fields[field]);
  const shown = [...new Set([...traded, ...USUAL.flatMap((key) => front.find(key) ?? [])])];
  const { pinned } = memory(run);
  return [
    make("div", { class: "card-head" }, make("h2", {}, `Solution ${id}`), pinned.includes(id) ? badge("pinned") : null),
    cardButtons(id, run, pinned, pin),
    make(
      "dl",
      { class: "numbers" },
      ...shown.map((field) =>
        make(
          "div",
          {},
          make("dt", { text: field.label, title: field.meaning }),
          make("dd", {
            text: front.show(field, at),
            title: String(field.values[at] ?? ""),
            "data-field": field.key,
          }),
        ),
      ),
    ),
    make("p", { class: "soft left-out", text: `${front.leftOut(at)}.` }),
    warningList(front.concerns(at)),
    recodingTable(front, at),
  ];
}

/** @param {number} id @param {string} run @param {number[]} pinned @param {(id: number) => void} pin */
function cardButtons(id, run, pinned, pin) {
  const name = encodeURIComponent(run);
  const on = pinned.includes(id);
  return make(
    "div",
    { class: "buttons" },
    make("a", { class: "button primary", id: "release", href: `#/run/${name}/release/${id}`, text: "Release" }),
    make("a", { class: "button", id: "look", href: `#/run/${name}/solution/${id}`, text: "Look closer" }),
    button(on ? "Unpin" : "Pin", () => pin(id), {
      id: "pin",
      title: "pin it to compare it with others",
      "aria-pressed": String(on),
    }),
    pinned.length > 1
      ? make("a", { class: "button", href: `#/run/${name}/compare`, text: `Compare ${pinned.length}` })
      : null,
  );
}

/** What becomes of each column, in words. @param {FrontView} front @param {number} at @param {number} [most] */
export function recodingTable(front, at, most) {
  const columns = front.recoding(at);
  const short = (/** @type {string} */ text, /** @type {number} */ length) =>
    text.length > length ? `${text.slice(0, length - 1)}…` : text;
  const row = (/** @type {{ name: string, words: string }} */ { name, words }) =>
    make(
      "tr",
      {},
      make("th", { scope: "row", text: short(name, 34) }),
      make("td", { text: short(words, most ? 48 : 90), title: words }),
    );
  const more = most && columns.length > most ? `and ${columns.length - most} more columns` : null;
  const rows = columns.slice(0, most).map(row);
  return make(
    "table",
    { class: "recoding" },
    make("tbody", {}, ...rows, more ? make("tr", {}, make("td", { text: more })) : null),
  );
}
