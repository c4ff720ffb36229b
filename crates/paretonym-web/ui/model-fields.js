// @ts-check
// Parameters of what is traded and searched: keys of the search, or spelled with a name.

import { make, select } from "./dom.js";

/** @typedef {import("./api.js").CatalogEntry} CatalogEntry */
/** Parameters are keys of their own. @typedef {import("./types.d.ts").SearchSettings & { [key: string]: unknown }} Search */

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

/** @param {string} id @param {string} label @param {{ [key: string]: unknown }} search @param {string} key @param {string} help */
export function numberField(id, label, search, key, help) {
  const input = make("input", {
    type: "number",
    min: 0,
    step: "any",
    id,
    value: /** @type {number | undefined} */ (search[key]) ?? "",
    "aria-describedby": `${id}-help`,
  });
  input.addEventListener("change", () => {
    if (Number.isFinite(input.valueAsNumber)) search[key] = input.valueAsNumber;
    else if (key === "seed") search[key] = 1;
    else delete search[key];
  });
  return make(
    "div",
    { class: "field" },
    make("label", { for: id, text: label }),
    input,
    make("p", { class: "help", id: `${id}-help`, text: help }),
  );
}

/** A parameter that is a key of the search. @param {{ [key: string]: unknown }} search @param {import("./api.js").Parameter} parameter */
export function keyField(search, { name, default: usual, choices, summary }) {
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
  if (choices.join("/") === "false/true") {
    const input = make("input", { type: "checkbox", id, checked: search[name] === true });
    input.addEventListener("change", () => {
      if (input.checked) search[name] = true;
      else delete search[name];
    });
    return wrap(input);
  }
  if (choices.length)
    return wrap(
      select(
        choices.map((value) => [value, value]),
        String(search[name] ?? usual),
        (value) => {
          search[name] = value;
        },
        { id },
      ),
    );
  const text = ["costs", "target"].includes(name);
  return text ? null : numberField(id, label, search, name, help);
}

/** Parameters that are spelled with the name, such as recursive-l(c=2). @param {Search} search @param {"loss" | "privacy"} key @param {CatalogEntry | undefined} entry */
export function spelledFields(search, key, entry) {
  const own = (entry?.parameters ?? []).filter(({ name }) => name !== "costs");
  return own.map(({ name, default: usual, choices, summary }) => {
    const id = `${key}-${name}`;
    const { name: base, parameters } = parse(String([search[key]].flat()[0]));
    const write = (/** @type {string} */ value) => {
      const now = parse(String([search[key]].flat()[0])).parameters;
      if (value === "" || value === usual) delete now[name];
      else now[name] = value;
      search[key] = spell(base, now);
    };
    const input = choices.length
      ? select(
          choices.map((value) => [value, value]),
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
