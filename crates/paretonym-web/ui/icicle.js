// @ts-check
// A taxonomy drawn as bands: the root above, the values below, as wide as the values they hold. What a release shows is
// filled; what it hides lies pale below it.

import { draw } from "./svg.js";
import { isLeaf } from "./tree.js";

/** @typedef {import("./types.d.ts").Tree} Tree */

const BAND = 26;

/**
 * @param {Tree} root nodes that are shown have `shown`
 * @param {number} width
 * @param {string} label
 */
export function icicle(root, width, label) {
  const deep = depth(root);
  const total = count(root);
  /** @type {SVGElement[]} */
  const parts = [];
  const place = (
    /** @type {Tree} */ node,
    /** @type {number} */ level,
    /** @type {number} */ from,
    /** @type {boolean} */ below,
  ) => {
    const size = count(node);
    const [x, w] = [(from / total) * width, (size / total) * width];
    const shown = !below && node.shown === true;
    // A value on a short branch reaches down to the values' band.
    const h = isLeaf(node) ? (deep - level) * BAND : BAND;
    const look = shown ? "shown" : below ? "hidden" : "above";
    if (w >= 0.7) {
      parts.push(
        draw(
          "g",
          { class: `node ${look}` },
          draw("title", {
            text: `${node.name}${isLeaf(node) ? "" : ` (${size} values)`}${shown ? ", shown" : below ? ", hidden" : ""}`,
          }),
          draw("rect", {
            x: x.toFixed(2),
            y: level * BAND,
            width: Math.max(w - 1, 0.7).toFixed(2),
            height: h - 2,
            rx: w > 8 ? 3 : 0,
          }),
          w > 30
            ? draw("text", { x: (x + w / 2).toFixed(2), y: level * BAND + 16, text: fit(node.name, w - 8) })
            : null,
        ),
      );
      let next = from;
      for (const child of node.children ?? []) {
        place(child, level + 1, next, below || shown);
        next += count(child);
      }
    } else {
      // Too narrow to tell apart: the whole column below as one line.
      parts.push(
        draw("rect", {
          class: `node sliver ${look}`,
          x: x.toFixed(2),
          y: level * BAND,
          width: Math.max(w, 0.3).toFixed(2),
          height: (deep - level) * BAND - 2,
        }),
      );
    }
  };
  place(root, 0, 0, false);
  return draw("svg", { class: "icicle", viewBox: `0 0 ${width} ${deep * BAND}`, role: "img", label }, ...parts);
}

/** @type {WeakMap<Tree, number>} */
const counts = new WeakMap();
/** Values below a node. @param {Tree} node @returns {number} */
function count(node) {
  let own = counts.get(node);
  if (own === undefined) {
    own = isLeaf(node) ? 1 : (node.children ?? []).reduce((sum, child) => sum + count(child), 0);
    counts.set(node, own);
  }
  return own;
}

/** @param {Tree} node @returns {number} */
const depth = (node) => 1 + (node.children ?? []).reduce((most, child) => Math.max(most, depth(child)), 0);

/** As much of a text as fits, at about 7 pixels a letter. @param {string} text @param {number} width */
export function fit(text, width) {
  const most = Math.floor(width / 7);
  return text.length <= most ? text : most < 3 ? "" : `${text.slice(0, most - 1)}…`;
}

/**
 * The sets of an ordered column on a line: each set a bar as wide as the leaves it holds.
 * @param {string[]} leaves
 * @param {import("./types.d.ts").ColumnSet[]} sets
 * @param {number} width
 * @param {string} label
 */
export function numberLine(leaves, sets, width, label) {
  const total = Math.max(leaves.length, 1);
  const most = sets.reduce((high, { count: rows }) => Math.max(high, rows), 1);
  const [top, tall] = [46, 30];
  const parts = sets.map(({ label: name, first, last, count: rows }, at) => {
    const [x, w] = [(first / total) * width, ((last - first + 1) / total) * width];
    const bar = (rows / most) * (top - 6);
    const single = first === last;
    return draw(
      "g",
      { class: `node shown${at % 2 ? " odd" : ""}` },
      draw("title", {
        text: `${name}: ${rows.toLocaleString("en")} rows, ${single ? "one value" : `${last - first + 1} values, ${leaves[first]} to ${leaves[last]}`}`,
      }),
      draw("rect", {
        class: "rows",
        x: x.toFixed(2),
        y: (top - bar).toFixed(2),
        width: Math.max(w - 1, 0.5).toFixed(2),
        height: bar.toFixed(2),
      }),
      draw("rect", {
        x: x.toFixed(2),
        y: top,
        width: Math.max(w - 1, 0.7).toFixed(2),
        height: tall - 4,
        rx: w > 8 ? 3 : 0,
      }),
      w > 26 ? draw("text", { x: (x + w / 2).toFixed(2), y: top + 17, text: fit(name, w - 6) }) : null,
    );
  });
  const ends = leaves.length
    ? [
        draw("text", { class: "end", x: 0, y: top + tall + 12, text: fit(leaves[0], width / 2) }),
        draw("text", {
          class: "end last",
          x: width,
          y: top + tall + 12,
          text: fit(leaves[leaves.length - 1], width / 2),
        }),
      ]
    : [];
  return draw(
    "svg",
    { class: "icicle line", viewBox: `0 0 ${width} ${top + tall + 18}`, role: "img", label },
    ...parts,
    ...ends,
  );
}
