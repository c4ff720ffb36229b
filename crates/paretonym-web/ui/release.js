// @ts-check
// The release of a solution: how it is written, what to know before, and what came of it.

import { solutionParts } from "./answer.js";
import * as api from "./api.js";
import { certified } from "./certified.js";
import { button, fill, loading, make, trouble, warningList } from "./dom.js";
import { number } from "./number.js";
import { releaseForm, releaseWish } from "./release-form.js";
import { front, memory, remember } from "./state.js";

/** @typedef {import("./view.js").FrontView} FrontView */

/** @type {import("./main.js").View} */
export async function show({ page, parts: [run, text], still }) {
  const id = Number(text);
  const [own, info] = await Promise.all([front(run), api.runInfo(run)]);
  if (!still()) return;
  const at = own.places.get(id);
  if (at === undefined) throw new Error(`This front has no solution ${id}.`);
  if (memory(run).chosen !== id) remember(run, { chosen: id });
  const place = make("div", { id: "released", "aria-live": "polite" }, outlook(own, at));
  const write = button(
    "Write and verify",
    async () => {
      if (!form.reportValidity()) return;
      write.disabled = true;
      fill(place, loading("Writing the release, reading it back, and counting it from scratch…"));
      try {
        const released = await api.release(run, releaseWish(form, id));
        if (still()) fill(place, certified(run, released));
        /** @type {HTMLElement | null} */ (place.querySelector("button.primary"))?.focus();
      } catch (error) {
        if (still()) fill(place, trouble(error, "Nothing was released"));
      } finally {
        write.disabled = false;
      }
    },
    { class: "primary big", id: "write" },
  );
  const table = info.table ?? run;
  // A table in a database has a name that no file may have.
  const bare = table.startsWith("database:") ? table.replace(/^.*\//, "") : table.replace(/\.[^.]+$/, "");
  const base = bare.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[.-]+/, "");
  const columns = info.study?.columns ?? [];
  const identifying = columns.filter(({ role }) => [role].flat().includes("identifying")).map(({ name }) => name);
  const alone = (own.value("k", at) ?? 1) < 2;
  const form = releaseForm({ name: `${base}-release-${id}`, identifying, alone }, write);
  fill(page, head(own, at), make("div", { class: "release" }, form, place));
}

/** What to know before. @param {FrontView} own @param {number} at */
function head(own, at) {
  const k = own.value("k", at);
  const warn = (/** @type {string} */ text) => make("p", { class: "warn", text });
  return make(
    "header",
    { class: "head" },
    make(
      "div",
      {},
      make("h1", { text: `Release solution ${own.ids[at]}` }),
      make("p", { class: "lead" }, ...solutionParts(own, at)),
      own.isMeasured(at)
        ? null
        : warn(
            "The search was stopped before this solution was measured. Writing it measures it; read the certificate before you hand it out.",
          ),
      k !== null && k < 2
        ? warn(
            "k = 1: some rows are the only ones with their values, so whoever knows these values finds the person. Choose a solution with a larger k, unless the file stays with you.",
          )
        : null,
      // What is said of other solutions does not concern this one.
      warningList([...own.view.warnings_of_table, ...own.concerns(at)]),
      make("p", {
        class: "soft",
        text: "The file gets its name only after it was read back, counted from scratch, and found to hold what the solution claims.",
      }),
    ),
  );
}

/** What one will get. @param {FrontView} own @param {number} at */
function outlook(own, at) {
  const { rows, dropped } = own.view;
  const suppressed = own.value("suppressed", at);
  const part = (/** @type {string} */ name, /** @type {string} */ words) =>
    make("li", {}, make("b", { text: name }), words);
  return make(
    "div",
    { class: "card outlook" },
    make("h2", { text: "What you will get" }),
    make(
      "ul",
      {},
      part(
        "The table",
        suppressed === null
          ? ", in random order"
          : `, with ${number(rows - suppressed)} of ${number(rows + dropped)} rows in random order (${own.leftOut(at)})`,
      ),
      part(
        "Its certificate",
        ": where it comes from, how it was made, and what the written file was measured to hold; to read, and for programs",
      ),
      part(
        "Its recoding",
        ": the sets that it shows. What a later table needs besides stays in the private folder of this run",
      ),
    ),
  );
}
