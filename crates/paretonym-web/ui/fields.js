// @ts-check
// The numbers of a front laid out by name, with the words of the report.

import { counted, number, percent, show, showRound } from "./number.js";

/** @typedef {import("./types.d.ts").Front} Front */
/**
 * One number that every solution has.
 * @typedef {{ key: string, label: string, meaning: string, kind: import("./number.js").Show, values: (number | null)[] }} Field
 */

/** @type {[string, import("./number.js").Show, string, string][]} */
const KNOWN = [
  ["k", "number", "k", "rows of the smallest group: each row shares its quasi values with at least k − 1 others"],
  ["loss", "share", "loss", "loss of the released table, suppressed rows included"],
  ["gl", "share", "GL", "general loss of the kept rows"],
  ["sl", "share", "SL", "share of rows suppressed"],
  ["weighted_k", "number", "weighted k", "mean over rows of the size of their group, before suppression"],
  ["l", "number", "l", "least diversity of the sensitive columns within a group"],
  ["t", "number", "t", "largest distance between a group's sensitive values and the table's"],
  ["necd", "number", "NECD", "largest minus smallest group, over rows − 1"],
  ["suppressed", "number", "suppressed", "rows suppressed"],
  [
    "left_out",
    "share",
    "left out in all",
    "share of all rows of the table that are suppressed or have a missing value: none is released",
  ],
  ["groups", "number", "groups", "groups kept"],
  ["alternatives", "number", "alternatives", "other recodings that reach the same objectives"],
];

/** What l is called: the form by frequency is a whole number, which 1.75 does not reach 2 in. @param {Front} front */
const lLabel = (front) => {
  const form =
    [front.privacy]
      .flat()
      .map((name) => /^([a-z]+)-l\b/.exec(name)?.[1])
      .find(Boolean) ?? "frequency";
  return form === "frequency" ? "l (frequency, rounded down)" : `l (${form})`;
};

const PRICES = ["loss", "gl", "sl"];
/** Whether a loss lies between 0 and 1. @param {string} loss */
const isNormalized = (loss) => !loss.startsWith("discernibility") && !loss.startsWith("average-class");
/** Group sizes spread over orders of magnitude; other levels do not. @param {string} key */
export const isLog = (key) => ["k", "weighted_k"].includes(key.replace(/^objective /, ""));

/**
 * What a release leaves out, whatever the reason: rows of small groups, and rows that never were in the study because a value
 * was missing. @param {{ rows: number, dropped?: number }} front @param {{ suppressed: number | null }} solution
 * How many rows a solution suppresses is not known before it is measured.
 */
export function leftOut({ rows, dropped = 0 }, { suppressed }) {
  if (suppressed === null) return { share: null, words: "what is left out is not measured yet" };
  const [all, total] = [rows + dropped, suppressed + dropped];
  const share = total / Math.max(all, 1);
  const ofAll = `${number(total)} of ${number(all)} (${percent(share)})`;
  const words =
    total === 0
      ? `all ${number(all)} rows stay`
      : dropped === 0
        ? `${counted(suppressed, "row")} suppressed: ${ofAll}`
        : `${suppressed ? `${counted(suppressed, "row")} suppressed and` : "no row suppressed,"} ${number(dropped)} with missing values left out: ${ofAll}`;
  return { share, words };
}

