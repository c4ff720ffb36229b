// @ts-check
// How a release is to be written.

import { make } from "./dom.js";

/** @type {[string, string][]} */
const FORMATS = [
  ["csv", "CSV"],
  ["tsv", "TSV"],
  ["parquet", "Parquet"],
];

/** One of several. @param {string} legend @param {string} group @param {[string, string, string?][]} choices @param {import("./dom.js").Options} [options] */
function radios(legend, group, choices, options = {}) {
  const choice = (/** @type {[string, string, string?]} */ [value, words, help], /** @type {number} */ place) =>
    make(
      "label",
      { class: "check" },
      make("input", { type: "radio", name: group, value, checked: place === 0 }),
      make("span", {}, ` ${words}`, help ? make("span", { class: "soft", text: ` ${help}` }) : null),
    );
  return make("fieldset", options, make("legend", { text: legend }), ...choices.map(choice));
}

/** Whether identifying columns become tokens. @param {string[]} identifying */
const tokensField = (identifying) =>
  make(
    "fieldset",
    {},
    make("legend", { text: "Identifying columns" }),
    make(
      "label",
      { class: "check" },
      make("input", { type: "checkbox", id: "tokens", name: "tokens" }),
      make(
        "span",
        {},
        " replace by random tokens",
        make("span", { class: "soft", text: ` ${identifying.join(", ")}; otherwise left out` }),
      ),
    ),
  );

/**
 * @param {{ name: string, identifying: string[], alone: boolean }} about the name to suggest, the identifying columns, and
 *   whether rows may be alone in their group
 * @param {HTMLButtonElement} write
 */
export function releaseForm({ name, identifying, alone }, write) {
  const extension = make("span", { class: "soft", text: ".csv" });
  const file = make("input", {
    type: "text",
    id: "release-name",
    name: "name",
    value: name,
    pattern: "[A-Za-z0-9._\\-]+",
    required: true,
    spellcheck: "false",
  });
  const changed = () => {
    extension.textContent = `.${new FormData(element).get("format")}`;
  };
  const submitted = (/** @type {Event} */ event) => {
    event.preventDefault();
    write.click();
  };
  const element = make(
    "form",
    { class: "card release-form", on: { submit: submitted } },
    make(
      "div",
      { class: "field" },
      make("label", { for: "release-name", text: "Name of the file" }),
      make("span", { class: "entry" }, file, extension),
    ),
    radios("Format", "format", FORMATS, { id: "format", on: { change: changed } }),
    radios("Suppressed rows", "suppressed", [
      ["drop", "leave them out"],
      ["star", "keep them as rows of stars"],
    ]),
    radios("Intervals of numbers", "representative", [
      ["label", "show the interval", "[25, 35)"],
      ["median", "show the median of the released entries"],
    ]),
    identifying.length ? tokensField(identifying) : null,
    alone
      ? make(
          "label",
          { class: "check warn" },
          make("input", { type: "checkbox", id: "allow-k1", name: "alone", required: true }),
          make("span", { text: " I want to release rows that are alone in their group (k = 1)" }),
        )
      : null,
    write,
  );
  return element;
}

/** What the form says, as the server wants it. @param {HTMLFormElement} form @param {number} solution */
export function releaseWish(form, solution) {
  const said = new FormData(form);
  return {
    solution,
    name: `${said.get("name")}.${said.get("format")}`,
    tokens: said.has("tokens"),
    suppressed_rows: said.get("suppressed"),
    representative: said.get("representative"),
    ...(said.has("alone") ? { allow_k1: true } : {}),
  };
}
