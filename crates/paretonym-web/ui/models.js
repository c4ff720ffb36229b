// @ts-check
// What is traded and how it is searched: the names come from the catalogue, the words help to choose among them.

import { button, make, select } from "./dom.js";
import { tidy } from "./number.js";
import { hasRole, isQuasi } from "./spec.js";

/** @typedef {import("./api.js").CatalogEntry} CatalogEntry */
/** @typedef {import("./types.d.ts").Study} Study */
/** Parameters are keys of their own. @typedef {import("./types.d.ts").SearchSettings & { [key: string]: unknown }} Search */

/** @type {{ [section: string]: { [name: string]: string } }} */
const WORDS = {
  problem: {
    "max-suppression": "Privacy against loss, within a budget of suppressed rows",
    "zero-suppression": "Mean group size against loss, no row suppressed",
    "any-suppression": "Mean group size, loss of kept rows and suppression as three goals",
    "kl-safety": "Two or more privacy models at once against loss",
    preference: "The nearest to a wished-for k, loss and spread",
    single: "The least loss for one fixed k",
  },
  privacy: {
    k: "k-anonymity: size of the smallest group",
    "frequency-l": "l-diversity: by the most frequent value",
    "distinct-l": "l-diversity: distinct values",
    "entropy-l": "l-diversity: entropy",
    "recursive-l": "l-diversity: recursive (c, l)",
    t: "t-closeness",
    alpha: "(α, k): share of one sensitive value",
    "p-sensitive": "p-sensitive k-anonymity",
  },
  loss: {
    general: "General loss (LM): how much of its domain a cell covers",
    weighted: "General loss with a weight per column",
    discernibility: "Discernibility: squared group sizes",
    classification: "Classification (CM): wrong majority class",
    regression: "Regression: deviation of numeric targets",
    precision: "Precision: level over height",
    entropy: "Non-uniform entropy",
    "average-class": "Average class size",
  },
  optimizer: {
    exact: "Exact: proves the whole front",
    nsga2: "Genetic (NSGA-II): levels, cuts and breaks",
    regions: "Regions: local recoding",
    exhaustive: "Exhaustive: every recoding",
    poka: "POkA: heuristic on levels",
    genitor: "Genitor: genetic, one goal",
    datafly: "Baseline: Datafly",
    samarati: "Baseline: Samarati",
    incognito: "Baseline: Incognito",
    mondrian: "Baseline: Mondrian",
  },
};

/** Parameters with few possible values. @type {{ [name: string]: string[] }} */
const CHOICES = {
  cutoffs: ["all", "budget"],
  form: ["joint", "ordered"],
  prefer: ["k", "l"],
  cells: ["nodes", "sets", "sets(most=8)"],
  numeric: ["leaves", "interval"],
  deviation: ["squared", "absolute"],
  suppressed: ["maximum", "group"],
};

/** Fronts of more goals say little to people. */
const MOST_MODELS = 4;

