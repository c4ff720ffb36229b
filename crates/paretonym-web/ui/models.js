// @ts-check
// What is traded and how it is searched: the names come from the catalogue, the words help to choose among them.

import { button, make, select } from "./dom.js";
import { keyField, numberField, parse, spelledFields } from "./model-fields.js";
import { WORDS } from "./model-words.js";
import { tidy } from "./number.js";
import { hasRole, isQuasi } from "./spec.js";

/** @typedef {import("./api.js").CatalogEntry} CatalogEntry */
/** @typedef {import("./types.d.ts").Study} Study */
/** @typedef {import("./model-fields.js").Search} Search */

/** Searches that know whole levels only. */
const WHOLE_LEVELS = ["poka", "datafly", "samarati", "incognito"];

/** Losses that need a target column. */
const TARGETED = ["classification", "regression"];

/** Fronts of more goals say little to people. */
const MOST_MODELS = 4;

/** @param {Study} study @param {CatalogEntry[]} catalog @param {() => void} changed */
export const modelsForm = (study, catalog, changed) => new ModelsForm(study, catalog, changed).build();

/** A place to choose or to write, with its words. @param {string} id @param {string} label @param {HTMLElement} input @param {string} [help] */
function field(id, label, input, help) {
  input.id = id;
  if (help) input.setAttribute("aria-describedby", `${id}-help`);
  return make(
    "div",
    { class: "field" },
    make("label", { for: id, text: label }),
    input,
    help ? make("p", { class: "help", id: `${id}-help`, text: help }) : null,
  );
}

class ModelsForm {
  /** @param {Study} study @param {CatalogEntry[]} catalog @param {() => void} changed */
  constructor(study, catalog, changed) {
    this.study = study;
    this.catalog = catalog;
    this.changed = changed;
    this.search = /** @type {Search} */ (study.search);
    this.privacy = [this.search.privacy].flat();
    this.several = (this.entryOf("problem", this.search.problem)?.models ?? []).length > 1;
  }

  /** @param {string} section */
  entries(section) {
    return this.catalog.filter((entry) => entry.section === section);
  }

  /** @param {string} section @param {string} spelled */
  entryOf(section, spelled) {
    const { name } = parse(spelled);
    return this.entries(section).find((entry) => entry.name === name || entry.aliases.includes(name));
  }

  /** Names with words. @param {string} section @returns {[string, string][]} */
  choices(section) {
    return this.entries(section).map(({ name }) => [name, WORDS[section][name] ?? name]);
  }

  /** @param {"problem" | "loss" | "optimizer"} key @param {string} label */
  named(key, label) {
    const { search } = this;
    const entry = this.entryOf(key, search[key]);
    const list = select(this.choices(key), entry?.name ?? search[key], (value) => {
      // Parameters of the choice before mean nothing to the new one.
      for (const { name } of entry?.parameters ?? []) if (name !== "eta") delete search[name];
      search[key] = value;
      const models = this.entryOf(key, value)?.models ?? [];
      if (key === "problem") search.privacy = models.length > 1 ? models : this.privacy[0];
      this.changed();
      document.getElementById(`search-${key}`)?.focus();
    });
    return field(`search-${key}`, label, list, entry?.summary);
  }

  /** @param {string} spelled @param {number} at */
  privacyField(spelled, at) {
    const entry = this.entryOf("privacy", spelled);
    const list = select(this.choices("privacy"), entry?.name ?? spelled, (value) => {
      const next = this.privacy.map((one, place) => (place === at ? value : one));
      this.search.privacy = this.several ? next : next[0];
      this.changed();
      document.getElementById(`search-privacy-${at}`)?.focus();
    });
    const hasSensitive = this.study.columns.some((spec) => hasRole(spec, "sensitive"));
    const needs =
      !hasSensitive && entry?.name !== "k"
        ? "This model needs a sensitive column; give one that role above."
        : entry?.summary;
    const label = this.privacy.length > 1 ? `Privacy model ${at + 1}` : "Privacy model";
    return field(`search-privacy-${at}`, label, list, needs);
  }

  moreModels() {
    const { privacy } = this;
    const names = this.entries("privacy").map(({ name }) => name);
    const free = names.find((name) => !privacy.some((one) => parse(one).name === name));
    const change = (/** @type {string[]} */ next) => {
      this.search.privacy = next;
      this.changed();
    };
    const add = () => free && change([...privacy, free]);
    return make(
      "div",
      { class: "field" },
      make("span", { class: "label", text: "More models" }),
      make(
        "span",
        { class: "buttons" },
        button("Add one", add, { disabled: !free || privacy.length >= MOST_MODELS }),
        button("Remove the last", () => change(privacy.slice(0, -1)), { disabled: privacy.length <= 2 }),
      ),
    );
  }

  /** The budget of suppression, where the problem has one. */
  etaField() {
    const { search } = this;
    if (!this.entryOf("problem", search.problem)?.parameters.some(({ name }) => name === "eta")) return null;
    const eta = make("input", { type: "number", min: 0, max: 100, step: "any", value: tidy(search.eta * 100) });
    eta.addEventListener("change", () => {
      if (Number.isFinite(eta.valueAsNumber)) search.eta = tidy(eta.valueAsNumber / 100);
    });
    const help = "the largest share of rows that a release may leave out";
    return field("search-eta", "Rows that may be suppressed, %", eta, help);
  }

  /** What will not work as it is. */
  hint() {
    const { search, study } = this;
    const unfit = study.columns.filter((spec) => isQuasi(spec) && spec.recode && spec.recode !== "levels");
    if (WHOLE_LEVELS.includes(search.optimizer) && unfit.length) {
      const names = unfit.map(({ name }) => name).join(", ");
      return `${search.optimizer} searches whole levels, and ${names} may be cut elsewhere: choose the genetic search or regions, or set whole levels.`;
    }
    const { name } = parse(search.loss);
    const hasTarget = study.columns.some((spec) => hasRole(spec, "target"));
    return TARGETED.includes(name) && !hasTarget
      ? `The loss ${name} needs a target column; give one that role above.`
      : null;
  }

  moreSettings() {
    const { search, several, privacy } = this;
    const keys = ["problem", "optimizer"].flatMap((section) => {
      const parameters = this.entryOf(section, String(search[section]))?.parameters ?? [];
      return parameters.filter(({ name }) => name !== "eta" && name !== "evaluations");
    });
    const seed = "where chance comes from: the same seed gives the same front";
    const evaluations = "the most recodings to evaluate; empty: as the search needs";
    return make(
      "details",
      { class: "wide" },
      make("summary", { text: "More settings" }),
      make(
        "div",
        { class: "models-form" },
        numberField("search-seed", "Seed", search, "seed", seed),
        numberField("search-evaluations", "Evaluations", search, "evaluations", evaluations),
        ...keys.map((parameter) => keyField(search, parameter)),
        ...spelledFields(search, "loss", this.entryOf("loss", search.loss)),
        ...(several ? [] : spelledFields(search, "privacy", this.entryOf("privacy", privacy[0]))),
      ),
    );
  }

  build() {
    const hint = this.hint();
    return make(
      "div",
      { class: "models-form" },
      this.named("problem", "Problem"),
      ...this.privacy.map((spelled, at) => this.privacyField(spelled, at)),
      this.several ? this.moreModels() : null,
      this.named("loss", "Information loss"),
      this.etaField(),
      this.named("optimizer", "Search"),
      hint ? make("p", { class: "warn wide", text: hint }) : null,
      this.moreSettings(),
    );
  }
}
