// @ts-check
// Colours of points by the share of suppressed rows, the same as in the report.

import { show, showRound } from "./number.js";
import { ticks } from "./scale.js";

const SHADES = 5;

/** The upper ends of the ranges that have a colour of their own; what is above 0 starts the first. @param {(number | null)[]} shares */
export function shadeEnds(shares) {
  const most = shares.reduce((/** @type {number} */ high, share) => Math.max(high, share ?? 0), 0);
  if (most === 0) return [];
  for (let count = 2 * SHADES - 1; count >= 1; count--) {
    const marks = ticks(0, most, count);
    if (marks.length >= SHADES) continue;
    const ends = marks.filter((end) => end > 0);
    if (!ends.length || ends[ends.length - 1] < most * (1 - 1e-9)) ends.push(most);
    return ends;
  }
  return [most];
}

/** The colour of a share. @param {number[]} ends @param {number} share */
export function shade(ends, share) {
  if (share === 0) return 0;
  const at = ends.findIndex((end) => share <= end * (1 + 1e-9));
  return 1 + (at < 0 ? Math.max(ends.length, 1) - 1 : at);
}

/** Words for each colour. @param {number[]} ends */
export const shadeWords = (ends) =>
  ends.length
    ? ["none", ...ends.map((end, at) => `≤ ${at + 1 === ends.length ? show("share", end) : showRound("share", end)}`)]
    : ["nothing suppressed"];
