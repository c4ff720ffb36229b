// @ts-check
// Where values lie on a line of pixels, and the round values to mark.

import { rounded } from "./number.js";

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
   * @param {import("./number.js").Show} kind
   */
  static holding(values, log, kind) {
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
    if (kind === "share" && most <= 1) [low, high] = [Math.max(low, 0), Math.min(high, 1)];
    return new Scale(false, low, high);
  }

  /** The place of a value. @param {number} value */
  at(value) {
    const share = this.log
      ? Math.log(Math.max(value, 1e-9) / this.low) / Math.log(this.high / this.low)
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

/** Multiples of 1, 2 or 5 times a power of ten, about `count` of them. @param {number} low @param {number} high @param {number} count */
export function ticks(low, high, count) {
  const rough = (high - low) / Math.max(count, 1);
  if (!(rough > 0 && Number.isFinite(rough))) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((one) => one >= rough * 0.8) ?? rough;
  const [first, last] = [Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9)];
  const marks = [];
  for (let at = first; at <= last; at++) marks.push(rounded(at * step));
  return marks;
}

/** @param {number} low @param {number} high @param {number} count */
function logTicks(low, high, count) {
  const decades = Math.log10(high / low);
  if (decades < 0.9) return ticks(low, high, Math.min(count, 5)).filter((tick) => tick > 0);
  const every = Math.max(Math.ceil(decades / Math.max(count, 1)), 1);
  const within = decades * 3 <= count ? [1, 2, 5] : [1];
  const marks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    if (((power % every) + every) % every === 0) for (const m of within) marks.push(rounded(m * 10 ** power));
  }
  return marks.filter((tick) => tick >= low && tick <= high);
}
