// @ts-check
// How one column may be coarsened: generated levels, an uploaded taxonomy, or a tree edited by hand. A dialog that
// changes the study only when it is accepted.

import * as api from "./api.js";
import { button, fill, loading, make, select, trouble } from "./dom.js";
import { icicle } from "./icicle.js";
import { askedBy, methodOf, methodsFor, numbersIn, parametersOf, parameterText, setLevels } from "./levels.js";
import { clearLevels, levelsInWords, RECODES } from "./spec.js";
import { copy, fromNested, height, leaves, problem, toNested } from "./tree.js";
import { TreeEditor } from "./tree-editor.js";

/** @typedef {import("./types.d.ts").ColumnSpec} ColumnSpec */
/** @typedef {import("./types.d.ts").ProfiledColumn} ProfiledColumn */
/** @typedef {import("./types.d.ts").Tree} Tree */
/** @typedef {import("./nested.d.ts").Nested} Nested */

/**
 * Opens the dialog.
 * @param {string} table
 * @param {ColumnSpec} spec changed when accepted
 * @param {ProfiledColumn} column
 * @returns {Promise<boolean>} whether it changed
 */
export const editTaxonomy = (table, spec, column) => new TaxonomyDialog(table, spec, column).open();

/** @param {string} label @param {HTMLElement} input @param {string} [more] */
const field = (label, input, more = "") =>
  make("div", { class: `field${more}` }, make("label", { for: input.id, text: label }), input);

class TaxonomyDialog {
  /** @param {string} table @param {ColumnSpec} spec @param {ProfiledColumn} column */
  constructor(table, spec, column) {
    this.table = table;
    this.spec = spec;
    this.column = column;
    this.draft = structuredClone(spec);
    this.kind = this.draft.kind ?? column.kind ?? "categorical";
    this.method = methodOf(this.draft);
    /** @type {TreeEditor | null} */
    this.editor = null;
    this.said = make("div", { class: "editor-said", "aria-live": "polite" });
    this.place = make("div", { class: "editor-place" });
    this.title = `How ${column.name} may be coarsened`;
    this.dialog = make("dialog", { class: "editor", label: this.title });
    const { range, granularity, weight } = this.draft;
    const text = { type: "text", spellcheck: "false" };
    this.weight = make("input", {
      type: "number",
      id: "weight",
      min: 0,
      step: "any",
      placeholder: "1",
      value: weight ?? "",
    });
    this.parameter = make("input", { ...text, id: "parameter" });
    this.parameterField = field("Parameters", this.parameter);
    const bins = range ? `${range.join(", ")}, ${granularity}` : "";
    this.bins = make("input", { ...text, id: "bins", placeholder: "0, 100, 5", value: bins });
    this.binsField = field("Bins: from, to, width", this.bins);
    for (const input of [this.parameter, this.bins]) input.addEventListener("change", () => this.generate());
    this.methods = select(methodsFor(this.kind), this.method, (value) => this.choose(value), { id: "method" });
  }

  /** Another way to make levels. @param {string} method */
  choose(method) {
    this.method = method;
    this.showMethod();
    if (method === "tree") this.editTree(this.editor?.root ?? this.column.tree ?? this.flat());
    else this.generate();
  }

  /** The tree of a column that has none: its values, and everything. @returns {Tree} */
  flat() {
    const values = this.draft.order ?? this.column.values.map(([text]) => text);
    return { name: "*", children: values.map((name) => ({ name: String(name) })) };
  }

  showMethod() {
    const hint = askedBy(this.method);
    this.parameterField.hidden = hint === "";
    this.parameter.placeholder = hint;
    this.parameter.value = parameterText(this.method, this.draft, this.column);
    // Bins of equal width and bins of equal frequency exclude each other.
    this.binsField.hidden = this.kind !== "numeric" || this.method === "quantiles";
  }

  /** Writes the generated levels into the draft. */
  apply() {
    const bins = this.binsField.hidden ? [] : numbersIn(this.bins.value);
    setLevels(this.draft, this.method, numbersIn(this.parameter.value), bins, this.kind);
  }

  /** Asks the server what the levels look like. */
  async generate() {
    this.apply();
    this.editor = null;
    fill(this.said);
    fill(this.place, loading("Making the levels…"));
    const { table, column, kind, method, draft } = this;
    try {
      const parameters = parametersOf(method, draft);
      const made = await api.makeTaxonomy({ table, column: column.name, kind, method, parameters });
      if (method === "dates" && made.column.date_format) draft.date_format = made.column.date_format;
      if (made.tree) this.preview(made.tree);
      else fill(this.place, make("p", { class: "soft", text: levelsInWords(draft) }));
    } catch (error) {
      fill(this.place, trouble(error));
    }
  }

