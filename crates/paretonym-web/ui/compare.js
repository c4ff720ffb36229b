// @ts-check
// Pinned solutions, and releases of other tools, side by side.

import * as api from "./api.js";
import { comparisonResults } from "./comparison.js";
import { button, fill, loading, make, say, select, trouble } from "./dom.js";
import { safeName } from "./start.js";
import { front, memory, remember, togglePin } from "./state.js";

/** So many solutions can be chosen from a list. */
const MOST_LISTED = 500;

/** Shows the page anew. */
const again = () => dispatchEvent(new HashChangeEvent("hashchange"));

/** @type {import("./main.js").View} */
export async function show({ page, parts: [run], still }) {
  const [own, info] = await Promise.all([front(run), api.runInfo(run)]);
  if (!still()) return;
  const { pinned, files } = memory(run);
  const place = make("div", { id: "compared", "aria-live": "polite" });
  const compare = async (/** @type {string} */ column) => {
    fill(place, loading("Comparing row by row…"));
    try {
      const compared = await api.compare(run, { solutions: pinned, files, ...(column ? { id: column } : {}) });
      if (still()) fill(place, ...comparisonResults(compared));
    } catch (error) {
      if (still()) fill(place, trouble(error, "These cannot be compared"));
    }
  };
  const columns = info.study?.columns ?? [];
  const ids = columns.filter(({ role }) => [role].flat().includes("identifying")).map(({ name }) => name);
  /** @type {[string, string][]} */
  const ways = [["", "their order"], ...ids.map((id) => /** @type {[string, string]} */ ([id, id]))];
  const idColumn = make(
    "label",
    { class: "check" },
    "Rows are told apart by ",
    select(ways, "", compare, { id: "id-column" }),
  );
  const lead =
    "Two releases can have the same k and treat people differently. Pin solutions, or add a release that another tool made of the same table.";
  fill(
    page,
    make(
      "header",
      { class: "head" },
      make("div", {}, make("h1", { text: "Compare, person by person" }), make("p", { class: "lead", text: lead })),
    ),
    chips(own, run),
    files.length ? idColumn : null,
    place,
  );
  if (pinned.length + files.length >= 2) compare("");
  else fill(place, tooFew(run, pinned.length + files.length));
}

/** What to do where there is nothing to compare. @param {string} run @param {number} count */
const tooFew = (run, count) =>
  make(
    "p",
    { class: "empty" },
    `Pin ${count ? "one more solution" : "two solutions"} to compare: in the list above, or `,
    make("a", { href: `#/run/${encodeURIComponent(run)}`, text: "in the front" }),
    ".",
  );

/** What is compared, and what could be. @param {import("./view.js").FrontView} own @param {string} run */
function chips(own, run) {
  const { pinned, files } = memory(run);
  const chip = (/** @type {string} */ words, /** @type {string | null} */ href, /** @type {() => void} */ drop) => {
    const leave = () => {
      drop();
      again();
    };
    return make(
      "li",
      { class: "chip" },
      href ? make("a", { href, text: words }) : words,
      button("×", leave, { class: "none", label: `Leave out ${words}` }),
    );
  };
  const without = (/** @type {string} */ file) => remember(run, { files: files.filter((one) => one !== file) });
  const address = (/** @type {number} */ id) => `#/run/${encodeURIComponent(run)}/solution/${id}`;
  return make(
    "ul",
    { class: "chips" },
    ...pinned.map((id) => chip(`solution ${id}`, address(id), () => togglePin(run, id))),
    ...files.map((file) => chip(file, null, () => without(file))),
    make("li", {}, addSolution(own, run)),
    make(
      "li",
      {},
      make("label", { class: "button", for: "other", text: "Add a release of another tool" }),
      addFile(run),
    ),
  );
}

/** @param {import("./view.js").FrontView} own @param {string} run */
function addSolution(own, run) {
  const { pinned } = memory(run);
  const others = own.ids.map((id, at) => ({ id, at })).filter(({ id }) => !pinned.includes(id));
  const line = (/** @type {number} */ at) =>
    own
      .line(at)
      .map(([text]) => text)
      .join(", ");
  /** @type {[string, string][]} */
  const choices = others.slice(0, MOST_LISTED).map(({ id, at }) => [String(id), `${id}: ${line(at)}`]);
  const chosen = (/** @type {string} */ value) => {
    if (value === "") return;
    togglePin(run, Number(value));
    again();
  };
  return select([["", "add a solution…"], ...choices], "", chosen, { label: "Add a solution", id: "add" });
}

/** @param {string} run */
function addFile(run) {
  const input = make("input", { type: "file", id: "other", class: "file", accept: ".csv,.tsv,.txt,.parquet" });
  input.addEventListener("change", async () => {
    const file = input.files?.[0];
    if (!file) return;
    try {
      const taken = await api.upload(safeName(file.name), file);
      remember(run, { files: [...new Set([...memory(run).files, taken.name])] });
      again();
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  });
  return input;
}
