// @ts-check
// A front as a picture on a canvas: points coloured by suppression, zoom and pan, limits drawn with the brush.

import { make } from "./dom.js";
import { showRound } from "./number.js";
import { Scale } from "./scale.js";
import { drawPlot } from "./scatter-draw.js";
import { listen } from "./scatter-input.js";

/**
 * One axis: its values, whether it is logarithmic, and its words. `turned`: smaller is to the right or up.
 * @typedef {{ values: ArrayLike<number | null>, log: boolean, format: import("./types.d.ts").Format, label: string, turned?: boolean }} Axis
 */
/** @typedef {{ left: number, right: number, low: number, high: number }} Box */
/**
 * @typedef {{ point?: (at: number, plot: Scatter) => void, pick?: (at: number) => void,
 *   brush?: (box: Box, rests: boolean) => void }} Acts
 */
/** @typedef {{ axis: "x" | "y", value: number, upper: boolean }} Shaded */
/** @typedef {{ left: number, right: number, top: number, bottom: number }} Frame */

const NEAR = 26;

export class Scatter {
  /**
   * @param {Axis} x
   * @param {Axis} y
   * @param {Uint8Array} shades the colour of each point
   * @param {Acts} acts
   * @param {{ small?: boolean, stair?: boolean, label: string }} options
   */
  constructor(x, y, shades, acts, options) {
    this.acts = acts;
    this.small = options.small ?? false;
    this.stair = options.stair ?? false;
    /** @type {"limit" | "move"} */
    this.mode = "limit";
    /** @type {Uint8Array | null} */
    this.feasible = null;
    /** @type {Shaded[]} */
    this.beyond = [];
    /** @type {number[]} */
    this.best = [];
    /** @type {[number, number][]} stretches of x to mark */
    this.flat = [];
    this.chosen = -1;
    this.pointed = -1;
    /** @type {{ x0: number, y0: number, x1: number, y1: number } | null} */
    this.box = null;
    this.canvas = make("canvas", { class: "scatter", tabindex: 0, role: "application", label: options.label });
    this.element = make("div", { class: `scatter-frame${this.small ? " small" : ""}` }, this.canvas);
    this.width = 0;
    this.height = 0;
    /** Points from left to right, for the stair and for keys. @type {number[] | undefined} */
    this.path = undefined;
    /** @type {number[] | undefined} */
    this.order = undefined;
    this.x = x;
    this.y = y;
    this.shades = shades;
    this.count = 0;
    this.places = new Float32Array(0);
    this.home = { across: new Scale(x.log, 1, 2), up: new Scale(y.log, 1, 2) };
    this.across = this.home.across;
    this.up = this.home.up;
    this.setData(x, y, shades);
    listen(this);
    new ResizeObserver(() => this.fit()).observe(this.element);
    /** @type {Map<string, string>} */
    this.colours = new Map();
    this.due = false;
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const changed = () => {
      if (!this.canvas.isConnected) return scheme.removeEventListener("change", changed);
      this.colours.clear();
      this.draw();
    };
    scheme.addEventListener("change", changed);
  }

  /** Other points, all of them in sight. @param {Axis} x @param {Axis} y @param {Uint8Array} shades */
  setData(x, y, shades) {
    [this.x, this.y, this.shades] = [x, y, shades];
    this.count = x.values.length;
    this.places = new Float32Array(2 * this.count);
    this.path = undefined;
    this.order = undefined;
    this.home = {
      across: Scale.holding(Array.from(x.values), x.log, x.format),
      up: Scale.holding(Array.from(y.values), y.log, y.format),
    };
    this.reset();
  }