  /** @param {Tree} tree */
  preview(tree) {
    const edit = button("Edit this tree", () => this.take(tree), { id: "edit-tree" });
    fill(
      this.place,
      icicle(tree, 860, `Levels of ${this.column.name}`),
      make(
        "p",
        { class: "soft" },
        `${height(tree) + 1} levels over ${leaves(tree).length} values. `,
        this.kind === "numeric" ? null : edit,
      ),
    );
  }

  /** Goes on with a tree. @param {Tree} tree */
  take(tree) {
    this.method = "tree";
    this.methods.value = "tree";
    this.showMethod();
    fill(this.said);
    this.editTree(tree);
  }

  /** @param {Tree} tree */
  editTree(tree) {
    this.editor = new TreeEditor(copy(tree), new Map(this.column.values));
    fill(this.place, this.editor.element);
  }

  /** Where a taxonomy is picked. */
  upload() {
    const file = make("input", { type: "file", id: "taxonomy-file", class: "file", accept: ".csv,.txt" });
    file.addEventListener("change", async () => {
      const own = file.files?.[0];
      if (!own) return;
      try {
        const { tree } = await api.readTaxonomy(await own.text());
        this.take(tree);
      } catch (error) {
        fill(this.said, trouble(error, `${own.name} is not a taxonomy`));
      }
      file.value = "";
    });
    const pick = make("label", {
      class: "button",
      for: "taxonomy-file",
      text: "Upload a taxonomy",
      title: "CSV, one line per value: value;level 1;…;top",
    });
    return make("div", { class: "field" }, make("span", { class: "label", text: "From a file" }), pick, file);
  }

  accept() {
    const { draft, spec, editor } = this;
    if (this.method === "tree" && editor) {
      const wrong = problem(editor.root);
      if (wrong) return fill(this.said, trouble(wrong));
      clearLevels(draft);
      draft.taxonomy = toNested(editor.root);
      delete draft.order;
    } else this.apply();
    const weight = this.weight.valueAsNumber;
    if (Number.isFinite(weight)) draft.weight = weight;
    else delete draft.weight;
    for (const key of Object.keys(spec)) delete (/** @type {any} */ (spec)[key]);
    Object.assign(spec, draft);
    this.dialog.close("accepted");
  }

  build() {
    const recodes = Object.entries(RECODES).filter(([name]) => this.kind !== "categorical" || name !== "breaks");
    const chosen = (/** @type {string} */ value) => {
      this.draft.recode = /** @type {ColumnSpec["recode"]} */ (value);
    };
    const recode = select(recodes, this.draft.recode ?? "levels", chosen, { id: "recode" });
    const close = () => this.dialog.close();
    fill(
      this.dialog,
      make(
        "header",
        {},
        make("h2", { text: this.title }),
        button("×", close, { class: "none", label: "Close without changes" }),
      ),
      make(
        "div",
        { class: "editor-form" },
        field("Levels", this.methods),
        this.parameterField,
        this.binsField,
        field("A release uses", recode),
        field("Weight", this.weight, " short"),
        this.kind === "numeric" ? null : this.upload(),
      ),
      this.said,
      this.place,
      make(
        "footer",
        {},
        button("Cancel", close),
        button("Use this", () => this.accept(), { class: "primary", id: "accept" }),
      ),
    );
  }

  /** @returns {Promise<boolean>} whether it was accepted */
  open() {
    const { column, dialog } = this;
    const { taxonomy } = this.draft;
    this.build();
    document.body.append(dialog);
    this.showMethod();
    const tree = taxonomy && typeof taxonomy !== "string" ? fromNested(/** @type {Nested} */ (taxonomy)) : null;
    if (this.method === "tree") this.editTree(tree ?? column.tree ?? this.flat());
    else if (column.tree) this.preview(column.tree);
    else this.generate();
    dialog.showModal();
    return new Promise((done) => {
      dialog.addEventListener("close", () => {
        const said = dialog.querySelector("#said");
        if (said) document.body.append(said);
        dialog.remove();
        done(dialog.returnValue === "accepted");
      });
    });
  }
}