/** "recursive-l(c=2)" in parts. @param {string} spelled */
export function parse(spelled) {
  const [, name, inside] = /^([^(]*)(?:\((.*)\))?$/.exec(spelled) ?? ["", spelled, ""];
  /** @type {{ [key: string]: string }} */
  const parameters = {};
  for (const part of (inside ?? "").split(",").filter((text) => text.includes("="))) {
    const [key, ...value] = part.split("=");
    parameters[key.trim()] = value.join("=").trim();
  }
  return { name: name.trim(), parameters };
}

/** @param {string} name @param {{ [key: string]: string }} parameters */
const spell = (name, parameters) => {
  const inside = Object.entries(parameters)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
  return inside ? `${name}(${inside})` : name;
};

/** @param {Study} study @param {CatalogEntry[]} catalog @param {() => void} changed */
export function modelsForm(study, catalog, changed) {
  const search = /** @type {Search} */ (study.search);
  const entries = (/** @type {string} */ section) => catalog.filter((entry) => entry.section === section);
  const hasSensitive = study.columns.some((spec) => hasRole(spec, "sensitive"));
  const hasTarget = study.columns.some((spec) => hasRole(spec, "target"));
  const choices = (/** @type {string} */ section) =>
    entries(section).map(({ name }) => /** @type {[string, string]} */ ([name, WORDS[section][name] ?? name]));
  const entryOf = (/** @type {string} */ section, /** @type {string} */ spelled) => {
    const { name } = parse(spelled);
    return entries(section).find((entry) => entry.name === name || entry.aliases.includes(name));
  };
  const privacy = [search.privacy].flat();
  const several = search.problem === "kl-safety";

  const field = (
    /** @type {string} */ id,
    /** @type {string} */ label,
    /** @type {HTMLElement} */ input,
    /** @type {string | undefined} */ help,
  ) => {
    input.id = id;
    if (help) input.setAttribute("aria-describedby", `${id}-help`);
    return make(
      "div",
      { class: "field" },
      make("label", { for: id, text: label }),
      input,
      help ? make("p", { class: "help", id: `${id}-help`, text: help }) : null,
    );
  };
  const named = (/** @type {"problem" | "loss" | "optimizer"} */ key, /** @type {string} */ label) => {
    const entry = entryOf(key, search[key]);
    const list = select(choices(key), entry?.name ?? search[key], (value) => {
      // Parameters of the choice before mean nothing to the new one.
      for (const { name } of entry?.parameters ?? []) if (name !== "eta") delete search[name];
      search[key] = value;
      if (key === "problem") search.privacy = value === "kl-safety" ? ["k", "frequency-l"] : [search.privacy].flat()[0];
      changed();
      document.getElementById(`search-${key}`)?.focus();
    });
    return field(`search-${key}`, label, list, entry?.summary);
  };
  const privacyField = (/** @type {string} */ spelled, /** @type {number} */ at) => {
    const entry = entryOf("privacy", spelled);
    const list = select(choices("privacy"), entry?.name ?? spelled, (value) => {
      const next = privacy.map((one, place) => (place === at ? value : one));
      search.privacy = several ? next : next[0];
      changed();
      document.getElementById(`search-privacy-${at}`)?.focus();
    });
    const needs =
      !hasSensitive && entry?.name !== "k"
        ? "This model needs a sensitive column; give one that role above."
        : entry?.summary;
    return field(`search-privacy-${at}`, privacy.length > 1 ? `Privacy model ${at + 1}` : "Privacy model", list, needs);
  };
  const moreModels = () => {
    const free = entries("privacy")
      .map(({ name }) => name)
      .find((name) => !privacy.some((one) => parse(one).name === name));
    const change = (/** @type {string[]} */ next) => ((search.privacy = next), changed());
    return make(
      "div",
      { class: "field" },
      make("span", { class: "label", text: "More models" }),
      make(
        "span",
        { class: "buttons" },
        button("Add one", () => free && change([...privacy, free]), {
          disabled: !free || privacy.length >= MOST_MODELS,
        }),
        button("Remove the last", () => change(privacy.slice(0, -1)), { disabled: privacy.length <= 2 }),
      ),
    );
  };
  const eta = make("input", {
    type: "number",
    min: 0,
    max: 100,
    step: "any",
    value: tidy(search.eta * 100),
    on: { change: () => Number.isFinite(eta.valueAsNumber) && (search.eta = tidy(eta.valueAsNumber / 100)) },
  });
  const takesEta = entryOf("problem", search.problem)?.parameters.some(({ name }) => name === "eta");
  const lattice = ["poka", "datafly", "samarati", "incognito"].includes(search.optimizer);
  const unfit = study.columns.filter((spec) => isQuasi(spec) && spec.recode && spec.recode !== "levels");
  const hint =
    lattice && unfit.length
      ? `${search.optimizer} searches whole levels, and ${unfit.map(({ name }) => name).join(", ")} may be cut elsewhere: choose the genetic search or regions, or set whole levels.`
      : ["classification", "regression"].includes(parse(search.loss).name) && !hasTarget
        ? `The loss ${parse(search.loss).name} needs a target column; give one that role above.`
        : null;

  return make(
    "div",
    { class: "models-form" },
    named("problem", "Problem"),
    ...privacy.map(privacyField),
    several ? moreModels() : null,
    named("loss", "Information loss"),
    takesEta
      ? field(
          "search-eta",
          "Rows that may be suppressed, %",
          eta,
          "the largest share of rows that a release may leave out",
        )
      : null,
    named("optimizer", "Search"),
    hint ? make("p", { class: "warn wide", text: hint }) : null,
    make(
      "details",
      { class: "wide" },
      make("summary", { text: "More settings" }),
      make(
        "div",
        { class: "models-form" },
        numberField(
          "search-seed",
          "Seed",
          search,
          "seed",
          "where chance comes from: the same seed gives the same front",
        ),
        numberField(
          "search-evaluations",
          "Evaluations",
          search,
          "evaluations",
          "the most recodings to evaluate; empty: as the search needs",
        ),
        ...["problem", "optimizer"].flatMap((section) =>
          (entryOf(section, String(search[section]))?.parameters ?? [])
            .filter(({ name }) => name !== "eta" && name !== "evaluations")
            .map((parameter) => keyField(search, parameter)),
        ),
        ...spelledFields(search, "loss", entryOf("loss", search.loss)),
        ...(several ? [] : spelledFields(search, "privacy", entryOf("privacy", privacy[0]))),
      ),
    ),
  );
}

/** @param {string} id @param {string} label @param {{ [key: string]: unknown }} search @param {string} key @param {string} help */
function numberField(id, label, search, key, help) {
  const input = make("input", {
    type: "number",
    min: 0,
    step: "any",
    id,
    value: /** @type {number | undefined} */ (search[key]) ?? "",
    "aria-describedby": `${id}-help`,
  });
  input.addEventListener("change", () =>
    Number.isFinite(input.valueAsNumber)
      ? (search[key] = input.valueAsNumber)
      : key === "seed"
        ? (search[key] = 1)
        : delete search[key],
  );
  return make(
    "div",
    { class: "field" },
    make("label", { for: id, text: label }),
    input,
    make("p", { class: "help", id: `${id}-help`, text: help }),
  );
}

/** A parameter that is a key of the search. @param {{ [key: string]: unknown }} search @param {{ name: string, default: string, summary: string }} parameter */
function keyField(search, { name, default: usual, summary }) {
  const id = `search-${name}`;
  const label = name.replaceAll("_", " ");
  const help = `${summary}; usual: ${usual}`;
  const wrap = (/** @type {HTMLElement} */ input) =>
    make(
      "div",
      { class: "field" },
      make("label", { for: id, text: label }),
      input,
      make("p", { class: "help", text: help }),
    );
  if (name === "faithful") {
    const input = make("input", { type: "checkbox", id, checked: search[name] === true });
    input.addEventListener("change", () => (input.checked ? (search[name] = true) : delete search[name]));
    return wrap(input);
  }
  if (CHOICES[name])
    return wrap(
      select(
        CHOICES[name].map((value) => [value, value]),
        String(search[name] ?? usual),
        (value) => (search[name] = value),
        { id },
      ),
    );
  const text = ["costs", "target"].includes(name);
  return text ? null : numberField(id, label, search, name, help);
}

/** Parameters that are spelled with the name, such as recursive-l(c=2). @param {Search} search @param {"loss" | "privacy"} key @param {CatalogEntry | undefined} entry */
function spelledFields(search, key, entry) {
  const own = (entry?.parameters ?? []).filter(({ name }) => name !== "costs");
  return own.map(({ name, default: usual, summary }) => {
    const id = `${key}-${name}`;
    const { name: base, parameters } = parse(String([search[key]].flat()[0]));
    const write = (/** @type {string} */ value) => {
      const now = parse(String([search[key]].flat()[0])).parameters;
      if (value === "" || value === usual) delete now[name];
      else now[name] = value;
      search[key] = spell(base, now);
    };
    const input = CHOICES[name]
      ? select(
          CHOICES[name].map((value) => [value, value]),
          parameters[name] ?? usual,
          write,
          { id },
        )
      : make("input", {
          type: "text",
          id,
          value: parameters[name] ?? "",
          placeholder: usual,
          on: { change: (/** @type {any} */ event) => write(event.target.value.trim()) },
        });
    return make(
      "div",
      { class: "field" },
      make("label", { for: id, text: `${entry?.name}: ${name}` }),
      input,
      make("p", { class: "help", text: summary }),
    );
  });
}
