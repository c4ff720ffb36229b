// @ts-check
// Locally flat regions of a front, by the rule of the report (report/flat.rs): stretches where much privacy costs
// little loss, at three times the front's average pace or better.

import { isLog } from "./fields.js";

const [TIMES, SHARE, MOST] = [3, 0.05, 6];

/** @param {import("./fields.js").Fields} fields @returns {{ from: number, to: number, pay: number }[]} positions of solutions */
export function flatRegions(fields) {
  if (fields.objectives.length !== 2 || fields.privacy.length !== 1) return [];
  const [{ field: x, falls }] = fields.privacy;
  const y = fields.objectives.find((field) => field !== x);
  if (!y) return [];
  const log = isLog(x.key);
  const level = (/** @type {number} */ value) => (log ? Math.log(Math.max(value, 1)) : falls ? -value : value);
  const points = fields.ids
    .map((_, at) => ({ x: level(x.values[at] ?? NaN), y: y.values[at] ?? NaN, at }))
    .filter((point) => !Number.isNaN(point.x) && !Number.isNaN(point.y));
  points.sort((a, b) => a.x - b.x || a.y - b.y);
  const steps = points
    .slice(1)
    .map((point, at) => ({ gain: point.x - points[at].x, pay: Math.max(point.y - points[at].y, 0) }));
  const range = steps.reduce((sum, { gain }) => sum + gain, 0);
  const paid = steps.reduce((sum, { pay }) => sum + pay, 0);
  if (steps.length < 3 || paid <= 0) return [];
  const least = Math.max(SHARE * range, log ? Math.log(1.5) : 0);
  const gain = ([from, to] = [0, 0]) => points[to].x - points[from].x;
  return bestStretches(steps.map((step) => step.gain - ((TIMES * range) / paid) * step.pay))
    .filter((region) => gain(region) >= least - 1e-12)
    .sort((a, b) => gain(b) - gain(a))
    .slice(0, MOST)
    .sort((a, b) => a[0] - b[0])
    .map(([from, to]) => ({ from: points[from].at, to: points[to].at, pay: points[to].y - points[from].y }));
}

/** The disjoint stretches of which none grows by a longer or a shorter end. @param {number[]} scores @returns {[number, number][]} */
function bestStretches(scores) {
  /** @type {{ start: number, end: number, before: number, upto: number }[]} */
  const list = [];
  let sum = 0;
  scores.forEach((score, at) => {
    const before = sum;
    sum += score;
    if (score <= 0) return;
    const next = { start: at, end: at + 1, before, upto: sum };
    for (;;) {
      let place = list.length - 1;
      while (place >= 0 && list[place].before >= next.before) place--;
      if (place < 0 || list[place].upto >= next.upto) break;
      [next.start, next.before] = [list[place].start, list[place].before];
      list.length = place;
    }
    list.push(next);
  });
  return list.map(({ start, end }) => [start, end]);
}
