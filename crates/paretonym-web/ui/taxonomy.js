// @ts-check
// How one column may be coarsened: generated levels, an uploaded taxonomy, or a tree edited by hand. A dialog that
// changes the study only when it is accepted.

import * as api from "./api.js";
import { button, fill, loading, make, select, trouble } from "./dom.js";
import { icicle } from "./icicle.js";
import { clearLevels, levelsInWords, RECODES } from "./spec.js";
import { copy, fromNested, height, leaves, problem, toNested } from "./tree.js";
import { TreeEditor } from "./tree-editor.js";

/** @typedef {import("./types.d.ts").ColumnSpec} ColumnSpec */
/** @typedef {import("./types.d.ts").ProfiledColumn} ProfiledColumn */
/** @typedef {import("./types.d.ts").Tree} Tree */

/** How levels can be made: its key in a study, words, for which kinds, what it asks for. @type {[string, string, string[], string][]} */
const METHODS = [
  ["widths", "intervals of these widths", ["numeric"], "5, 10, 20"],
  ["quantiles", "bins with about equally many rows", ["numeric"], "how many"],
  ["groups", "groups of so many neighbours", ["numeric", "ordinal"], "2, 4"],
  ["prefix", "shorter and shorter prefixes", ["categorical", "ordinal"], ""],
  ["dates", "day, month, quarter, year, decade", ["categorical", "ordinal"], ""],
  ["flat", "the value or *", ["categorical", "ordinal", "numeric"], ""],
  ["tree", "a tree edited here", ["categorical", "ordinal"], ""],
];

/** @param {ColumnSpec} spec */
const methodOf = (spec) =>
  spec.taxonomy
    ? "tree"
    : spec.widths
      ? "widths"
      : spec.groups
        ? "groups"
        : spec.bins
          ? "quantiles"
          : (spec.hierarchy ?? "flat");

/** @param {string} text */
const numbers = (text) =>
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

/**
 * Opens the dialog.
 * @param {string} table
 * @param {ColumnSpec} spec changed when accepted
 * @param {ProfiledColumn} column
 * @returns {Promise<boolean>} whether it changed
 */
