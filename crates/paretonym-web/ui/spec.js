// @ts-check
// One column of a study: its role as one word, its kind, and how it may be coarsened. Changes keep it consistent.

import { fromNested, height, leaves } from "./tree.js";

/** @typedef {import("./types.d.ts").ColumnSpec} ColumnSpec */
/** @typedef {import("./types.d.ts").ProfiledColumn} ProfiledColumn */
/** @typedef {import("./types.d.ts").Study} Study */
/** @typedef {import("./types.d.ts").Kind} Kind */

/** Roles as one word each, and what becomes of the column. @type {[string, string, string][]} */
export const ROLES = [
  ["quasi", "quasi-identifying", "others may know it about a person: it is recoded"],
  ["sensitive", "sensitive", "nobody should learn it: released as it is, protected by l and t"],
  ["insensitive", "other", "released as it is; ask first who could know it about a person"],
  ["identifying", "identifying", "names a person: not released"],
  ["target", "target", "what analysts predict: released as it is, used by the loss"],
  ["quasi+target", "quasi-identifying and target", "recoded, and used by the loss"],
  ["sensitive+target", "sensitive and target", "protected, and used by the loss"],
  ["drop", "left out", "not released, and read for nothing"],
];

/** @type {[Kind, string][]} */
export const KINDS = [
  ["numeric", "numeric"],
  ["ordinal", "ordinal"],
  ["categorical", "categorical"],
];

/** @type {{ [recode: string]: string }} */
export const RECODES = {
  levels: "whole levels",
  cuts: "any cut through the tree",
  breaks: "breaks between neighbours",
};

/** @param {ColumnSpec | undefined} spec */
export const roleOf = (spec) => (spec ? [spec.role].flat().sort().join("+") : "drop");

/** What happens to rows with a missing value. @type {[string, string][]} */
export const ON_MISSING = [
  ["drop-row", "leave out every row with a missing value"],
  ["value", "keep them: “missing” is a value of its own"],
  ["error", "refuse the table"],
];

/** At least and at most how many rows have a missing value in a column that is used. @param {Study} study @param {import("./types.d.ts").Profile} profile */
export function incompleteRows(study, profile) {
  const used = profile.columns.filter(({ name }) =>
    ["quasi", "sensitive", "target"].some((role) => hasRole(specOf(study, name), /** @type {any} */ (role))),
  );
  const missing = used.map((column) => column.missing);
  return {
    least: Math.max(0, ...missing),
    most: Math.min(
      profile.rows,
      missing.reduce((sum, rows) => sum + rows, 0),
    ),
  };
}

/** @param {ColumnSpec | undefined} spec @param {import("./types.d.ts").Role} role */
export const hasRole = (spec, role) => !!spec && [spec.role].flat().includes(role);

/** @param {ColumnSpec | undefined} spec */
export const isQuasi = (spec) => hasRole(spec, "quasi");

/** @param {Study} study @param {string} name */
export const specOf = (study, name) => study.columns.find((column) => column.name === name);

/** Gives a column a role. @param {Study} study @param {ProfiledColumn} profile @param {string} role @param {string[]} order the columns as the table has them */
export function setRole(study, profile, role, order) {
  const spec = specOf(study, profile.name);
  const parts = /** @type {import("./types.d.ts").Role[]} */ (role.split("+"));
  const value = parts.length > 1 ? parts : parts[0];
  if (spec) {
    spec.role = value;
  } else {
    study.columns.push({ name: profile.name, role: value, kind: profile.kind ?? "categorical" });
    study.columns.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  }
  settle(/** @type {ColumnSpec} */ (specOf(study, profile.name)), profile);
}

/** Gives a column a kind; levels that do not fit it go. @param {ColumnSpec} spec @param {ProfiledColumn} profile @param {Kind} kind */
export function setKind(spec, profile, kind) {
  clearLevels(spec);
  delete spec.order;
  spec.kind = kind;
  if (kind === "categorical" && spec.recode === "breaks") spec.recode = "levels";
  settle(spec, profile);
}

/** Removes whatever makes the levels. @param {ColumnSpec} spec */
export function clearLevels(spec) {
  for (const key of /** @type {const} */ ([
    "widths",
    "groups",
    "hierarchy",
    "prefixes",
    "date_format",
    "taxonomy",
    "range",
    "granularity",
    "bins",
  ]))
    delete spec[key];
}

/** What a column of its kind and role must have. @param {ColumnSpec} spec @param {ProfiledColumn} profile */
function settle(spec, profile) {
  const kind = spec.kind ?? profile.kind ?? "categorical";
  const values = profile.values.map(([text]) => text);
  if (
    kind === "ordinal" &&
    !spec.order &&
    !spec.taxonomy &&
    spec.hierarchy !== "prefix" &&
    spec.hierarchy !== "dates" &&
    values.length === profile.distinct
  ) {
    spec.order = [...values].sort((a, b) => Number(a) - Number(b) || a.localeCompare(b, undefined, { numeric: true }));
  }
  if (!isQuasi(spec)) return;
  spec.recode ??= "levels";
  const made = spec.widths ?? spec.groups ?? spec.hierarchy ?? spec.taxonomy;
  if (made === undefined && kind !== "numeric") spec.hierarchy = "flat";
}

/** How a column may be coarsened, in a few words. @param {ColumnSpec} spec */
export function levelsInWords(spec) {
  if (spec.recode === "breaks") return "breaks between neighbours";
  const by = spec.recode === "cuts" ? "cuts through " : "";
  if (spec.widths) return `${by}intervals of ${spec.widths.join(", ")}`;
  if (spec.groups) return `${by}groups of ${spec.groups.join(", ")} neighbours`;
  if (spec.hierarchy === "prefix") return `${by}shorter and shorter prefixes`;
  if (spec.hierarchy === "dates") return `${by}day, month, quarter, year, decade`;
  if (spec.hierarchy === "flat") return "the value or *";
  if (typeof spec.taxonomy === "string") return `${by}the tree in ${spec.taxonomy.replace(/^.*[\\/]/, "")}`;
  if (spec.taxonomy) {
    const tree = fromNested(/** @type {import("./nested.d.ts").Nested} */ (spec.taxonomy));
    return `${by}a tree of ${height(tree) + 1} levels over ${leaves(tree).length} values`;
  }
  return "the value or *";
}
