// @ts-check
// Small charts as SVG: the histogram of group sizes, and curves of values per row.

import { number, showRound } from "./number.js";
import { Scale } from "./scale.js";
import { draw } from "./svg.js";

const FRAME = { width: 560, height: 250, left: 62, right: 532, top: 16, bottom: 206 };

/** @param {Scale} x @param {Scale} y @param {{ x: string, y: string, xFormat?: import("./types.d.ts").Format, yFormat?: import("./types.d.ts").Format }} words @param {number[]} [xTicks] */
function axes(x, y, words, xTicks = x.ticks(60)) {
  const { left, right, top, bottom } = FRAME;
  return [
    ...y.ticks(40).flatMap((tick) => [
      draw("path", { class: "grid", d: `M${left} ${y.at(tick).toFixed(1)}H${right}` }),
      draw("text", {
        class: "tick-y",
        x: left - 8,
        y: (y.at(tick) + 4).toFixed(1),
        text: showRound(words.yFormat ?? "number", tick),
      }),
    ]),
    ...xTicks.flatMap((tick) => [
      draw("path", { class: "grid", d: `M${x.at(tick).toFixed(1)} ${top}V${bottom}` }),
      draw("text", {
        class: "tick-x",
        x: x.at(tick).toFixed(1),
        y: bottom + 17,
        text: showRound(words.xFormat ?? "number", tick),
      }),
    ]),
    draw("path", { class: "axis", d: `M${left} ${top}V${bottom}H${right}` }),
    draw("text", { class: "label", x: (left + right) / 2, y: bottom + 37, text: words.x }),
    draw("text", { class: "label", transform: `translate(14 ${(top + bottom) / 2}) rotate(-90)`, text: words.y }),
  ];
}

/** @param {string} label @param {SVGElement[]} parts */
const chart = (label, parts) =>
  draw("svg", { class: "chart", viewBox: `0 0 ${FRAME.width} ${FRAME.height}`, role: "img", label }, ...parts);

/** Rows by the size of their group. @param {[number, number, number][]} sizes size, groups, rows @param {number} k */
export function sizesHistogram(sizes, k) {
  const { left, right, top, bottom } = FRAME;
  const [low, high] = [Math.min(...sizes.map(([size]) => size)), Math.max(...sizes.map(([size]) => size))];
  const log = high / Math.max(low, 1) > 12;
  // Whole sizes fall between edges of a half.
  const [from, to] = [Math.max(low - 0.5, 0.5), high + 0.5];
  const bins = Math.min(24, high - low + 1);
  const edges = Array.from({ length: bins + 1 }, (_, at) =>
    log ? from * (to / from) ** (at / bins) : from + ((to - from) * at) / bins,
  );
  const rows = new Array(bins).fill(0);
  const groups = new Array(bins).fill(0);
  for (const [size, count, people] of sizes) {
    const share = log ? Math.log(size / from) / Math.log(to / from) : (size - from) / (to - from);
    const at = Math.min(Math.max(Math.floor(share * bins), 0), bins - 1);
    rows[at] += people;
    groups[at] += count;
  }
  const x = new Scale(log, from, to, left, right);
  const y = Scale.holding([0, Math.max(...rows)], false, "number");
  [y.from, y.to] = [bottom, top];
  const bars = rows.map((people, at) => {
    const [a, b] = [x.at(edges[at]), x.at(edges[at + 1])];
    const [first, last] = [Math.ceil(edges[at]), Math.floor(edges[at + 1])];
    return people === 0
      ? null
      : draw("rect", {
          class: "bar",
          x: (a + 0.5).toFixed(1),
          width: Math.max(b - a - 1, 1).toFixed(1),
          y: y.at(people).toFixed(1),
          height: (bottom - y.at(people)).toFixed(1),
          title: `groups of ${number(first)}${last > first ? ` to ${number(last)}` : ""}: ${number(groups[at])} groups, ${number(people)} rows`,
        });
  });
  return chart(`Rows by the size of their group, from ${low} to ${high}`, [
    ...axes(x, y, { x: `size of a group${log ? ", log scale" : ""}`, y: "rows" }),
    .../** @type {SVGElement[]} */ (bars.filter((bar) => bar !== null)),
    draw("path", { class: "mark", d: `M${x.at(k).toFixed(1)} ${top}V${bottom}` }),
    draw("text", { class: "mark-words", x: (x.at(k) + 5).toFixed(1), y: top + 10, text: `k = ${number(k)}` }),
  ]);
}

/** Sorted values per row, one line for each release. @param {{ release: string, values: number[] }[]} curves @param {string} property @param {string} words for people who listen @param {string} short beside the axis */
export function curvesChart(curves, property, words, short) {
  const { left, right, top, bottom } = FRAME;
  const all = curves.flatMap(({ values }) => values);
  const log = /^(group-size|sensitive-count)/.test(property) && Math.max(...all) / Math.max(Math.min(...all), 1) > 20;
  const y = Scale.holding(all, log, "number");
  [y.from, y.to] = [bottom, top];
  const x = new Scale(false, 0, 1, left, right);
  return chart(`${words}, rows sorted by it, for ${curves.map(({ release }) => release).join(", ")}`, [
    ...axes(x, y, { x: "share of rows, sorted by the value", y: short + (log ? ", log scale" : ""), xFormat: "share" }),
    ...curves.map(({ release, values }, at) =>
      draw("path", {
        class: `curve c${at % 6}`,
        title: release,
        d: values
          .map(
            (value, place) =>
              `${place ? "L" : "M"}${x.at(values.length > 1 ? place / (values.length - 1) : 0).toFixed(1)} ${y.at(log ? Math.max(value, 1) : value).toFixed(1)}`,
          )
          .join(""),
      }),
    ),
  ]);
}