  /** Takes the size of its frame. */
  fit() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    const ratio = devicePixelRatio || 1;
    [this.width, this.height] = [width, height];
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.getContext("2d")?.setTransform(ratio, 0, 0, ratio, 0, 0);
    const left = Math.max(this.small ? 62 : 68, this.widestTick(height) + 34);
    this.frame = this.small
      ? { left, right: width - 22, top: 10, bottom: height - 42 }
      : { left, right: width - 16, top: 14, bottom: height - 46 };
    this.setView(this.across.low, this.across.high, this.up.low, this.up.high);
  }

  /** Wide numbers, such as sums of squares, push the axis to the right. @param {number} height */
  widestTick(height) {
    const pen = this.canvas.getContext("2d");
    if (!pen) return 40;
    pen.font = this.font();
    const { log, low, high } = this.home.up;
    const ticks = new Scale(log, low, high, height, 0).ticks(50);
    return Math.max(...ticks.map((tick) => pen.measureText(showRound(this.y.format, tick)).width));
  }

  /** Shows a part of the plane. @param {number} left @param {number} right @param {number} low @param {number} high */
  setView(left, right, low, high) {
    this.across = this.across.between(left, right);
    this.up = this.up.between(low, high);
    if (!this.frame) return;
    const { left: a, right: b, top, bottom } = this.frame;
    const ends = (/** @type {boolean | undefined} */ turned, /** @type {number} */ from, /** @type {number} */ to) =>
      turned ? [to, from] : [from, to];
    const [xFrom, xTo] = ends(this.x.turned, a, b);
    const [yFrom, yTo] = ends(this.y.turned, bottom, top);
    this.across = new Scale(this.x.log, left, right, xFrom, xTo);
    this.up = new Scale(this.y.log, low, high, yFrom, yTo);
    for (let at = 0; at < this.count; at++) {
      const [v, w] = [this.x.values[at], this.y.values[at]];
      this.places[2 * at] = v === null ? NaN : this.across.at(v);
      this.places[2 * at + 1] = w === null ? NaN : this.up.at(w);
    }
    this.draw();
  }

  /** All of it. */
  reset() {
    this.setView(this.home.across.low, this.home.across.high, this.home.up.low, this.home.up.high);
  }

  /** Nearer or farther, around a place. @param {number} factor @param {number} [px] @param {number} [py] */
  zoom(factor, px, py) {
    if (!this.frame) return;
    const { left, right, top, bottom } = this.frame;
    const [x, y] = [px ?? (left + right) / 2, py ?? (top + bottom) / 2];
    const around = (/** @type {Scale} */ scale, /** @type {number} */ at) => [
      scale.value(at + (scale.from - at) * factor),
      scale.value(at + (scale.to - at) * factor),
    ];
    const [[a, b], [c, d]] = [around(this.across, x), around(this.up, y)];
    if (this.tooFar(this.home.across, a, b) || this.tooFar(this.home.up, c, d)) return;
    this.setView(a, b, c, d);
  }

  /** @param {Scale} home @param {number} low @param {number} high */
  tooFar(home, low, high) {
    const span = (/** @type {number} */ from, /** @type {number} */ to) => (home.log ? Math.log(to / from) : to - from);
    const share = span(low, high) / span(home.low, home.high);
    return !(share < 4 && share > 1e-5);
  }

  /** @param {number} dx @param {number} dy pixels */
  move(dx, dy) {
    const shifted = (/** @type {Scale} */ scale, /** @type {number} */ by) => [
      scale.value(scale.from - by),
      scale.value(scale.to - by),
    ];
    const [[a, b], [c, d]] = [shifted(this.across, dx), shifted(this.up, dy)];
    this.setView(a, b, c, d);
  }

  /** What the limits leave. @param {Uint8Array | null} feasible @param {number[]} best @param {Shaded[]} beyond */
  limit(feasible, best, beyond) {
    this.feasible = feasible;
    this.best = best;
    this.beyond = beyond;
    this.draw();
  }

  /** @param {number} at */
  choose(at) {
    this.chosen = at;
    this.draw();
  }

  /** @param {number} at */
  point(at) {
    if (at === this.pointed) return;
    this.pointed = at;
    this.draw();
  }

  /** Draws with the next frame, once however much has changed. */
  draw() {
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      this.drawNow();
    });
  }

  font() {
    return `${this.small ? 11.5 : 12.5}px system-ui, -apple-system, "Segoe UI", Arial, sans-serif`;
  }

  /** A colour of the style sheet. @param {string} name */
  colour(name) {
    let own = this.colours.get(name);
    if (own === undefined) {
      own = getComputedStyle(this.canvas).getPropertyValue(`--${name}`).trim();
      this.colours.set(name, own);
    }
    return own;
  }

  drawNow() {
    const pen = this.canvas.getContext("2d");
    if (pen && this.frame && this.width && this.height) drawPlot(this, this.frame, pen);
  }

  /** The point nearest to a place, or -1. @param {number} px @param {number} py */
  nearest(px, py) {
    let [found, least] = [-1, NEAR * NEAR];
    for (let at = 0; at < this.count; at++) {
      const distance = (this.places[2 * at] - px) ** 2 + (this.places[2 * at + 1] - py) ** 2;
      if (distance < least) [found, least] = [at, distance];
    }
    return found;
  }

  /** Where a point is on the screen. @param {number} at */
  screen(at) {
    const { left, top } = this.canvas.getBoundingClientRect();
    return [left + this.places[2 * at], top + this.places[2 * at + 1]];
  }
}
