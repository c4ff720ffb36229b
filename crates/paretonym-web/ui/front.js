// @ts-check
// The front: what was found and how, and below it the picture to explore it with.

import * as api from "./api.js";
import { button, fill, make, warningList } from "./dom.js";
import { saver } from "./download.js";
import { Explorer } from "./explorer.js";
import { statusBadge } from "./start.js";
import { front as readFront } from "./state.js";

/** @typedef {import("./types.d.ts").RunInfo} RunInfo */

/** @param {HTMLElement} page @param {RunInfo} info @param {() => boolean} still @param {() => void} resume @returns {Promise<(() => void) | void>} */
export async function showFront(page, info, still, resume) {
  const run = info.name;
  const front = await readFront(run);
  if (!still()) return;
  const head = frontHead(front.view, info, resume);
  if (front.count === 0) {
    fill(
      page,
      head,
      make("p", {
        class: "empty",
        text: "No recoding fits the study. Allow more suppressed rows, or give the columns coarser levels, and explore again.",
      }),
    );
    return;
  }
  const explorer = new Explorer(front, run);
  fill(page, head, explorer.element, explorer.table.element);
  explorer.begin();
  return () => explorer.end();
}

/** @param {import("./types.d.ts").View} view @param {RunInfo} info @param {() => void} resume */
function frontHead({ headline, trust, facts, warnings }, info, resume) {
  const run = encodeURIComponent(info.name);
  return make(
    "header",
    { class: "head" },
    make(
      "div",
      {},
      make("h1", {}, info.table ?? info.name, " ", statusBadge(info)),
      make("p", { class: "lead", text: headline }),
      warningList(warnings),
      make(
        "details",
        { class: "how" },
        make("summary", {}, make("span", { class: `trust ${trust.look}`, text: trust.words }), " How it was computed"),
        make(
          "dl",
          { class: "facts" },
          ...facts.map(([term, text]) => make("div", {}, make("dt", { text: term }), make("dd", { text }))),
        ),
      ),
    ),
    make(
      "div",
      { class: "go" },
      info.status === "stopped" ? button("Resume the search", resume, { class: "big", id: "resume" }) : null,
      info.table
        ? make("a", {
            class: "button",
            href: `#/table/${encodeURIComponent(info.table)}?from=${run}`,
            text: "Change the study",
          })
        : null,
      saver(api.reportAddress(info.name), "Download the report"),
    ),
  );
}
