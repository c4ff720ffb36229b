// @ts-check
// What a release shows of a column, drawn on its taxonomy or on a line, and which columns lose most.

import { make } from "./dom.js";
import { icicle, numberLine } from "./icicle.js";
import { counted, number, percent } from "./number.js";
import { leaves } from "./tree.js";

/** @typedef {import("./types.d.ts").SolutionColumn} SolutionColumn */
/** @typedef {SolutionColumn & import("./types.d.ts").ColumnShown} ShownColumn */

/** Not where each region shows sets of its own. @param {SolutionColumn} column @returns {column is ShownColumn} */
export const isShown = (column) => column.sets !== undefined;

/** How many values lie under nodes that are shown. @param {import("./types.d.ts").Tree} node @returns {number} */
const covered = (node) =>
  node.shown ? leaves(node).length : (node.children ?? []).reduce((sum, child) => sum + covered(child), 0);

/** @param {ShownColumn} column @param {string} words @param {number} width */
export function columnDrawing(column, words, width) {
  const whole = column.sets.length;
  const label = `${column.name}: ${counted(column.leaves.length, "value")} shown as ${counted(whole, "set")}`;
  // Breaks between neighbours need not be nodes of the tree: then the line shows them.
  const ordered = column.kind === "numeric" || !column.tree || covered(column.tree) !== column.leaves.length;
  const picture = ordered
    ? numberLine(column.leaves, column.sets, width, label)
    : icicle(/** @type {import("./types.d.ts").Tree} */ (column.tree), width, label);
  const listed = column.sets.slice(0, 200);
  return make(
    "article",
    { class: "column-drawing" },
    make(
      "div",
      { class: "column-head" },
      make("h3", { text: column.name }),
      make("span", { class: "soft", text: words }),
      make("span", { class: "soft", text: `${counted(column.leaves.length, "value")} → ${counted(whole, "set")}` }),
      make("span", {
        class: "loss",
        title: `mean cell loss of the column: ${column.loss}`,
        text: `loss ${percent(column.loss)}`,
      }),
    ),
    picture,
    make(
      "details",
      {},
      make("summary", { text: "As a list" }),
      make(
        "ul",
        { class: "sets" },
        ...listed.map((set) =>
          make("li", {}, make("span", { class: "value", text: set.label }), ` ${counted(set.count, "row")}`),
        ),
        whole > listed.length ? make("li", { class: "soft", text: `and ${number(whole - listed.length)} more` }) : null,
      ),
    ),
  );
}

/** The mean cell loss of each column, the largest first. @param {ShownColumn[]} columns */
export function lossBars(columns) {
  const bars = [...columns]
    .sort((a, b) => b.loss - a.loss)
    .map(({ name, loss }) => {
      const bar = make("span", { class: "bar" });
      bar.style.width = `${Math.min(Math.max(loss, 0), 1) * 100}%`;
      return make(
        "li",
        {},
        make("span", { class: "name", text: name }),
        make("span", { class: "track", "aria-hidden": "true" }, bar),
        make("span", { class: "num", text: percent(loss), title: String(loss) }),
      );
    });
  return make("ul", { class: "bars card" }, ...bars);
}
