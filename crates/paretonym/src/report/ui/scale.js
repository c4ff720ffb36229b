// @ts-check
// Where values lie on a line of pixels, and the round values to mark: the rule of the library (view/scale.rs).

import { magnitude, tidy } from "./number.js";

// Quotients of round numbers are round, whatever their last bit.
const SLACK = 1e-9;

export class Scale {
  /** @param {boolean} log @param {number} low @param {number} high @param {number} [from] @param {number} [to] */
  constructor(log, low, high, from = 0, to = 1) {
    this.log = log;
    this.low = low;
    this.high = high;
    this.from = from;
    this.to = to;
  }

  /**
   * A scale that holds all values, with some air around them; shares stay between 0 and 1.
   * @param {Iterable<number | null>} values
   * @param {boolean} log
   * @param {import("./types.d.ts").Format} format
   */
  static holding(values, log, format) {
    let [low, high] = [Infinity, -Infinity];
    for (const value of values) {
      if (value === null || !Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (low > high) [low, high] = [log ? 1 : 0, 1];
    if (log) {
      const air = Math.max((Math.max(high, 1) / Math.max(low, 1)) ** 0.04, 1.25);
      return new Scale(true, Math.max(Math.max(low, 1) / air, 0.8), Math.max(high, 1) * air);
    }
    const [span, most] = [high - low, high];
    if (span <= 1e-9 * Math.abs(high)) {
      const half = high === 0 ? 1 : Math.abs(high) / 2;
      [low, high] = [low - half, high + half];
    } else {
      low = low >= 0 && low < 0.4 * high ? 0 : low - 0.05 * span;
      high += 0.05 * span;
    }
    if (format === "share" && most <= 1) [low, high] = [Math.max(low, 0), Math.min(high, 1)];
    return new Scale(false, low, high);
  }

  /** The place of a value; what has no logarithm lies at the low end. @param {number} value */
  at(value) {
    const share = this.log
      ? Math.log((value > 0 ? value : this.low) / this.low) / Math.log(this.high / this.low)
      : (value - this.low) / (this.high - this.low);
    return this.from + share * (this.to - this.from);
  }

  /** The value at a place. @param {number} place */
  value(place) {
    const share = (place - this.from) / (this.to - this.from);
    return this.log ? this.low * (this.high / this.low) ** share : this.low + share * (this.high - this.low);
  }

  /** The same line with other ends. @param {number} low @param {number} high */
  between(low, high) {
    return new Scale(this.log, low, high, this.from, this.to);
  }

  /** Round values to mark. @param {number} [apart] pixels between marks */
  ticks(apart = 55) {
    const room = Math.floor(Math.max(Math.abs(this.to - this.from) / apart, 2));
    return this.log ? logTicks(this.low, this.high, room) : ticks(this.low, this.high, room);
  }
}

/** A power of ten, exactly as it is written. @param {number} power */
const tenTo = (power) => Number(`1e${power}`);

/** Multiples of 1, 2 or 5 times a power of ten, about `count` of them. @param {number} low @param {number} high @param {number} count */
export function ticks(low, high, count) {
  const rough = (high - low) / Math.max(count, 1);
  if (!(rough > 0 && Number.isFinite(rough))) return [low];
  const power = tenTo(magnitude(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((one) => one >= rough * 0.8) ?? rough;
  const [first, last] = [Math.ceil(low / step - SLACK), Math.floor(high / step + SLACK)];
  const marks = [];
  for (let at = first; at <= last; at++) marks.push(tidy(at * step));
  return marks;
}

/** Powers of ten, with 2 and 5 between where there is room. @param {number} low @param {number} high @param {number} count */
export function logTicks(low, high, count) {
  const decades = Math.log10(high / low);
  if (decades < 0.9) return ticks(low, high, Math.min(count, 5)).filter((tick) => tick > 0);
  const every = Math.max(Math.ceil(decades / Math.max(count, 1) - SLACK), 1);
  const within = decades * 3 <= count + SLACK ? [1, 2, 5] : [1];
  const marks = [];
  for (let power = magnitude(low); power <= magnitude(high); power++) {
    if (((power % every) + every) % every === 0) for (const m of within) marks.push(tidy(m * tenTo(power)));
  }
  return marks.filter((tick) => tick >= low && tick <= high);
}
