// @ts-check
// The release of a solution: how it is written, the verification, and the files to download.

import * as api from "./api.js";
import { button, fill, loading, make, trouble, warningList } from "./dom.js";
import { saver } from "./download.js";
import { leftOut } from "./fields.js";
import { counted, number, percent, size } from "./number.js";
import { front, memory, remember } from "./state.js";

/** @typedef {import("./types.d.ts").Released} Released */

/** @type {[string, string][]} */
const FORMATS = [
  ["csv", "CSV"],
  ["tsv", "TSV"],
  ["parquet", "Parquet"],
];

/** @type {import("./main.js").View} */
export async function show({ page, parts: [run, text], still }) {
  const id = Number(text);
  const [fields, info] = await Promise.all([front(run), api.runInfo(run)]);
  if (!still()) return;
  const at = fields.places.get(id);
  if (at === undefined) throw new Error(`This front has no solution ${id}.`);
  if (memory(run).chosen !== id) remember(run, { chosen: id });
  const own = fields.front.solutions[at];
  const base = (info.table ?? run).replace(/\.[^.]+$/, "");
  const format = { value: "csv" };
  const name = make("input", {
    type: "text",
    id: "release-name",
    value: `${base}-release-${id}`,
    pattern: "[A-Za-z0-9._\\-]+",
    required: true,
    spellcheck: "false",
  });
  const radios = (/** @type {string} */ group, /** @type {[string, string, string?][]} */ choices) =>
    choices.map(([value, words, help], place) =>
      make(
        "label",
        { class: "check" },
        make("input", { type: "radio", name: group, value, checked: place === 0 }),
        make("span", {}, ` ${words}`, help ? make("span", { class: "soft", text: ` ${help}` }) : null),
      ),
    );
  const extension = make("span", { class: "soft", text: ".csv" });
  const tokens = make("input", { type: "checkbox", id: "tokens" });
  const identifying = (info.study?.columns ?? [])
    .filter(({ role }) => [role].flat().includes("identifying"))
    .map((spec) => spec.name);
  const alone = make("input", { type: "checkbox", id: "allow-k1", required: true });
  const place = make("div", { id: "released", "aria-live": "polite" });
  const write = button(
    "Write and verify",
    async () => {
      if (!form.reportValidity()) return;
      const chosen = (/** @type {string} */ group) => String(new FormData(form).get(group));
      write.disabled = true;
      fill(place, loading("Writing the release, reading it back, and counting it from scratch…"));
      try {
        const released = await api.release(run, {
          solution: id,
          name: `${name.value}.${chosen("format")}`,
          tokens: tokens.checked,
          suppressed_rows: chosen("suppressed"),
          representative: chosen("representative"),
          ...(own.k === null || own.k < 2 ? { allow_k1: alone.checked } : {}),
        });
        if (still()) fill(place, ...certified(run, released));
        /** @type {HTMLElement | null} */ (place.querySelector("button.primary"))?.focus();
      } catch (error) {
        if (still()) fill(place, trouble(error, "Nothing was released"));
      } finally {
        write.disabled = false;
      }
    },
    { class: "primary big", id: "write" },
  );
  const form = make(
    "form",
    { class: "card release-form", on: { submit: (event) => (event.preventDefault(), write.click()) } },
    make(
      "div",
      { class: "field" },
      make("label", { for: "release-name", text: "Name of the file" }),
      make("span", { class: "entry" }, name, extension),
    ),
    make(
      "fieldset",
      {
        id: "format",
        on: {
          change: () => (
            (format.value = String(new FormData(form).get("format"))), (extension.textContent = `.${format.value}`)
          ),
        },
      },
      make("legend", { text: "Format" }),
      ...radios("format", FORMATS),
    ),
    make(
      "fieldset",
      {},
      make("legend", { text: "Suppressed rows" }),
      ...radios("suppressed", [
        ["drop", "leave them out"],
        ["star", "keep them as rows of stars"],
      ]),
    ),
    make(
      "fieldset",
      {},
      make("legend", { text: "Intervals of numbers" }),
      ...radios("representative", [
        ["label", "show the interval", "[25, 35)"],
        ["median", "show the median of the released entries"],
      ]),
    ),
    identifying.length
      ? make(
          "fieldset",
          {},
          make("legend", { text: "Identifying columns" }),
          make(
            "label",
            { class: "check" },
            tokens,
            make(
              "span",
              {},
              " replace by random tokens",
              make("span", { class: "soft", text: ` ${identifying.join(", ")}; otherwise left out` }),
            ),
          ),
        )
      : null,
    own.k === null || own.k < 2
      ? make(
          "label",
          { class: "check warn" },
          alone,
          make("span", { text: " I want to release rows that are alone in their group (k = 1)" }),
        )
      : null,
    write,
  );
  fill(
    page,
    make(
      "header",
      { class: "head" },
      make(
        "div",
        {},
        make("h1", { text: `Release solution ${id}` }),
        make(
          "p",
          { class: "lead" },
          ...fields
            .line(at)
            .flatMap(([words, strong], spot) => [spot ? ", " : "", strong ? make("b", { text: words }) : words]),
        ),
        own.described === false
          ? make("p", {
              class: "warn",
              text: "The search was stopped before this solution was measured. Writing it measures it; read the certificate before you hand it out.",
            })
          : null,
        own.k !== null && own.k < 2
          ? make("p", {
              class: "warn",
              text: "k = 1: some rows are the only ones with their values, so whoever knows these values finds the person. Choose a solution with a larger k, unless the file stays with you.",
            })
          : null,
        // What is said of other solutions does not concern this one.
        warningList([
          ...(fields.front.warnings ?? []).filter((text) => !/^In [\d,]+ of [\d,]+ solutions /.test(text)),
          ...(own.one_valued ? ["In this solution some group has but one value of a sensitive column (l = 1)."] : []),
        ]),
        make("p", {
          class: "soft",
          text: "The file gets its name only after it was read back, counted from scratch, and found to hold what the solution claims.",
        }),
      ),
    ),
    make("div", { class: "release" }, form, place),
  );
  fill(
    place,
    make(
      "div",
      { class: "card outlook" },
      make("h2", { text: "What you will get" }),
      make(
        "ul",
        {},
        make(
          "li",
          {},
          make("b", { text: "The table" }),
          own.suppressed === null
            ? ", in random order"
            : `, with ${number(fields.front.rows - own.suppressed)} of ${number(fields.front.rows + (fields.front.dropped ?? 0))} rows in random order (${leftOut(fields.front, own).words})`,
        ),
        make(
          "li",
          {},
          make("b", { text: "Its certificate" }),
          ": where it comes from, how it was made, and what the written file was measured to hold; to read, and for programs",
        ),
        make(
          "li",
          {},
          make("b", { text: "Its recoding" }),
          ": the sets that it shows. What a later table needs besides stays in the private folder of this run",
        ),
      ),
    ),
  );
}

