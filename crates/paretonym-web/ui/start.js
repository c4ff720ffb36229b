// @ts-check
// The start: a file to pick or drop, a synthetic table to try, and the tables and runs of the working folder.

import * as api from "./api.js";
import { badge, button, fill, loading, make, say, trouble } from "./dom.js";
import { counted, number, size } from "./number.js";

/** @typedef {import("./types.d.ts").RunInfo} RunInfo */

/** A name that the server takes. @param {string} name */
export const safeName = (name) =>
  name
    .replace(/^.*[\\/]/, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[.-]+/, "") || "table.csv";

/** @type {import("./main.js").View} */
export async function show({ page, still }) {
  const state = await api.state();
  if (!still()) return;
  const first = state.runs.length === 0 && state.tables.length === 0;
  const said = make("div", { class: "pick-said" });
  fill(
    page,
    make(
      "section",
      { class: "hero" },
      make("h1", { text: "What does privacy cost?" }),
      make("p", {
        class: "lead",
        text: "Give a table about people. You get the recodings that no other recoding beats in both privacy and information kept, choose one by pointing at it, and download a release that holds what it claims.",
      }),
      picker(state.upload_limit, said),
      said,
    ),
    state.runs.length ? runs(state.runs, () => show({ page, still, parts: [], query: new URLSearchParams() })) : null,
    state.tables.length ? tables(state.tables) : null,
    make("p", {
      class: "foot",
      text: `Working folder: ${state.folder}. Rows stay on this machine; nothing on this page comes from or goes to a network. paretonym ${state.version}`,
    }),
  );
  if (first) page.querySelector("input")?.focus({ preventScroll: true });
}

/** Where a file is picked or dropped. @param {number} limit @param {HTMLElement} said */
function picker(limit, said) {
  const input = make("input", {
    type: "file",
    id: "file",
    accept: ".csv,.tsv,.txt,.parquet,.gz",
    class: "file",
    on: { change: () => input.files?.[0] && take(input.files[0]) },
  });
  const take = async (/** @type {File} */ file) => {
    if (limit && file.size > limit) {
      fill(
        said,
        trouble(
          `${file.name} has ${size(file.size)}; the server takes up to ${size(limit)}. Start it with a larger --max-upload.`,
        ),
      );
      return;
    }
    fill(said, loading(`Reading ${file.name} (${size(file.size)})…`));
    try {
      const { name } = await api.upload(safeName(file.name), file);
      location.hash = `#/table/${encodeURIComponent(name)}`;
    } catch (error) {
      fill(said, trouble(error, `${file.name} was not taken`));
    }
  };
  const tryDemo = button(
    "Try it with a synthetic census",
    async () => {
      fill(said, loading("Making 30,000 people who do not exist…"));
      try {
        const { name } = await api.demo(30000);
        location.hash = `#/table/${encodeURIComponent(name)}`;
      } catch (error) {
        fill(said, trouble(error));
      }
    },
    { id: "demo", class: "quiet" },
  );
  const place = make(
    "div",
    { class: "drop" },
    make("label", { class: "primary big", for: "file", text: "Choose a table" }),
    input,
    make("p", { class: "soft" }, "or drop a CSV, TSV or Parquet file here. No table at hand? ", tryDemo),
  );
  place.addEventListener("dragover", () => place.classList.add("over"));
  place.addEventListener("dragleave", () => place.classList.remove("over"));
  place.addEventListener("drop", (event) => {
    place.classList.remove("over");
    const file = event.dataTransfer?.files[0];
    if (file) take(file);
  });
  return place;
}

/** @param {RunInfo[]} list @param {() => void} again */
function runs(list, again) {
  const row = (/** @type {RunInfo} */ run) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, make("a", { href: `#/run/${encodeURIComponent(run.name)}`, text: run.name })),
      make("td", {}, statusBadge(run)),
      make("td", {
        class: "num",
        text: run.solutions === null || run.solutions === undefined ? "–" : number(run.solutions),
      }),
      make("td", { text: [run.problem, run.optimizer].filter(Boolean).join(", ") }),
      make("td", { text: run.table ?? "" }),
      make(
        "td",
        { class: "acts" },
        button(
          "Remove",
          async () => {
            if (!confirm(`Remove the run ${run.name} with its front and its releases?`)) return;
            try {
              await api.remove(run.name);
              say(`${run.name} is removed.`);
              again();
            } catch (error) {
              say(error instanceof Error ? error.message : String(error));
            }
          },
          {
            class: "quiet danger",
            disabled: run.status === "running" || run.status === "waiting",
            label: `Remove the run ${run.name}`,
          },
        ),
      ),
    );
  return make(
    "section",
    {},
    make("h2", { text: "Runs" }),
    make(
      "div",
      { class: "sheet" },
      make(
        "table",
        { class: "list" },
        make(
          "thead",
          {},
          make(
            "tr",
            {},
            ...["Run", "State", "Solutions", "Problem", "Table", ""].map((text, at) =>
              make("th", { scope: "col", class: at === 2 ? "num" : null, text }),
            ),
          ),
        ),
        make("tbody", {}, ...list.map(row)),
      ),
    ),
  );
}

/** @param {RunInfo} run */
export function statusBadge(run) {
  switch (run.status) {
    case "running":
      return badge("running", "busy");
    case "waiting":
      return badge("waiting", "busy");
    case "failed":
      return badge("failed", "bad");
    case "stopped":
      return badge("stopped", "warn");
    default:
      return run.exact ? badge("exact", "good") : run.complete === false ? badge("ended early", "warn") : badge("done");
  }
}

/** @param {import("./types.d.ts").TableFile[]} list */
function tables(list) {
  return make(
    "section",
    {},
    make("h2", { text: "Tables" }),
    make(
      "div",
      { class: "sheet" },
      make(
        "table",
        { class: "list" },
        make(
          "thead",
          {},
          make(
            "tr",
            {},
            make("th", { scope: "col", text: "Table" }),
            make("th", { scope: "col", class: "num", text: "Size" }),
            make("th", { scope: "col" }),
          ),
        ),
        make(
          "tbody",
          {},
          ...list.map(({ name, bytes }) =>
            make(
              "tr",
              {},
              make("th", { scope: "row" }, make("a", { href: `#/table/${encodeURIComponent(name)}`, text: name })),
              name.startsWith("database:")
                ? make("td", { class: "num", text: "in a database" })
                : make("td", { class: "num", text: size(bytes), title: counted(bytes, "byte") }),
              make(
                "td",
                { class: "acts" },
                make("a", { href: `#/table/${encodeURIComponent(name)}`, text: "Describe and explore" }),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}
