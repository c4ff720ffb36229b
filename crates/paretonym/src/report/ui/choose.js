// @ts-check
// The publisher's question, answered in the browser by the rule of the library (front/choose.rs), so that it follows a
// moving limit.

import { show, showRound } from "./number.js";

/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").Field} Field */
/** @typedef {import("./types.d.ts").Limits} Limits */
/** @typedef {import("./types.d.ts").Bound} Bound */
/** @typedef {keyof Limits} LimitName */
/** @typedef {Bound & { value: number }} Limit */
/** @typedef {{ limit: string, at: number }} Relaxed */
/** @typedef {{ feasible: Uint8Array, count: number, best: number[], relaxations: Relaxed[] }} Answer */

/** The limits that are set. @param {Bound[]} bounds @param {Limits} limits @returns {Limit[]} */
export const setLimits = (bounds, limits) =>
  bounds.flatMap((bound) => {
    const value = limits[/** @type {LimitName} */ (bound.name)];
    return value === undefined || value === null ? [] : [{ ...bound, value }];
  });

/** How far a value lies beyond a limit; negative within. @param {Limit} limit @param {number} value */
const beyond = (limit, value) => (limit.upper ? value - limit.value : limit.value - value);

/** The order of numbers; what is not known comes last. @param {number} a @param {number} b */
const order = (a, b) => (a < b ? -1 : a > b ? 1 : Number(Number.isNaN(a)) - Number(Number.isNaN(b)));

/** How many limits each solution breaks, and which if it is one. @param {View} view @param {Limit[]} limits */
function brokenLimits({ ids, fields }, limits) {
  const broken = new Uint8Array(ids.length);
  const which = new Int8Array(ids.length).fill(-1);
  limits.forEach((limit, place) => {
    const { values } = fields[limit.field];
    const slack = 1e-12 * Math.max(Math.abs(limit.value), 1);
    for (let at = 0; at < ids.length; at++) {
      const value = values[at];
      if (value !== null && beyond(limit, value) <= slack) continue;
      broken[at]++;
      which[at] = place;
    }
  });
  return { broken, which };
}

/**
 * The first in an order, or -1.
 * @param {number} count @param {(at: number) => boolean} among @param {(a: number, b: number) => number} compare
 */
function first(count, among, compare) {
  let best = -1;
  for (let at = 0; at < count; at++) if (among(at) && (best < 0 || compare(at, best) < 0)) best = at;
  return best;
}

/** What each privacy objective says of a solution, larger = better. @param {View} view */
const worths = ({ fields, objectives }) =>
  objectives
    .filter((own) => own.private)
    .map(({ field, falls, values: exact }) => {
      const values = exact ?? fields[field].values;
      return (/** @type {number} */ at) => (falls ? -1 : 1) * (values[at] ?? Number.NaN);
    });

/**
 * The best within the limits, and for each limit the nearest relaxation that buys something and the best within a
 * small step.
 * @param {View} view
 * @param {Limit[]} limits
 * @returns {Answer}
 */
export function choose(view, limits) {
  const all = view.ids.length;
  const losses = view.fields.find((field) => field.key === "loss")?.values ?? [];
  const loss = (/** @type {number} */ at) => losses[at] ?? Number.NaN;
  const byLoss = (/** @type {number} */ a, /** @type {number} */ b) =>
    order(loss(a), loss(b)) || order(view.ids[a], view.ids[b]);
  const privacy = worths(view);
  const { broken, which } = brokenLimits(view, limits);
  const feasible = broken.map((count) => Number(count === 0));
  const isFeasible = (/** @type {number} */ at) => feasible[at] === 1;

  /** @type {Set<number>} */
  const best = new Set();
  const demands = limits.some((limit) => !limit.price);
  if (limits.some((limit) => limit.price) || !demands) {
    for (const worth of privacy) best.add(first(all, isFeasible, (a, b) => order(worth(b), worth(a)) || byLoss(a, b)));
  }
  if (demands) best.add(first(all, isFeasible, byLoss));
  best.delete(-1);

  const relaxations = limits.flatMap((limit, place) => {
    // A price buys privacy; a demand that is let down buys less loss.
    const gain = (/** @type {number} */ at) =>
      limit.price ? privacy.reduce((most, worth) => Math.max(most, worth(at)), -Infinity) : -loss(at);
    const outside = (/** @type {number} */ at) => broken[at] === 1 && which[at] === place;
    return bought(view, limit, { gain, isFeasible, outside }).map((at) => ({ limit: limit.name, at }));
  });
  return { feasible, count: feasible.reduce((sum, one) => sum + one, 0), best: [...best], relaxations };
}

/**
 * The nearest solution beyond a limit that is better than anything within, and the best one within a small step.
 * @param {View} view
 * @param {Limit} limit
 * @param {{ gain: (at: number) => number, isFeasible: (at: number) => boolean, outside: (at: number) => boolean }} of
 */
function bought({ ids, fields }, limit, { gain, isFeasible, outside }) {
  const { values } = fields[limit.field];
  const distance = (/** @type {number} */ at) => beyond(limit, values[at] ?? Number.NaN);
  let have = -Infinity;
  for (let at = 0; at < ids.length; at++) if (isFeasible(at) && gain(at) > have) have = gain(at);
  const better = (/** @type {number} */ at) => outside(at) && values[at] !== null && gain(at) > have;
  const little = Math.max(limit.value * limit.little_share, limit.little_least);
  const near = (/** @type {number} */ at) => better(at) && distance(at) <= little * (1 + 1e-9);
  const byDistance = (/** @type {number} */ a, /** @type {number} */ b) => order(distance(a), distance(b));
  const byGain = (/** @type {number} */ a, /** @type {number} */ b) => order(gain(b), gain(a));
  const nearest = first(ids.length, better, (a, b) => byDistance(a, b) || byGain(a, b));
  // Of equals the last, as the library takes it.
  const step = first(ids.length, near, (a, b) => byGain(a, b) || byDistance(a, b) || -1);
  return [...new Set([nearest, step])].filter((at) => at >= 0);
}

/** A limit in words: "at most 25 % loss". @param {Field[]} fields @param {Limit} limit */
export const limitWords = (fields, { field, sentence, value }) =>
  sentence.replace("{}", showRound(fields[field].format, value));

/** A relaxed limit in words: "At 26.00 % loss". @param {Field[]} fields @param {Bound} bound @param {number} at */
export const roomWords = (fields, { field, room }, at) =>
  room.replace("{}", show(fields[field].format, fields[field].values[at]));