export function editTaxonomy(table, spec, column) {
  const draft = structuredClone(spec);
  const kind = draft.kind ?? column.kind ?? "categorical";
  const said = make("div", { class: "editor-said", "aria-live": "polite" });
  const place = make("div", { class: "editor-place" });
  const title = `How ${column.name} may be coarsened`;
  const weight = make("input", {
    type: "number",
    id: "weight",
    min: 0,
    step: "any",
    placeholder: "1",
    value: draft.weight ?? "",
  });
  const parameter = make("input", { type: "text", id: "parameter", spellcheck: "false" });
  const parameterField = make(
    "div",
    { class: "field" },
    make("label", { for: "parameter", text: "Parameters" }),
    parameter,
  );
  const bins = make("input", {
    type: "text",
    id: "bins",
    spellcheck: "false",
    placeholder: "0, 100, 5",
    value: draft.range ? `${draft.range.join(", ")}, ${draft.granularity}` : "",
  });
  const binsField = make(
    "div",
    { class: "field" },
    make("label", { for: "bins", text: "Bins: from, to, width" }),
    bins,
  );
  /** @type {TreeEditor | null} */
  let editor = null;
  let method = methodOf(draft);

  const recodes = Object.entries(RECODES).filter(([name]) => kind !== "categorical" || name !== "breaks");
  const recode = select(
    recodes.map(([name, words]) => [name, words]),
    draft.recode ?? "levels",
    (value) => (draft.recode = /** @type {any} */ (value)),
    { id: "recode" },
  );
  const methods = select(
    METHODS.filter(([, , kinds]) => kinds.includes(kind)).map(([name, words]) => [name, words]),
    method,
    (value) => {
      method = value;
      showMethod();
      if (method !== "tree") generate();
      else editTree(editor?.root ?? column.tree ?? flat());
    },
    { id: "method" },
  );
  const flat = () =>
    /** @type {Tree} */ ({
      name: "*",
      children: (draft.order ?? column.values.map(([text]) => text)).map((name) => ({ name: String(name) })),
    });

  const showMethod = () => {
    const hint = METHODS.find(([name]) => name === method)?.[3] ?? "";
    parameterField.hidden = hint === "";
    parameter.placeholder = hint;
    parameter.value =
      method === "widths"
        ? (draft.widths ?? []).join(", ")
        : method === "groups"
          ? (draft.groups ?? []).join(", ")
          : method === "quantiles"
            ? String(draft.bins ?? "")
            : "";
    // What a method cannot do without is proposed.
    if (parameter.value === "")
      parameter.value =
        method === "widths"
          ? guessWidths(column).join(", ")
          : method === "groups"
            ? "2, 4"
            : method === "quantiles"
              ? "8"
              : "";
    // Bins of equal width and bins of equal frequency exclude each other.
    binsField.hidden = kind !== "numeric" || method === "quantiles";
  };
  /** Writes the generated levels into the draft. */
  const apply = () => {
    const given = numbers(parameter.value);
    const [low, high, step] = numbers(bins.value);
    const written = draft.date_format;
    clearLevels(draft);
    if (!binsField.hidden && step !== undefined) [draft.range, draft.granularity] = [[low, high], step];
    if (method === "widths" && given.length) draft.widths = given;
    else if (method === "groups" && given.length) draft.groups = given;
    else if (method === "quantiles" && given[0]) draft.bins = given[0];
    else if (method === "prefix" || method === "dates") draft.hierarchy = method;
    if (method === "dates" && written) draft.date_format = written;
    else if (method === "flat" && kind !== "numeric") draft.hierarchy = "flat";
  };
  /** Asks the server what the levels look like. */
  const generate = async () => {
    apply();
    editor = null;
    fill(said);
    fill(place, loading("Making the levels…"));
    try {
      // The keys of the study that make the levels are the parameters of the method.
      const { widths, groups, bins: count, range, granularity } = draft;
      const parameters =
        method === "widths"
          ? { widths: widths ?? [], range, granularity }
          : method === "groups"
            ? { groups: groups ?? [], order: draft.order }
            : method === "quantiles"
              ? { bins: count }
              : {};
      const made = await api.makeTaxonomy({ table, column: column.name, kind, method, parameters });
      if (method === "dates" && made.column?.date_format) draft.date_format = made.column.date_format;
      if (made.tree) preview(made.tree);
      else fill(place, make("p", { class: "soft", text: levelsInWords(draft) }));
    } catch (error) {
      fill(place, trouble(error));
    }
  };
  const preview = (/** @type {Tree} */ tree) => {
    fill(
      place,
      icicle(tree, 860, `Levels of ${column.name}`),
      make(
        "p",
        { class: "soft" },
        `${height(tree) + 1} levels over ${leaves(tree).length} values. `,
        kind === "numeric"
          ? null
          : button(
              "Edit this tree",
              () => {
                method = methods.value = "tree";
                showMethod();
                editTree(tree);
              },
              { id: "edit-tree" },
            ),
      ),
    );
  };
  const editTree = (/** @type {Tree} */ tree) => {
    editor = new TreeEditor(copy(tree), new Map(column.values));
    fill(place, editor.element);
  };
  for (const input of [parameter, bins]) input.addEventListener("change", generate);

  const file = make("input", {
    type: "file",
    id: "taxonomy-file",
    class: "file",
    accept: ".csv,.txt",
    on: {
      change: async () => {
        const own = file.files?.[0];
        if (!own) return;
        try {
          const { tree } = await api.readTaxonomy(await own.text());
          method = methods.value = "tree";
          showMethod();
          fill(said);
          editTree(tree);
        } catch (error) {
          fill(said, trouble(error, `${own.name} is not a taxonomy`));
        }
        file.value = "";
      },
    },
  });

  const dialog = make("dialog", { class: "editor", label: title });
  const accept = () => {
    if (method === "tree" && editor) {
      const wrong = problem(editor.root);
      if (wrong) return fill(said, trouble(wrong));
      clearLevels(draft);
      draft.taxonomy = toNested(editor.root);
      delete draft.order;
    } else apply();
    const given = weight.valueAsNumber;
    if (Number.isFinite(given)) draft.weight = given;
    else delete draft.weight;
    for (const key of Object.keys(spec)) delete (/** @type {any} */ (spec)[key]);
    Object.assign(spec, draft);
    dialog.close("accepted");
  };
  fill(
    dialog,
    make(
      "header",
      {},
      make("h2", { text: title }),
      button("×", () => dialog.close(), { class: "none", label: "Close without changes" }),
    ),
    make(
      "div",
      { class: "editor-form" },
      make("div", { class: "field" }, make("label", { for: "method", text: "Levels" }), methods),
      parameterField,
      binsField,
      make("div", { class: "field" }, make("label", { for: "recode", text: "A release uses" }), recode),
      make("div", { class: "field short" }, make("label", { for: "weight", text: "Weight" }), weight),
      kind === "numeric"
        ? null
        : make(
            "div",
            { class: "field" },
            make("span", { class: "label", text: "From a file" }),
            make("label", {
              class: "button",
              for: "taxonomy-file",
              text: "Upload a taxonomy",
              title: "CSV, one line per value: value;level 1;…;top",
            }),
            file,
          ),
    ),
    said,
    place,
    make(
      "footer",
      {},
      button("Cancel", () => dialog.close()),
      button("Use this", accept, { class: "primary", id: "accept" }),
    ),
  );
  document.body.append(dialog);
  showMethod();
  const tree = draft.taxonomy && typeof draft.taxonomy !== "string" ? fromNested(draft.taxonomy) : null;
  if (method === "tree") editTree(tree ?? column.tree ?? flat());
  else if (column.tree && methodOf(spec) === method) preview(column.tree);
  else generate();
  dialog.showModal();
  return new Promise((done) =>
    dialog.addEventListener("close", () => {
      const said = dialog.querySelector("#said");
      if (said) document.body.append(said);
      dialog.remove();
      done(dialog.returnValue === "accepted");
    }),
  );
}
