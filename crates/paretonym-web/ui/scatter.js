// @ts-check
// A front as a picture on a canvas: points coloured by suppression, zoom and pan, limits drawn with the brush.

import { make } from "./dom.js";
import { showRound } from "./number.js";
import { Scale } from "./scale.js";
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
    const pen = this.canvas.getContext("2d");
    // Wide numbers, such as sums of squares, push the axis to the right.
    const widest = pen
      ? Math.max(
          ...new Scale(this.home.up.log, this.home.up.low, this.home.up.high, height, 0)
            .ticks(50)
            .map((tick) => ((pen.font = this.font()), pen.measureText(showRound(this.y.format, tick)).width)),
        )
      : 40;
    const left = Math.max(this.small ? 62 : 68, widest + 34);
    this.frame = this.small
      ? { left, right: width - 22, top: 10, bottom: height - 42 }
      : { left, right: width - 16, top: 14, bottom: height - 46 };
    this.setView(this.across.low, this.across.high, this.up.low, this.up.high);
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
    if (!pen || !this.frame || !this.width || !this.height) return;
    const colour = (/** @type {string} */ name) => this.colour(name);
    const { left, right, top, bottom } = this.frame;
    pen.clearRect(0, 0, this.width, this.height);
    pen.font = this.font();
    this.drawAxes(pen, colour);
    pen.save();
    pen.beginPath();
    pen.rect(left - 14, top - 14, right - left + 28, bottom - top + 28);
    pen.clip();
    this.flat.forEach(([from, to], at) => {
      const [a, b] = [this.across.at(from), this.across.at(to)];
      pen.fillStyle = colour("flat");
      pen.globalAlpha = 0.15;
      pen.fillRect(Math.min(a, b), top, Math.abs(b - a), bottom - top);
      pen.globalAlpha = 1;
      pen.fillStyle = colour("good");
      pen.textAlign = "center";
      pen.fillText(String(at + 1), (a + b) / 2, top + 14);
    });
    for (const { axis, value, upper } of this.beyond) {
      const scale = axis === "x" ? this.across : this.up;
      const clamp = (/** @type {number} */ at) =>
        Math.min(Math.max(at, Math.min(scale.from, scale.to)), Math.max(scale.from, scale.to));
      const at = clamp(scale.at(value));
      const end = upper ? scale.to : scale.from;
      pen.fillStyle = colour("beyond");
      pen.globalAlpha = 0.15;
      if (axis === "x") pen.fillRect(Math.min(at, end), top, Math.abs(end - at), bottom - top);
      else pen.fillRect(left, Math.min(at, end), right - left, Math.abs(end - at));
      pen.globalAlpha = 1;
      pen.strokeStyle = colour("soft");
      pen.setLineDash([5, 4]);
      pen.beginPath();
      if (axis === "x") pen.moveTo(at, top), pen.lineTo(at, bottom);
      else pen.moveTo(left, at), pen.lineTo(right, at);
      pen.stroke();
      pen.setLineDash([]);
    }
    if (this.stair) this.drawStair(pen, colour);
    this.drawPoints(pen, colour);
    const ring = (
      /** @type {number} */ at,
      /** @type {string} */ name,
      /** @type {number} */ size,
      /** @type {number} */ line,
    ) => {
      if (at < 0 || Number.isNaN(this.places[2 * at])) return;
      pen.strokeStyle = colour(name);
      pen.lineWidth = line;
      pen.beginPath();
      pen.arc(this.places[2 * at], this.places[2 * at + 1], size, 0, 2 * Math.PI);
      pen.stroke();
    };
    for (const at of this.best) ring(at, "good", 10.5, 2.5);
    ring(this.chosen, "accent", 7.5, 3);
    ring(this.pointed, "ink", 6, 2);
    if (this.box) {
      const { x0, y0, x1, y1 } = this.box;
      pen.strokeStyle = colour("accent");
      pen.fillStyle = colour("accent");
      pen.lineWidth = 1;
      pen.globalAlpha = 0.12;
      pen.fillRect(Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0));
      pen.globalAlpha = 1;
      pen.strokeRect(Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0));
    }
    pen.restore();
  }

  /** @param {CanvasRenderingContext2D} pen @param {(name: string) => string} colour */
  drawAxes(pen, colour) {
    const { left, right, top, bottom } = /** @type {NonNullable<typeof this.frame>} */ (this.frame);
    pen.lineWidth = 1;
    pen.strokeStyle = colour("line");
    pen.fillStyle = colour("soft");
    pen.beginPath();
    pen.textAlign = "right";
    for (const tick of this.up.ticks(this.small ? 40 : 50)) {
      const at = Math.round(this.up.at(tick)) + 0.5;
      pen.moveTo(left, at);
      pen.lineTo(right, at);
      pen.fillText(showRound(this.y.format, tick), left - 8, at + 4);
    }
    pen.textAlign = "center";
    for (const tick of this.across.ticks(70)) {
      const at = Math.round(this.across.at(tick)) + 0.5;
      pen.moveTo(at, top);
      pen.lineTo(at, bottom);
      pen.fillText(showRound(this.x.format, tick), at, bottom + 17);
    }
    pen.stroke();
    pen.strokeStyle = colour("soft");
    pen.beginPath();
    pen.moveTo(left + 0.5, top);
    pen.lineTo(left + 0.5, bottom + 0.5);
    pen.lineTo(right, bottom + 0.5);
    pen.stroke();
    pen.fillStyle = colour("ink");
    pen.fillText(this.x.label, (left + right) / 2, bottom + 36);
    pen.save();
    pen.translate(14, (top + bottom) / 2);
    pen.rotate(-Math.PI / 2);
    pen.fillText(this.y.label, 0, 0);
    pen.restore();
  }

  /** The stair under which nothing is possible. @param {CanvasRenderingContext2D} pen @param {(name: string) => string} colour */
  drawStair(pen, colour) {
    this.path ??= Array.from({ length: this.count }, (_, at) => at)
      .filter((at) => this.x.values[at] !== null && this.y.values[at] !== null)
      .sort(
        (a, b) =>
          (this.x.turned ? -1 : 1) * (Number(this.x.values[a]) - Number(this.x.values[b])) ||
          Number(this.y.values[a]) - Number(this.y.values[b]),
      );
    pen.strokeStyle = colour("ink");
    pen.globalAlpha = 0.4;
    pen.lineWidth = 1.3;
    pen.beginPath();
    let [before, height] = [NaN, NaN];
    for (const at of this.path) {
      const [x, y] = [this.places[2 * at], this.places[2 * at + 1]];
      // Steps of less than half a pixel cannot be seen.
      if (Math.abs(x - before) < 0.5 && Math.abs(y - height) < 0.5) continue;
      if (Number.isNaN(before)) pen.moveTo(x, y);
      else pen.lineTo(before, y), pen.lineTo(x, y);
      [before, height] = [x, y];
    }
    pen.stroke();
    pen.globalAlpha = 1;
  }

  /** @param {CanvasRenderingContext2D} pen @param {(name: string) => string} colour */
  drawPoints(pen, colour) {
    const size = this.count > 2000 ? 2 : this.count > 600 ? 3 : this.small ? 3.5 : 4.5;
    const { left, right, top, bottom } = /** @type {NonNullable<typeof this.frame>} */ (this.frame);
    // Of many points on one pixel, one is drawn.
    const crowded = this.count > 2000;
    const across = Math.ceil(this.width) + 1;
    const taken = crowded ? new Uint8Array(across * (Math.ceil(this.height) + 1)) : null;
    for (const within of [0, 1]) {
      for (let shade = 0; shade < 5; shade++) {
        pen.beginPath();
        let any = false;
        for (let at = 0; at < this.count; at++) {
          if (this.shades[at] !== shade || (this.feasible ? this.feasible[at] : 1) !== within) continue;
          const [x, y] = [this.places[2 * at], this.places[2 * at + 1]];
          if (!(x >= left - 8 && x <= right + 8 && y >= top - 8 && y <= bottom + 8)) continue;
          if (taken) {
            const cell = Math.max(Math.round(y), 0) * across + Math.max(Math.round(x), 0);
            const mark = 1 + shade + 5 * within;
            if (taken[cell] === mark) continue;
            taken[cell] = mark;
          }
          any = true;
          // Squares are much cheaper than circles, and look the same when they are small.
          if (size < 3) pen.rect(x - size, y - size, 2 * size, 2 * size);
          else pen.moveTo(x + size, y), pen.arc(x, y, size, 0, 2 * Math.PI);
        }
        if (!any) continue;
        pen.fillStyle = colour(`s${shade}`);
        pen.globalAlpha = within ? 1 : 0.28;
        pen.fill();
      }
    }
    pen.globalAlpha = 1;
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
