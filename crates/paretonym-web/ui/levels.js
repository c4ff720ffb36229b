// @ts-check
// Ways to make the levels of a column, and what each of them asks for.

import { clearLevels } from "./spec.js";

/** @typedef {import("./types.d.ts").ColumnSpec} ColumnSpec */
/** @typedef {import("./types.d.ts").ProfiledColumn} ProfiledColumn */
/** @typedef {import("./types.d.ts").Kind} Kind */

/** How levels can be made: its name, words, for which kinds, what it asks for. @type {[string, string, string[], string][]} */
const METHODS = [
  ["widths", "intervals of these widths", ["numeric"], "5, 10, 20"],
  ["quantiles", "bins with about equally many rows", ["numeric"], "how many"],
  ["groups", "groups of so many neighbours", ["numeric", "ordinal"], "2, 4"],
  ["prefix", "shorter and shorter prefixes", ["categorical", "ordinal"], ""],
  ["dates", "day, month, quarter, year, decade", ["categorical", "ordinal"], ""],
  ["flat", "the value or *", ["categorical", "ordinal", "numeric"], ""],
  ["tree", "a tree edited here", ["categorical", "ordinal"], ""],
];

/** The ways for a kind of column, with words. @param {Kind} kind @returns {[string, string][]} */
export const methodsFor = (kind) =>
  METHODS.filter(([, , kinds]) => kinds.includes(kind)).map(([name, words]) => [name, words]);

/** What a way asks for; nothing where it needs no parameter. @param {string} method */
export const askedBy = (method) => METHODS.find(([name]) => name === method)?.[3] ?? "";

/** @param {ColumnSpec} spec */
export function methodOf(spec) {
  if (spec.taxonomy) return "tree";
  if (spec.widths) return "widths";
  if (spec.groups) return "groups";
  return spec.bins ? "quantiles" : (spec.hierarchy ?? "flat");
}

/** @param {string} text */
export const numbersIn = (text) =>
  text
    .split(/[;,\s]+/)
    .filter(Boolean)
    .map(Number)
    .filter(Number.isFinite);

/** Interval widths that suit the numbers of a column, by the rule that drafts a study. @param {ProfiledColumn} column */
function guessWidths(column) {
  const values = column.values.map(([text]) => Number(text)).filter(Number.isFinite);
  const range = Math.max(...values) - Math.min(...values);
  if (!(range > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(range / 15));
  const whole = values.every(Number.isInteger);
  const first = [1, 2, 5, 10].map((digit) => digit * power).find((width) => width >= range / 15) ?? 1;
  /** @type {number[]} */
  const widths = [];
  for (let width = whole ? Math.max(first, 2) : first; width <= range / 3; width *= 2) widths.push(width);
  return widths;
}

/** The parameter that a column has for a way, or one to propose. @param {string} method @param {ColumnSpec} spec @param {ProfiledColumn} column */
export function parameterText(method, spec, column) {
  switch (method) {
    case "widths":
      return (spec.widths?.length ? spec.widths : guessWidths(column)).join(", ");
    case "groups":
      return (spec.groups?.length ? spec.groups : [2, 4]).join(", ");
    case "quantiles":
      return String(spec.bins ?? 8);
    default:
      return "";
  }
}

/**
 * Writes generated levels into a column.
 * @param {ColumnSpec} spec @param {string} method @param {number[]} given its parameter
 * @param {number[]} bins from, to and width, or nothing @param {Kind} kind
 */
export function setLevels(spec, method, given, [low, high, step], kind) {
  const written = spec.date_format;
  clearLevels(spec);
  if (step !== undefined) {
    spec.range = [low, high];
    spec.granularity = step;
  }
  if (method === "widths" && given.length) spec.widths = given;
  else if (method === "groups" && given.length) spec.groups = given;
  else if (method === "quantiles" && given[0]) spec.bins = given[0];
  else if (method === "prefix" || method === "dates") spec.hierarchy = method;
  else if (method === "flat" && kind !== "numeric") spec.hierarchy = "flat";
  if (method === "dates" && written) spec.date_format = written;
}

/** The keys of the study that make the levels are the parameters of the method. @param {string} method @param {ColumnSpec} spec */
export function parametersOf(method, { widths, groups, bins, range, granularity, order }) {
  if (method === "widths") return { widths: widths ?? [], range, granularity };
  if (method === "groups") return { groups: groups ?? [], order };
  return method === "quantiles" ? { bins } : {};
}
