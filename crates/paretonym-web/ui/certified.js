// @ts-check
// A release that was written and verified: its files to download, and what was measured on it.

import * as api from "./api.js";
import { make, warningList } from "./dom.js";
import { saver } from "./download.js";
import { counted, number, percent, size } from "./number.js";

/** @typedef {import("./types.d.ts").ReleaseAnswer} ReleaseAnswer */
/** @typedef {[term: string, value: string, full?: string]} Fact */

/** What the files beside a release are. @type {[string, string][]} */
const PAPERS = [
  [".certificate.md", "certificate to read"],
  [".certificate.json", "certificate for programs"],
  [".recoding.json", "the sets that it shows"],
];

/** What was measured, with all digits. @param {ReleaseAnswer} released @returns {Fact[]} */
function facts({ exact: certificate, left_out: leftOut }) {
  const { suppressed, sl, gl, risk, dropped_for_missing: missing } = certificate;
  const share = (/** @type {string} */ term, /** @type {number} */ value) =>
    /** @type {Fact} */ ([term, percent(value), String(value)]);
  const level = (/** @type {string} */ term, /** @type {number} */ value) =>
    /** @type {Fact} */ ([term, number(value), String(value)]);
  return [
    ["Rows released", number(certificate.output.rows)],
    ["Rows suppressed", `${number(suppressed)} (${percent(sl)})`, String(sl)],
    ...(missing
      ? /** @type {Fact[]} */ ([
          ["Rows with missing values left out", number(missing)],
          ["Left out in all", leftOut],
        ])
      : []),
    ["k, smallest group", number(certificate.k)],
    share("Loss of cells (GL)", gl),
    share("Highest risk", risk.highest),
    share("Average risk", risk.average),
    ...Object.entries(certificate.l ?? {}).map(([column, { frequency }]) =>
      level(`l of ${column} (frequency, rounded down)`, frequency),
    ),
    ...Object.entries(certificate.t ?? {}).map(([column, t]) => level(`t of ${column}`, t)),
  ];
}

/** How many columns were recoded, kept, and so on. @param {ReleaseAnswer["exact"]["columns"]} columns */
const fates = (columns) =>
  ["recoded", "kept", "dropped", "tokens"]
    .flatMap((fate) => {
      const own = columns.filter((column) => column.fate === fate);
      return own.length ? [`${counted(own.length, "column")} ${fate === "tokens" ? "as tokens" : fate}`] : [];
    })
    .join(", ");

/** @param {string} run @param {ReleaseAnswer} released */
export function certified(run, released) {
  const { files, exact: certificate } = released;
  const first = files.find((file) => file === certificate.output.name) ?? files[0];
  const paper = (/** @type {string} */ file) =>
    make(
      "li",
      {},
      saver(api.releaseAddress(run, file), file, { class: "pick" }),
      make("span", { class: "soft", text: ` ${PAPERS.find(([end]) => file.endsWith(end))?.[1] ?? ""}` }),
    );
  return make(
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
      ...facts(released).map(([term, value, full]) =>
        make("div", {}, make("dt", { text: term }), make("dd", { text: value, title: full ?? value })),
      ),
    ),
    make("p", { class: "soft hash", text: `SHA-256 ${certificate.output.sha256}` }),
    make("p", { class: "soft", text: `Columns: ${fates(certificate.columns)}.` }),
    make("h3", { text: "Papers to keep with it" }),
    make("ul", { class: "papers" }, ...files.filter((file) => file !== first).map(paper)),
  );
}