/** @param {string} run @param {Released} released */
function certified(run, { files, exact: certificate }) {
  const main = certificate.output.name;
  const first = files.find((file) => file === main) ?? files[0];
  const words = (/** @type {string} */ file) =>
    file.endsWith(".certificate.md")
      ? "certificate to read"
      : file.endsWith(".certificate.json")
        ? "certificate for programs"
        : file.endsWith(".recoding.json")
          ? "the sets that it shows"
          : "";
  /** @type {[string, string, string?][]} */
  const facts = [
    ["Rows released", number(certificate.output.rows)],
    ["Rows suppressed", `${number(certificate.suppressed)} (${percent(certificate.sl)})`, String(certificate.sl)],
    ...(certificate.dropped_for_missing
      ? [
          /** @type {[string, string]} */ ([
            "Rows with missing values left out",
            number(certificate.dropped_for_missing),
          ]),
          /** @type {[string, string]} */ ([
            "Left out in all",
            leftOut(
              {
                rows: certificate.output.rows + (certificate.suppressed_rows === "star" ? 0 : certificate.suppressed),
                dropped: certificate.dropped_for_missing,
              },
              certificate,
            ).words,
          ]),
        ]
      : []),
    ["k, smallest group", number(certificate.k)],
    ["Loss of cells (GL)", percent(certificate.gl), String(certificate.gl)],
    ["Highest risk", percent(certificate.risk.highest), String(certificate.risk.highest)],
    ["Average risk", percent(certificate.risk.average), String(certificate.risk.average)],
    ...Object.entries(certificate.l ?? {}).map(
      ([column, forms]) =>
        /** @type {[string, string, string]} */ ([
          `l of ${column} (frequency, rounded down)`,
          number(forms.frequency),
          String(forms.frequency),
        ]),
    ),
    ...Object.entries(certificate.t ?? {}).map(
      ([column, t]) => /** @type {[string, string, string]} */ ([`t of ${column}`, number(t), String(t)]),
    ),
  ];
  return [
    make(
      "section",
      { class: "card certificate" },
      make("h2", {}, make("span", { class: "tick", "aria-hidden": "true", text: "✓ " }), "Written and verified"),
      make(
        "p",
        { class: "buttons" },
        saver(api.releaseAddress(run, first), `Download ${first}`, { class: "primary big", id: "download" }),
        make("span", { class: "soft", text: size(certificate.output.bytes) }),
      ),
      warningList(certificate.warnings),
      make("h3", { text: "Measured on the written file" }),
      make(
        "dl",
        { class: "facts" },
        ...facts.map(([term, value, full]) =>
          make("div", {}, make("dt", { text: term }), make("dd", { text: value, title: full ?? value })),
        ),
      ),
      make("p", { class: "soft hash", text: `SHA-256 ${certificate.output.sha256}` }),
      make("p", {
        class: "soft",
        text: `Columns: ${["recoded", "kept", "dropped", "tokens"]
          .flatMap((fate) => {
            const own = certificate.columns.filter((column) => column.fate === fate);
            return own.length ? [`${counted(own.length, "column")} ${fate === "tokens" ? "as tokens" : fate}`] : [];
          })
          .join(", ")}.`,
      }),
      make("h3", { text: "Papers to keep with it" }),
      make(
        "ul",
        { class: "papers" },
        ...files
          .filter((file) => file !== first)
          .map((file) =>
            make(
              "li",
              {},
              saver(api.releaseAddress(run, file), file, { class: "pick" }),
              make("span", { class: "soft", text: ` ${words(file)}` }),
            ),
          ),
      ),
    ),
  ];
}
