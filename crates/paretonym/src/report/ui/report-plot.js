// @ts-check
// A plot of the report: the picture is drawn already; marks are moved in it, and it is asked what lies where.

import { Scale } from "./scale.js";

/** @typedef {import("./types.d.ts").Scale} ScaleData */
/** @typedef {import("./choose.js").Limit} Limit */
/** @typedef {{ point: (at: number, plot?: ReportPlot) => void, choose: (at: number) => void, here: () => number }} Acts */

/** How near a pointer must come, in units of the picture. */
const NEAR = 30;

export class ReportPlot {
  /** @param {SVGSVGElement} svg @param {import("./view.js").FrontView} front */
  constructor(svg, front) {
    this.svg = svg;
    /** @type {import("./types.d.ts").PlotData} */
    const { x, y, across, up } = JSON.parse(svg.dataset.plot ?? "");
    const scale = (/** @type {ScaleData} */ { log, low, high, from, to }) => new Scale(log, low, high, from, to);
    this.x = x;
    this.y = y;
    this.across = scale(across);
    this.up = scale(up);
    const [xs, ys] = [front.fields[x].values, front.fields[y].values];
    /** Where each solution lies. @type {[number, number][]} */
    this.places = front.ids.map((_, at) => [this.across.at(xs[at] ?? Number.NaN), this.up.at(ys[at] ?? Number.NaN)]);
    /** Solutions from left to right, for keys. */
    this.path = front.ids
      .map((_, at) => at)
      .filter((at) => this.places[at].every(Number.isFinite))
      .sort((a, b) => this.places[a][0] - this.places[b][0] || this.places[b][1] - this.places[a][1]);
  }

  /** Lays a ring around a solution, or takes it away. @param {Element | null} ring @param {number | undefined} at */
  put(ring, at) {
    const place = this.places[at ?? -1];
    ring?.toggleAttribute("hidden", !place);
    if (!place) return;
    ring?.setAttribute("cx", String(place[0]));
    ring?.setAttribute("cy", String(place[1]));
  }

  /** @param {number} at */
  point(at) {
    this.put(this.svg.querySelector(".ring.near"), at);
  }

  /** @param {number} at */
  choose(at) {
    this.put(this.svg.querySelector(".ring.chosen"), at);
  }

  /** Shades what lies beyond the limits, and marks the best within. @param {Limit[]} limits @param {number[]} best */
  limit(limits, best) {
    this.shade(
      "x",
      "width",
      limits.find(({ field }) => field === this.x),
    );
    this.shade(
      "y",
      "height",
      limits.find(({ field }) => field === this.y),
    );
    for (const [place, ring] of this.svg.querySelectorAll(".ring.answer").entries()) this.put(ring, best[place]);
  }

  /** @param {"x" | "y"} axis @param {"width" | "height"} size @param {Limit | undefined} limit */
  shade(axis, size, limit) {
    const scale = axis === "x" ? this.across : this.up;
    const place = this.svg.querySelector(`[data-beyond=${axis}]`);
    if (!limit) return place?.setAttribute(size, "0");
    const [low, high] = [Math.min(scale.from, scale.to), Math.max(scale.from, scale.to)];
    const at = Math.min(Math.max(scale.at(limit.value), low), high);
    const end = limit.upper ? scale.to : scale.from;
    place?.setAttribute(size, String(Math.abs(end - at)));
    place?.setAttribute(axis, String(Math.min(at, end)));
  }

  /** The solution nearest to a pointer, or -1. @param {MouseEvent} event */
  nearest(event) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix) return -1;
    const [px, py] = [(event.clientX - matrix.e) / matrix.a, (event.clientY - matrix.f) / matrix.d];
    let [found, least] = [-1, NEAR * NEAR];
    this.places.forEach(([x, y], at) => {
      const distance = (x - px) ** 2 + (y - py) ** 2;
      if (distance < least) [found, least] = [at, distance];
    });
    return found;
  }

  /** Where a solution is on the screen. @param {number} at @returns {[number, number]} */
  screen(at) {
    const matrix = this.svg.getScreenCTM();
    const [x, y] = this.places[at];
    return matrix ? [x * matrix.a + matrix.e, y * matrix.d + matrix.f] : [x, y];
  }

  /** Pointer and keys. @param {Acts} acts */
  listen({ point, choose, here }) {
    this.svg.addEventListener("pointermove", (event) => point(this.nearest(event), this));
    this.svg.addEventListener("pointerleave", () => point(-1));
    this.svg.addEventListener("blur", () => point(-1));
    this.svg.addEventListener("click", (event) => {
      const at = this.nearest(event);
      if (at >= 0) choose(at);
    });
    this.svg.addEventListener("keydown", (event) => {
      const at = this.path.indexOf(here());
      const last = this.path.length - 1;
      /** @type {{ [key: string]: number }} */
      const steps = { ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1, Home: 0, End: last };
      const next = steps[event.key];
      if (next !== undefined) point(this.path[Math.min(Math.max(next, 0), last)] ?? -1, this);
      else if (event.key === "Enter" && at >= 0) choose(this.path[at]);
      else if (event.key === "Escape") point(-1);
      else return;
      event.preventDefault();
    });
  }
}
