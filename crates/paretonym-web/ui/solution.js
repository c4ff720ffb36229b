// @ts-check
// One solution closely: its recoding drawn on the taxonomies and number lines, group sizes, first rows before and after.

import { solutionParts } from "./answer.js";
import * as api from "./api.js";
import { sizesHistogram } from "./charts.js";
import { columnDrawing, isShown, lossBars } from "./column-drawing.js";
import { button, fill, loading, make, warningList } from "./dom.js";
import { number } from "./number.js";
import { front, memory, remember, togglePin } from "./state.js";

/** @typedef {import("./types.d.ts").SolutionDetails} SolutionDetails */
/** @typedef {import("./view.js").FrontView} FrontView */

/** @type {import("./main.js").View} */
export async function show({ page, parts: [run, text], still }) {
  const id = Number(text);
  const own = await front(run);
  if (!still()) return;
  const at = own.places.get(id);
  if (at === undefined) throw new Error(`This front has no solution ${id}.`);
  if (memory(run).chosen !== id) remember(run, { chosen: id });
  const name = encodeURIComponent(run);
  const toggle = () => {
    togglePin(run, id);
    label();
  };
  const pin = button("", toggle, { id: "pin" });
  const label = () => {
    const on = memory(run).pinned.includes(id);
    pin.textContent = on ? "Unpin" : "Pin to compare";
    pin.setAttribute("aria-pressed", String(on));
  };
  label();
  const place = make("div", {}, loading("Reading the table again to show what becomes of it…"));
  const next = (/** @type {number} */ step, /** @type {string} */ words) => {
    const other = own.ids[at + step];
    return other === undefined
      ? null
      : make("a", {
          class: "button quiet",
          href: `#/run/${name}/solution/${other}`,
          text: words,
          title: `solution ${other}`,
        });
  };
  fill(
    page,
    make(
      "header",
      { class: "head" },
      make(
        "div",
        {},
        make("h1", { text: `Solution ${id}` }),
        make("p", { class: "lead" }, ...solutionParts(own, at)),
        make("p", { class: "soft left-out", text: `${own.leftOut(at)}.` }),
        warningList(own.concerns(at)),
        make("p", { class: "soft" }, next(-1, "← more private"), " ", next(1, "less private →")),
      ),
      make(
        "div",
        { class: "go" },
        make("a", { class: "button primary big", id: "release", href: `#/run/${name}/release/${id}`, text: "Release" }),
        pin,
      ),
    ),
    make(
      "dl",
      { class: "facts numbers-wide" },
      ...own.fields.map((field) =>
        make(
          "div",
          {},
          make("dt", { text: field.label, title: field.meaning }),
          make("dd", { text: own.show(field, at), title: String(field.values[at] ?? "") }),
        ),
      ),
    ),
    place,
  );
  const details = await api.solution(run, id);
  if (still()) fill(place, ...sections(own, at, details, Math.max(place.clientWidth - 34, 300)));
}

/** @param {FrontView} own @param {number} at @param {SolutionDetails} details @param {number} width */
function sections(own, at, details, width) {
  const k = own.value("k", at);
  const recoded = new Map(own.recoding(at).map(({ name, words }) => [name, words]));
  const rows = details.rows;
  const columns = details.columns.filter(isShown);
  return [
    make(
      "section",
      { class: "recoded" },
      make("h2", { text: "What a release shows" }),
      make(
        "p",
        { class: "soft" },
        make("span", { class: "key shown" }),
        "shown in the release ",
        make("span", { class: "key hidden" }),
        "hidden in it. Point at a band for its name.",
      ),
      ...(columns.length
        ? columns.map((column) => columnDrawing(column, recoded.get(column.name) ?? "–", width))
        : [
            make("p", {
              class: "empty",
              text: "Each region of a local recoding shows sets of its own; the rows below show some of them.",
            }),
          ]),
    ),
    make(
      "section",
      { class: "two" },
      make(
        "div",
        {},
        make("h2", { text: "Sizes of the groups" }),
        details.sizes.length
          ? sizesHistogram(details.sizes, k ?? details.sizes[0][0])
          : make("p", { class: "empty", text: "No group is kept." }),
      ),
      columns.length ? make("div", {}, make("h2", { text: "Which columns lose most" }), lossBars(columns)) : null,
    ),
    make(
      "section",
      {},
      make("h2", {
        text: `The first ${rows.before.length === 1 ? "row" : `${number(rows.before.length)} rows`} before and after`,
      }),
      make("p", {
        class: "soft",
        text: "Original rows are shown in this page only; neither the report nor a release holds them.",
      }),
      rowsTable(rows),
    ),
  ];
}

/** @param {SolutionDetails["rows"]} rows */
function rowsTable({ columns, before, after, incomplete }) {
  const body = before.flatMap((row, at) => {
    const now = after[at];
    const gone = now === null || now === undefined;
    const cells = (/** @type {(string | null)[]} */ values, /** @type {boolean} */ mark) =>
      values.map((value, spot) =>
        make("td", { class: mark && value !== row[spot] ? "changed" : null, text: value ?? "–" }),
      );
    return [
      make(
        "tr",
        { class: "before" },
        make("th", { scope: "rowgroup", rowspan: 2, text: String(at + 1) }),
        make("th", { scope: "row", text: "before" }),
        ...cells(row, false),
      ),
      make(
        "tr",
        { class: "after" },
        make("th", { scope: "row", text: "after" }),
        ...(gone
          ? [
              make("td", {
                class: "gone",
                colspan: columns.length,
                text: incomplete[at] ? "left out: a value is missing" : "suppressed",
              }),
            ]
          : cells(now, true)),
      ),
    ];
  });
  return make(
    "div",
    { class: "sheet scroll", tabindex: 0, role: "region", label: "First rows before and after" },
    make(
      "table",
      { class: "rows" },
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          make("th", { scope: "col", text: "row" }),
          make("th", { scope: "col", text: "" }),
          ...columns.map((text) => make("th", { scope: "col", text })),
        ),
      ),
      make("tbody", {}, ...body),
    ),
  );
}