/** A front with its numbers laid out by name. */
export class Fields {
  /** @param {Front} front */
  constructor(front) {
    this.front = front;
    this.ids = front.solutions.map((solution) => solution.id);
    /** @type {Map<number, number>} */
    this.places = new Map(this.ids.map((id, at) => [id, at]));
    /** @type {Field[]} */
    this.list = [];
    for (const [key, kind, label, meaning] of KNOWN) {
      const values =
        key === "left_out"
          ? front.solutions.map((solution) => (front.dropped ? leftOut(front, solution).share : null))
          : front.solutions.map((solution) => /** @type {number | null} */ (solution[key] ?? null));
      if (!values.some((value) => value !== null)) continue;
      const raw = key === "loss" && !isNormalized(front.loss);
      const words =
        key === "loss" || (key === "gl" && front.problem === "any-suppression")
          ? `${front.loss} ${meaning.replace(/^general /, "")}`
          : meaning;
      this.list.push({
        key,
        kind: raw ? "number" : kind,
        label: key === "l" ? lLabel(front) : label,
        meaning: words,
        values,
      });
    }
    /** The field of each objective. @type {Field[]} */
    this.objectives = front.objectives.map(({ name }, at) => {
      const values = front.solutions.map((solution) => solution.objectives[at] ?? null);
      const same = this.find(name);
      if (same && values.every((value, i) => near(value, same.values[i]))) return same;
      const words = name.replaceAll("_", " ");
      const field = {
        key: `objective ${name}`,
        kind: same?.kind ?? "number",
        label: same ? `${words} (objective)` : words,
        meaning: name.startsWith("weighted_")
          ? `mean over rows of ${name.slice(9)} of their group, before suppression`
          : `level in the study's privacy model, ${[front.privacy].flat().join(", ")}`,
        values,
      };
      this.list.push(field);
      return field;
    });
    /** The objectives that stand for privacy: all that are not a loss. */
    this.privacy = front.objectives.flatMap(({ name, sense }, at) =>
      PRICES.includes(name) ? [] : [{ field: this.objectives[at], falls: sense === "min" }],
    );
  }

  get count() {
    return this.ids.length;
  }

  /** @param {string} key */
  find(key) {
    return this.list.find((field) => field.key === key);
  }

  /** Whether smaller values are better. @param {Field} field */
  falls(field) {
    const at = this.objectives.indexOf(field);
    return at >= 0
      ? this.front.objectives[at].sense === "min"
      : ["loss", "gl", "sl", "t", "suppressed", "left_out", "necd"].includes(field.key);
  }

  /** The fields that tell a solution from others in one line: privacy first, then what it costs. */
  telling() {
    const suppresses = this.front.solutions.some((solution) => (solution.suppressed ?? 0) > 0);
    const rest = ["k", "loss", ...(suppresses ? ["sl"] : []), "left_out"].flatMap((key) => this.find(key) ?? []);
    return [...new Set([...this.privacy.map(({ field }) => field), ...rest])];
  }

  /** The pairs of fields to plot: the one that stands for a front, and those of further objectives. @returns {[Field, Field][]} */
  pairs() {
    if (this.objectives.length > 2)
      return this.objectives.flatMap((x, at) =>
        this.objectives.slice(at + 1).map((y) => /** @type {[Field, Field]} */ ([x, y])),
      );
    const price = this.objectives.find((field) => !this.privacy.some((own) => own.field === field));
    const k = /** @type {Field} */ (this.find("k"));
    return [[this.privacy[0]?.field ?? k, price ?? this.objectives[1] ?? this.find("loss") ?? k]];
  }

  /** The label of an axis. @param {Field} field */
  axis({ key, label }) {
    const { loss } = this.front;
    const words = {
      k: "k: rows in the smallest group",
      loss: `loss (${loss})`,
      gl: `GL: loss of the kept rows (${loss})`,
      sl: "SL: rows suppressed",
      weighted_k: "weighted k: mean group size over rows",
      l: `${label}: least diversity of a group`,
      t: "t: largest distance from the table",
    }[key];
    return (words ?? label) + (isLog(key) ? ", log scale" : "");
  }

