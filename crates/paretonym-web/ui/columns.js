// @ts-check
// The columns of a table: guessed kinds and roles to correct, how each may be coarsened, what to trade, and the start.

import * as api from "./api.js";
import { badge, button, fill, loading, make, select, trouble } from "./dom.js";
import { modelsForm } from "./models.js";
import { counted, number, percent } from "./number.js";
import {
  hasRole,
  incompleteRows,
  isQuasi,
  KINDS,
  levelsInWords,
  ON_MISSING,
  ROLES,
  roleOf,
  setKind,
  setRole,
  specOf,
} from "./spec.js";
import { catalog, draft, forgetDraft } from "./state.js";
import { editTaxonomy } from "./taxonomy.js";

/** @typedef {import("./types.d.ts").ProfiledColumn} ProfiledColumn */
/** @typedef {import("./state.js").Draft} Draft */

/** @type {import("./main.js").View} */
export async function show({ page, parts: [table], query, still }) {
  fill(page, make("h1", { text: table }), loading("Profiling the columns…"));
  const [own, entries] = await Promise.all([draft(table, query.get("from") ?? undefined), catalog()]);
  if (!still()) return;
  const { study, profile } = own;

  const said = make("div", { class: "start-said" });
  const summary = make("span", { class: "soft", id: "summary" });
  const start = button(
    "Find the front",
    async () => {
      start.disabled = true;
      fill(said, loading("Starting…"));
      try {
        const { name } = await api.startRun(table, study);
        location.hash = `#/run/${encodeURIComponent(name)}`;
      } catch (error) {
        fill(said, trouble(error, "The study does not fit the table"));
        start.disabled = false;
      }
    },
    { class: "primary big", id: "start" },
  );

  const body = make("tbody", {});
  const missing = make("section", { class: "missing", label: "Missing values" });
  const models = make("section", { class: "models", "aria-labelledby": "models-title" });
  /** What follows from the roles. */
  const refresh = () => {
    const quasi = study.columns.filter(isQuasi).length;
    const sensitive = study.columns.filter((spec) => hasRole(spec, "sensitive")).length;
    summary.textContent = `${number(quasi)} quasi-identifying, ${number(sensitive)} sensitive`;
    start.disabled = quasi === 0;
    fill(
      said,
      quasi === 0
        ? make("p", {
            class: "warn",
            text: "There is nothing to recode yet: give at least one column the role quasi-identifying.",
          })
        : null,
    );
    fill(missing, ...missingChoice(own, refresh));
    fill(models, make("h2", { id: "models-title", text: "What to trade" }), modelsForm(study, entries, refresh));
  };
  const drawRow = (/** @type {ProfiledColumn} */ column) => {
    const row = columnRow(own, column, () => {
      // What was just changed keeps the focus.
      const at = row.contains(document.activeElement) ? document.activeElement?.getAttribute("data-part") : null;
      const again = drawRow(column);
      row.replaceWith(again);
      if (at) /** @type {HTMLElement | null} */ (again.querySelector(`[data-part=${at}]`))?.focus();
      refresh();
    });
    return row;
  };
  for (const column of profile.columns) body.append(drawRow(column));
  refresh();
  fill(
    page,
    make(
      "header",
      { class: "head" },
      make(
        "div",
        {},
        make("h1", { text: table }),
        make("p", {
          class: "lead",
          text: `${counted(profile.rows, "row")}, ${counted(profile.columns.length, "column")}. The kinds and roles below are guesses; the roles decide everything, so check each.`,
        }),
      ),
      make("div", { class: "go down" }, start, summary),
    ),
    said,
    columnsTable(body),
    missing,
    models,
    make(
      "p",
      { class: "foot" },
      button("Forget my changes", () => forget(table), { class: "quiet" }),
    ),
  );
}

