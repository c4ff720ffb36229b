// @ts-check
// The publisher's question, answered in the browser by the rule of the library (front/choose.rs), so that it follows a
// moving limit. The server's answer confirms it once the limit rests.

import { show, showRound } from "./number.js";

/** @typedef {import("./types.d.ts").LimitName} LimitName */
/** @typedef {import("./types.d.ts").Limits} Limits */
/** @typedef {import("./fields.js").Fields} Fields */
/** @typedef {import("./fields.js").Field} Field */
/** @typedef {{ name: LimitName, field: Field, upper: boolean, words: string }} Bound */
/** @typedef {Bound & { value: number }} Limit */
/** @typedef {{ limit: LimitName, at: number }} Relaxed */
/** @typedef {{ feasible: Uint8Array, count: number, best: number[], relaxations: Relaxed[] }} Answer */

/** @type {[LimitName, string, boolean, string][]} */
const BOUNDS = [
  ["max_loss", "loss", true, "loss at most"],
  ["max_suppression", "sl", true, "suppressed at most"],
  ["min_k", "k", false, "k at least"],
  ["min_l", "l", false, "l at least"],
  ["max_t", "t", true, "t at most"],
];

/** What can be limited in a front. @param {Fields} fields @returns {Bound[]} */
export const bounds = (fields) =>
  BOUNDS.flatMap(([name, key, upper, words]) => {
    const field = fields.find(key);
    return field ? [{ name, field, upper, words }] : [];
  });

/** The limits that are set. @param {Bound[]} all @param {Limits} limits @returns {Limit[]} */
export const setLimits = (all, limits) =>
  all.flatMap((bound) => {
    const value = limits[bound.name];
    return value === undefined ? [] : [{ ...bound, value }];
  });

const isPrice = (/** @type {Bound} */ { name }) => name === "max_loss" || name === "max_suppression";

/** @param {Limit} limit @param {number} value how far it lies beyond the limit; negative within */
const beyond = (limit, value) => (limit.upper ? value - limit.value : limit.value - value);

/** @param {Limit} limit @param {number} at */
function holds(limit, at) {
  const value = limit.field.values[at];
  return value !== null && beyond(limit, value) <= 1e-12 * Math.max(Math.abs(limit.value), 1);
}

/**
 * The best within the limits, and for each limit the nearest relaxation that buys something and the best within a
 * small step.
 * @param {Fields} fields
 * @param {Limit[]} limits
 * @returns {Answer}
 */
export function choose(fields, limits) {
  const { count: all, ids, privacy } = fields;
  const loss = /** @type {number[]} */ (/** @type {Field} */ (fields.find("loss"))?.values ?? []);
  // How many limits each solution breaks, and which if it is one.
  const broken = new Uint8Array(all);
  const which = new Int8Array(all).fill(-1);
  limits.forEach((limit, place) => {
    for (let at = 0; at < all; at++) if (!holds(limit, at)) broken[at]++, (which[at] = place);
  });
  const feasible = new Uint8Array(all);
  let count = 0;
  for (let at = 0; at < all; at++) if (broken[at] === 0) (feasible[at] = 1), count++;

  const worth = (/** @type {{ field: Field, falls: boolean }} */ own, /** @type {number} */ at) =>
    (own.falls ? -1 : 1) * (own.field.values[at] ?? NaN);
  const first = (
    /** @type {(at: number) => boolean} */ among,
    /** @type {(a: number, b: number) => number} */ order,
  ) => {
    let best = -1;
    for (let at = 0; at < all; at++) if (among(at) && (best < 0 || order(at, best) < 0)) best = at;
    return best;
  };
  const isFeasible = (/** @type {number} */ at) => feasible[at] === 1;
  /** @type {number[]} */
  const best = [];
  const take = (/** @type {number} */ at) => at >= 0 && !best.includes(at) && best.push(at);
  const demands = limits.some((limit) => !isPrice(limit));
  if (limits.some(isPrice) || !demands) {
    for (const own of privacy)
      take(first(isFeasible, (a, b) => worth(own, b) - worth(own, a) || loss[a] - loss[b] || ids[a] - ids[b]));
  }
  if (demands) take(first(isFeasible, (a, b) => loss[a] - loss[b] || ids[a] - ids[b]));

  /** @type {Relaxed[]} */
  const relaxations = [];
  limits.forEach((limit, place) => {
    // A price buys privacy; a demand that is let down buys less loss.
    const gain = (/** @type {number} */ at) =>
      isPrice(limit) ? privacy.reduce((most, own) => Math.max(most, worth(own, at)), -Infinity) : -loss[at];
    const distance = (/** @type {number} */ at) => {
      const value = limit.field.values[at];
      return value === null ? Infinity : beyond(limit, value);
    };
    let have = -Infinity;
    for (let at = 0; at < all; at++) if (feasible[at]) have = Math.max(have, gain(at));
    const better = (/** @type {number} */ at) =>
      broken[at] === 1 && which[at] === place && limit.field.values[at] !== null && gain(at) > have;
    const little = limit.name === "min_k" || limit.name === "min_l" ? Math.max(limit.value * 0.1, 1) : 0.01;
    const nearest = first(better, (a, b) => compare(distance(a), distance(b)) || gain(b) - gain(a));
    const step = first(
      (at) => better(at) && distance(at) <= little * (1 + 1e-9),
      (a, b) => gain(b) - gain(a) || compare(distance(a), distance(b)) || -1,
    );
    for (const at of new Set([nearest, step])) if (at >= 0) relaxations.push({ limit: limit.name, at });
  });
  return { feasible, count, best, relaxations };
}

const compare = (/** @type {number} */ a, /** @type {number} */ b) => (a < b ? -1 : a > b ? 1 : 0);

/** A limit in words: "at most 25 % loss". @param {Limit} limit */
export function limitWords({ name, field, value }) {
  const text = showRound(field.kind, value);
  switch (name) {
    case "max_loss":
      return field.kind === "share" ? `at most ${text} loss` : `a loss of at most ${text}`;
    case "max_suppression":
      return `at most ${text} suppressed`;
    case "min_k":
      return `k at least ${text}`;
    case "min_l":
      return `l at least ${text}`;
    default:
      return `t at most ${text}`;
  }
}

/** A relaxed limit in words: "At 26.00 % loss". @param {Bound} bound @param {number} at */
export function roomWords({ name, field }, at) {
  const text = show(field.kind, field.values[at]);
  switch (name) {
    case "max_loss":
      return field.kind === "share" ? `At ${text} loss` : `At a loss of ${text}`;
    case "max_suppression":
      return `At ${text} suppressed`;
    default:
      return `At ${field.label} = ${text}`;
  }
}

/** @param {string} words */
export const capital = (words) => (/^[klt] /.test(words) ? words : words[0].toUpperCase() + words.slice(1));

/**
 * The limits that a front opens with: a quarter of loss where that buys some privacy, else a usual k, else a k at all.
 * @param {Fields} fields
 * @returns {Limits}
 */
export function openingLimits(fields) {
  const all = bounds(fields);
  const k = fields.find("k");
  /** @type {Limits[]} */
  const tries = [...(fields.find("loss")?.kind === "share" ? [{ max_loss: 0.25 }] : []), { min_k: 5 }, { min_k: 2 }];
  const protects = (/** @type {Limits} */ limits) => {
    const { best } = choose(fields, setLimits(all, limits));
    return best.length > 0 && (k?.values[best[0]] ?? 0) >= 3;
  };
  return tries.find(protects) ?? tries.find((limits) => choose(fields, setLimits(all, limits)).count > 0) ?? {};
}
