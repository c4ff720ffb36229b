// @ts-check
// What is around the plots of a front: the tools to move in them, the legend, and flat regions in words.

import { button, make } from "./dom.js";
import { Scatter } from "./scatter.js";

/** @typedef {import("./view.js").FrontView} FrontView */
/** @typedef {import("./types.d.ts").Field} Field */

/** One plot of a front. @param {FrontView} front @param {[Field, Field]} pair @param {import("./scatter.js").Acts} acts @param {boolean} small */
export function plotOf(front, [x, y], acts, small) {
  const { view, count } = front;
  const axis = (/** @type {Field} */ { values, log, format, axis: label, turned }, /** @type {boolean} */ across) => ({
    values,
    log,
    format,
    label,
    turned: across && turned,
  });
  return new Scatter(axis(x, true), axis(y, false), Uint8Array.from(view.shades.of), acts, {
    small,
    stair: view.stair,
    label: `Plot of ${count} solutions: ${x.axis} against ${y.axis}. Arrow keys move from solution to solution, Enter chooses one, plus and minus zoom.`,
  });
}

/** What a drag does, and zooming. @param {Scatter[]} plots */
export function toolbar(plots) {
  const mode = (/** @type {"limit" | "move"} */ value, /** @type {string} */ words, /** @type {string} */ title) =>
    button(
      words,
      () => {
        for (const plot of plots) plot.mode = value;
        for (const one of tools.querySelectorAll("[data-mode]"))
          one.setAttribute("aria-pressed", String(one.getAttribute("data-mode") === value));
      },
      { "data-mode": value, "aria-pressed": String(value === "limit"), title },
    );
  const each = (
    /** @type {string} */ text,
    /** @type {(plot: Scatter) => void} */ act,
    /** @type {import("./dom.js").Options} */ options,
  ) => button(text, () => plots.forEach(act), options);
  const tools = make(
    "div",
    { class: "tools", role: "toolbar", label: "The picture" },
    make(
      "span",
      { class: "together" },
      mode("limit", "Set limits", "drag a box: k at least its left side, loss at most its upper side"),
      mode("move", "Move", "drag to move the picture; also with Shift"),
    ),
    make(
      "span",
      { class: "together" },
      each("+", (plot) => plot.zoom(0.7), { label: "Zoom in", title: "zoom in (+, or Ctrl with the wheel)" }),
      each("−", (plot) => plot.zoom(1.4), { label: "Zoom out", title: "zoom out (−)" }),
      each("All", (plot) => plot.reset(), {
        label: "Show the whole front",
        title: "show the whole front (0, or a double click)",
      }),
    ),
  );
  return tools;
}

/** What the colours mean. @param {import("./types.d.ts").Shades} shades */
export const legend = ({ ends, words }) =>
  make(
    "p",
    { class: "legend" },
    ends.length ? make("span", { text: "rows suppressed" }) : null,
    ...words.map((text, at) => make("span", {}, make("span", { class: `dot s${at}`, "aria-hidden": "true" }), text)),
  );

/** Flat regions in words, or nothing. @param {FrontView} front @param {(at: number) => void} choose */
export function flatWords({ view, ids }, choose) {
  if (!view.flat.length) return null;
  const pick = (/** @type {number} */ at) => button(`solution ${ids[at]}`, () => choose(at), { class: "pick" });
  const regions = view.flat.map(({ from, to, words }) =>
    make("li", {}, `${words} (`, pick(from), " → ", pick(to), ")"),
  );
  return make(
    "div",
    { class: "flat-words" },
    make("p", {}, make("b", { text: "Flat regions" }), " (shaded): much privacy for little loss."),
    make("ol", {}, ...regions),
  );
}
