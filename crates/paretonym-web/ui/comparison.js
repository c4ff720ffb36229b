// @ts-check
// The result of a comparison: the verdict, every comparator, and values per row.

import { curvesChart } from "./charts.js";
import { badge, make } from "./dom.js";
import { number, percent } from "./number.js";

/** @typedef {import("./types.d.ts").Compared} Compared */
/** @typedef {{ dominance: string[][], mean: number[], notes?: string[], [comparator: string]: unknown }} PropertyIndices */
/**
 * As `compare --json` prints it.
 * @typedef {{ releases: string[], properties: { [name: string]: PropertyIndices }, notes?: string[],
 *   sets: { dominance: string[][] | null, preferred: { [name: string]: number[][] } | null, [name: string]: unknown } }} Comparison
 */

/** Properties in words. @param {string} name */
const propertyWords = (name) =>
  ({
    "group-size": "size of a row's group",
    utility: "detail kept of a row (utility)",
    l: "diversity of a row's group (l)",
    t: "closeness of a row's group to the table (−t)",
  })[name] ?? name.replace(/^sensitive-count:/, "rows in the group with one's own value of ");

/** @param {string} name */
const shortWords = (name) =>
  ({ "group-size": "rows in the group", utility: "utility", l: "l of the group", t: "−t of the group" })[name] ??
  "rows with one's own value";

/** @type {{ [name: string]: string }} */
const COMPARATORS = {
  cov: "coverage: share of rows at least as well off",
  spr: "spread: by how much, added up",
  hv: "hypervolume: by how much, multiplied",
  rank: "distance from the best of all; smaller is better",
  mean: "mean over rows",
  dominance: "better for everybody, for nobody, or neither",
  min: "the worst-off row",
  better: "share of rows strictly better off",
  wtd: "weighted coverage over all properties",
  lex: "the first property that tells them apart",
  goal: "distance from the goal over all properties; smaller is better",
};

/** All of it. @param {Compared} compared */
export function comparisonResults({ comparison: compared, verdict, curves }) {
  const comparison = /** @type {Comparison} */ (compared);
  const { releases } = comparison;
  const legend = make(
    "p",
    { class: "legend" },
    ...releases.map((release, at) =>
      make("span", {}, make("span", { class: `stroke c${at % 6}`, "aria-hidden": "true" }), release),
    ),
  );
  return [
    make(
      "section",
      { class: "verdict", label: "Verdict" },
      make("h2", { text: "Verdict" }),
      ...verdict.map((sentence) => {
        const parts = sentence.replace(/\.$/, "").split("; ");
        return parts.length < 3
          ? make("p", { text: sentence })
          : make("ul", {}, ...parts.map((text) => make("li", { text })));
      }),
    ),
    ...(comparison.notes ?? []).map((note) => make("p", { class: "soft", text: note })),
    make("section", {}, make("h2", { text: "All properties together" }), setsTable(comparison)),
    ...Object.entries(comparison.properties).map(([property, indices]) =>
      make(
        "section",
        { class: "property", "data-property": property },
        make("h2", { text: propertyWords(property) }),
        make(
          "div",
          { class: "two" },
          make(
            "div",
            {},
            ...(curves[property]
              ? [
                  legend.cloneNode(true),
                  curvesChart(curves[property], property, propertyWords(property), shortWords(property)),
                ]
              : []),
          ),
          make(
            "div",
            {},
            indicesTable(releases, indices),
            ...(indices.notes ?? []).map((note) => make("p", { class: "soft", text: note })),
          ),
        ),
      ),
    ),
  ];
}

/** A number of the comparison. @param {string} name @param {unknown} value */
const cell = (name, value) =>
  typeof value === "number"
    ? make("td", {
        class: "num",
        text: name === "better" ? percent(value) : number(value),
        title: String(value),
        "data-value": value,
      })
    : make("td", { text: String(value ?? "–") });

/** A line for each comparator, a column for each release against each other. @param {string[]} releases @param {{ [name: string]: unknown }} indices */
function indicesTable(releases, indices) {
  const names = [
    "mean",
    ...Object.keys(indices).filter((name) => !["notes", "mean", "dominance", "sorted"].includes(name)),
    "dominance",
  ];
  const pairs = releases.flatMap((_, i) => releases.flatMap((__, j) => (i === j ? [] : [{ i, j }])));
  const value = (/** @type {string} */ name, /** @type {number} */ i, /** @type {number} */ j) => {
    const row = /** @type {unknown[]} */ (indices[name] ?? [])[i];
    return Array.isArray(row) ? row[j] : row;
  };
  return make(
    "div",
    { class: "sheet" },
    make(
      "table",
      { class: "indices" },
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          make("th", { scope: "col", text: "comparator" }),
          ...pairs.map(({ i, j }) =>
            make(
              "th",
              { scope: "col", class: "num" },
              releases[i],
              make("span", { class: "against", text: `against ${releases[j]}` }),
            ),
          ),
        ),
      ),
      make(
        "tbody",
        {},
        ...names.map((name) =>
          make(
            "tr",
            { "data-comparator": name },
            make("th", { scope: "row" }, name, make("span", { class: "meaning", text: COMPARATORS[name] ?? "" })),
            ...pairs.map(({ i, j }) => {
              const own = cell(name, value(name, i, j));
              own.classList.add("num");
              own.dataset.pair = `${i},${j}`;
              return own;
            }),
          ),
        ),
      ),
    ),
  );
}

/** @param {Comparison} comparison */
function setsTable({ releases, sets }) {
  const names = Object.keys(sets).filter((name) => !["dominance", "preferred"].includes(name));
  const verdictOf = (/** @type {string} */ name, /** @type {number} */ i, /** @type {number} */ j) =>
    sets.preferred?.[name]?.[i]?.[j] === 1 ? badge("preferred", "good") : null;
  return make(
    "div",
    { class: "sheet" },
    make(
      "table",
      { class: "indices" },
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          make("th", { scope: "col", text: "release" }),
          make("th", { scope: "col", text: "against" }),
          ...names.map((name) =>
            make("th", { scope: "col", class: "num", text: name, title: COMPARATORS[name] ?? "" }),
          ),
          make("th", { scope: "col", text: "dominance" }),
        ),
      ),
      make(
        "tbody",
        {},
        ...releases.flatMap((release, i) =>
          releases.flatMap((other, j) =>
            i === j
              ? []
              : [
                  make(
                    "tr",
                    { "data-i": i, "data-j": j },
                    make("th", { scope: "row", text: release }),
                    make("td", { text: other }),
                    ...names.map((name) => {
                      const own = cell(name, /** @type {number[][] | null} */ (sets[name])?.[i]?.[j]);
                      const mark = verdictOf(name, i, j);
                      if (mark) own.append(" ", mark);
                      return own;
                    }),
                    make("td", { text: sets.dominance?.[i]?.[j] ?? "–" }),
                  ),
                ],
          ),
        ),
      ),
    ),
  );
}