/** Starts again from what the server guesses. @param {string} table */
function forget(table) {
  forgetDraft(table);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** @param {HTMLElement} body */
function columnsTable(body) {
  const heads = ["Column", "Role", "Kind", "Values", "Most frequent", "May be coarsened to"];
  const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col", text })));
  return make("div", { class: "sheet" }, make("table", { class: "columns" }, make("thead", {}, head), body));
}

/** What happens to rows with missing values, and how many that are. @param {Draft} own @param {() => void} changed */
function missingChoice({ study, profile }, changed) {
  if (!profile.columns.some((column) => column.missing)) return [];
  const { least, most } = incompleteRows(study, profile);
  const chosen = String(study.data.on_missing ?? "drop-row");
  const share = (/** @type {number} */ rows) => `${number(rows)} (${percent(rows / Math.max(profile.rows, 1))})`;
  const rows = least === most ? share(most) : `${share(least)} to ${share(most)}`;
  const lost =
    most === 0
      ? "No row has a missing value in a column that is used."
      : `${rows} of ${counted(profile.rows, "row")} have a missing value in a column that is used: ${chosen === "drop-row" ? "no release will hold them." : chosen === "value" ? "they stay." : "the search will not start."}`;
  const picked = select(
    ON_MISSING,
    chosen,
    (value) => {
      study.data.on_missing = /** @type {import("./types.d.ts").OnMissing} */ (value);
      changed();
      document.getElementById("on-missing")?.focus();
    },
    { id: "on-missing", label: "Rows with missing values" },
  );
  return [
    make("label", {}, make("b", { text: "Rows with missing values " }), picked),
    make("p", {
      class: chosen === "drop-row" && most > 0.01 * profile.rows ? "warn" : "soft",
      id: "missing-rows",
      text: lost,
    }),
  ];
}

/** @param {Draft} own @param {ProfiledColumn} column @param {() => void} changed */
function columnRow({ table, study, profile }, column, changed) {
  const spec = specOf(study, column.name);
  const role = roleOf(spec);
  const names = profile.columns.map(({ name }) => name);
  const known = ROLES.some(([value]) => value === role);
  const meaning = ROLES.find(([value]) => value === role)?.[2] ?? "";
  const roles = select(
    [
      ...ROLES.map(([value, words]) => /** @type {[string, string]} */ ([value, words])),
      ...(known ? [] : [/** @type {[string, string]} */ ([role, role])]),
    ],
    role,
    (value) => {
      setRole(study, column, value, names);
      changed();
    },
    { label: `Role of ${column.name}`, "data-part": "role", title: meaning },
  );
  const kinds = select(
    KINDS,
    spec?.kind ?? column.kind ?? "categorical",
    (value) => {
      if (spec) setKind(spec, column, /** @type {import("./types.d.ts").Kind} */ (value));
      changed();
    },
    { label: `Kind of ${column.name}`, "data-part": "kind", disabled: !spec },
  );
  const samples = column.values.slice(0, 3).map(([text, count]) =>
    make("span", {
      class: "value",
      text: text === "" ? "(empty)" : text,
      title: `${text}: ${counted(count, "row")}`,
    }),
  );
  const edit =
    spec && isQuasi(spec)
      ? [
          make("span", { text: `${levelsInWords(spec)} ` }),
          button("Edit", async () => (await editTaxonomy(table, spec, column)) && changed(), {
            class: "quiet",
            label: `Edit how ${column.name} may be coarsened`,
            "data-part": "edit",
          }),
        ]
      : [make("span", { class: "soft", text: meaning })];
  return make(
    "tr",
    { class: `role-${role.split("+")[0]}`, "data-column": column.name },
    make("th", { scope: "row", text: column.name }),
    make("td", {}, roles),
    make("td", {}, kinds),
    make(
      "td",
      { class: "num" },
      make("span", {
        text: number(column.distinct) + (column.more_values ? "+" : ""),
        title: `${column.more_values ? "more than " : ""}${counted(column.distinct, "distinct value")}`,
      }),
      column.missing ? badge(`${percent(column.missing / Math.max(profile.rows, 1))} missing`, "warn") : null,
    ),
    make(
      "td",
      { class: "samples" },
      ...samples,
      column.distinct > 3 ? make("span", { class: "soft", text: "…" }) : null,
    ),
    make("td", { class: "levels" }, ...edit),
  );
}