  /** What was traded, in one sentence. */
  headline() {
    const words = (/** @type {string} */ name) =>
      ({
        k: "the size of the smallest group (k)",
        l: "the diversity of sensitive values (l)",
        t: "the distance of sensitive values from the table (t)",
        weighted_k: "the mean group size of a row (weighted k)",
        loss: `information loss (${this.front.loss})`,
        gl: `information loss of the kept rows (${this.front.loss})`,
        sl: "the share of suppressed rows",
      })[name] ?? name.replaceAll("_", " ");
    const side = (/** @type {boolean} */ price) =>
      this.front.objectives
        .filter(({ name }) => PRICES.includes(name) === price)
        .map(({ name }) => words(name))
        .join(" and ");
    const traded = [side(false), side(true)].filter(Boolean).join(" against ");
    const { problem, eta, exact, rows, dropped } = this.front;
    const suppression =
      problem === "zero-suppression"
        ? "; no row is suppressed"
        : eta !== undefined && eta !== null
          ? `; at most ${showRound("share", eta)} of the rows may be suppressed`
          : "";
    const rivals = exact
      ? "no other recoding beats"
      : this.count === 1
        ? "no other recoding that was tried beats"
        : "none of the recodings tried beats";
    const solutions =
      this.count === 0 ? "No solution" : this.count === 1 ? "One solution" : counted(this.count, "solution");
    const missing = dropped
      ? `. ${number(dropped)} more rows of the table, ${percent(dropped / (rows + dropped))} of it, are left out of every release because a value is missing`
      : "";
    return `${solutions} that ${rivals}: ${traded}, on ${number(rows)} rows${suppression}${missing}.`;
  }

  /** How far the result can be trusted: a look, and the sentence. @returns {[string, string]} */
  trust() {
    const { exact, complete, space } = this.front;
    if (exact)
      return [
        "sure",
        `Exact: proven to be the whole Pareto front of ${space === null ? "the" : `the ${number(space)}`} candidates.`,
      ];
    if (complete) return ["found", "The best that the search found; not proven to be the whole Pareto front."];
    return [
      "partial",
      "The search ended before it was done, by an interruption or a spent budget: better solutions may exist.",
    ];
  }

  /** How it was computed. @returns {[string, string][]} */
  facts() {
    const front = this.front;
    const dropped = front.dropped
      ? ` of ${number(front.rows + front.dropped)} (${number(front.dropped)} left out for missing values)`
      : "";
    const eta = front.eta ?? null;
    return [
      ["Rows", number(front.rows) + dropped],
      ["Distinct quasi tuples", number(front.distinct)],
      ["Problem", front.problem + (front.cutoffs ? ` (cut-offs: ${front.cutoffs})` : "")],
      ...(eta === null ? [] : [/** @type {[string, string]} */ (["Suppression budget", showRound("share", eta)])]),
      ["Privacy", [front.privacy].flat().join(", ")],
      ["Loss", front.loss],
      ["Optimizer", front.optimizer],
      [
        "Evaluated",
        front.space === null
          ? `${number(front.evaluated)} recodings of more than 2⁶³`
          : `${number(front.evaluated)} of ${number(front.space)} recodings`,
      ],
      ["Time", `${number(front.seconds)} s`],
      ["Seed", String(front.seed)],
    ];
  }

  /** "k = 14, loss 24.80 %": the parts of a line, privacy marked. @param {number} at @returns {[string, boolean][]} */
  line(at) {
    return this.telling().map((field) => {
      const isPrivacy = this.privacy.some((own) => own.field === field);
      return [
        `${field.label}${isPrivacy || field.key === "k" ? " =" : ""} ${show(field.kind, field.values[at])}`,
        isPrivacy,
      ];
    });
  }
}

/** @param {number | null} a @param {number | null} b */
const near = (a, b) => a !== null && b !== null && Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), 1);

/** What a recoding does to a column, in words. @param {import("./types.d.ts").Recoded | number | undefined} recoded */
export function recodingWords(recoded) {
  if (recoded === undefined || typeof recoded === "number")
    return recoded === undefined ? "–" : counted(recoded, "region");
  if (recoded.level !== undefined) return recoded.level === 0 ? "level 0, as it is" : `level ${recoded.level}`;
  if (recoded.cut) return recoded.cut.join(" | ");
  if (recoded.breaks)
    return recoded.breaks.map((set) => (set.length > 1 ? `${set[0]} … ${set[set.length - 1]}` : set[0])).join(" | ");
  return "–";
}
