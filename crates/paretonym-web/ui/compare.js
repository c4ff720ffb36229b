// @ts-check
// Pinned solutions, and releases of other tools, side by side: the verdict, every comparator, and values per row.

import * as api from "./api.js";
import { curvesChart } from "./charts.js";
import { badge, button, fill, loading, make, say, select, trouble } from "./dom.js";
import { number, percent } from "./number.js";
import { safeName } from "./start.js";
import { front, memory, remember, togglePin } from "./state.js";

/** @typedef {import("./types.d.ts").Compared} Compared */
/** @typedef {{ dominance: string[][], mean: number[], notes?: string[], [comparator: string]: unknown }} PropertyIndices */
/**
 * As `compare --json` prints it.
 * @typedef {{ releases: string[], properties: { [name: string]: PropertyIndices }, notes?: string[],
 *   sets: { dominance: string[][] | null, preferred: { [name: string]: number[][] } | null, [name: string]: unknown } }} Comparison
 */

/** So many solutions can be chosen from a list. */
const MOST_LISTED = 500;

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

/** Shows the page anew. */
const again = () => dispatchEvent(new HashChangeEvent("hashchange"));

/** @type {import("./main.js").View} */
export async function show({ page, parts: [run], still }) {
  const [own, info] = await Promise.all([front(run), api.runInfo(run)]);
  if (!still()) return;
  const { pinned, files } = memory(run);
  const place = make("div", { id: "compared", "aria-live": "polite" });
  const compare = async (/** @type {string} */ column) => {
    fill(place, loading("Comparing row by row…"));
    try {
      const compared = await api.compare(run, { solutions: pinned, files, ...(column ? { id: column } : {}) });
      if (still()) fill(place, ...results(compared));
    } catch (error) {
      if (still()) fill(place, trouble(error, "These cannot be compared"));
    }
  };
  const columns = info.study?.columns ?? [];
  const ids = columns.filter(({ role }) => [role].flat().includes("identifying")).map(({ name }) => name);
  /** @type {[string, string][]} */
  const ways = [["", "their order"], ...ids.map((id) => /** @type {[string, string]} */ ([id, id]))];
  const idColumn = make(
    "label",
    { class: "check" },
    "Rows are told apart by ",
    select(ways, "", compare, { id: "id-column" }),
  );
  const lead =
    "Two releases can have the same k and treat people differently. Pin solutions, or add a release that another tool made of the same table.";
  fill(
    page,
    make(
      "header",
      { class: "head" },
      make("div", {}, make("h1", { text: "Compare, person by person" }), make("p", { class: "lead", text: lead })),
    ),
    chips(own, run),
    files.length ? idColumn : null,
    place,
  );
  if (pinned.length + files.length >= 2) compare("");
  else fill(place, tooFew(run, pinned.length + files.length));
}

/** What to do where there is nothing to compare. @param {string} run @param {number} count */
const tooFew = (run, count) =>
  make(
    "p",
    { class: "empty" },
    `Pin ${count ? "one more solution" : "two solutions"} to compare: in the list above, or `,
    make("a", { href: `#/run/${encodeURIComponent(run)}`, text: "in the front" }),
    ".",
  );

/** What is compared, and what could be. @param {import("./view.js").FrontView} own @param {string} run */
function chips(own, run) {
  const { pinned, files } = memory(run);
  const chip = (/** @type {string} */ words, /** @type {string | null} */ href, /** @type {() => void} */ drop) => {
    const leave = () => {
      drop();
      again();
    };
    return make(
      "li",
      { class: "chip" },
      href ? make("a", { href, text: words }) : words,
      button("×", leave, { class: "none", label: `Leave out ${words}` }),
    );
  };
  const without = (/** @type {string} */ file) => remember(run, { files: files.filter((one) => one !== file) });
  const address = (/** @type {number} */ id) => `#/run/${encodeURIComponent(run)}/solution/${id}`;
  return make(
    "ul",
    { class: "chips" },
    ...pinned.map((id) => chip(`solution ${id}`, address(id), () => togglePin(run, id))),
    ...files.map((file) => chip(file, null, () => without(file))),
    make("li", {}, addSolution(own, run)),
    make(
      "li",
      {},
      make("label", { class: "button", for: "other", text: "Add a release of another tool" }),
      addFile(run),
    ),
  );
}

/** @param {import("./view.js").FrontView} own @param {string} run */
function addSolution(own, run) {
  const { pinned } = memory(run);
  const others = own.ids.map((id, at) => ({ id, at })).filter(({ id }) => !pinned.includes(id));
  const line = (/** @type {number} */ at) =>
    own
      .line(at)
      .map(([text]) => text)
      .join(", ");
  /** @type {[string, string][]} */
  const choices = others.slice(0, MOST_LISTED).map(({ id, at }) => [String(id), `${id}: ${line(at)}`]);
  const chosen = (/** @type {string} */ value) => {
    if (value === "") return;
    togglePin(run, Number(value));
    again();
  };
  return select([["", "add a solution…"], ...choices], "", chosen, { label: "Add a solution", id: "add" });
}

/** @param {string} run */
function addFile(run) {
  const input = make("input", { type: "file", id: "other", class: "file", accept: ".csv,.tsv,.txt,.parquet" });
  input.addEventListener("change", async () => {
    const file = input.files?.[0];
    if (!file) return;
    try {
      const taken = await api.upload(safeName(file.name), file);
      remember(run, { files: [...new Set([...memory(run).files, taken.name])] });
      again();
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  });
  return input;
}

/** @param {Compared} compared */
function results({ comparison: compared, verdict, curves }) {
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
