// @ts-check
// Which view is shown: the address after # decides. Every view fills the page and may return what to do when it goes.

import { Refusal } from "./api.js";
import { fill, loading, make, trouble } from "./dom.js";
import { memory } from "./state.js";

/** @typedef {{ page: HTMLElement, parts: string[], query: URLSearchParams, still: () => boolean }} Visit */
/** @typedef {(visit: Visit) => Promise<(() => void) | void>} View */

/** @type {[RegExp, () => Promise<{ show: View }>, string][]} */
const VIEWS = [
  [/^\/?$/, () => import("./start.js"), "Tables and runs"],
  [/^\/table\/([^/]+)$/, () => import("./columns.js"), "Columns"],
  [/^\/run\/([^/]+)$/, () => import("./run.js"), "Front"],
  [/^\/run\/([^/]+)\/solution\/(\d+)$/, () => import("./solution.js"), "Solution"],
  [/^\/run\/([^/]+)\/compare$/, () => import("./compare.js"), "Compare"],
  [/^\/run\/([^/]+)\/release\/(\d+)$/, () => import("./release.js"), "Release"],
];

/** @type {(() => void) | void} */
let leave;
let visits = 0;

async function route() {
  const visit = ++visits;
  const still = () => visit === visits;
  leave?.();
  leave = undefined;
  document.getElementById("said")?.classList.remove("shown");
  const page = /** @type {HTMLElement} */ (document.getElementById("page"));
  const [path, query = ""] = location.hash.replace(/^#/, "").split("?");
  const found = VIEWS.map(([pattern, load, title]) => ({ match: pattern.exec(path), load, title })).find(
    ({ match }) => match,
  );
  if (!found?.match) {
    fill(
      page,
      make("h1", { text: "There is no such page" }),
      make("p", {}, make("a", { href: "#/", text: "Tables and runs" })),
    );
    return;
  }
  const parts = found.match.slice(1).map(decodeURIComponent);
  document.title = parts.length ? `${found.title}: ${parts[0]} · paretonym` : "paretonym";
  drawSteps(found.title, parts);
  page.dataset.view = found.title.split(" ")[0].toLowerCase();
  fill(page, loading("Loading…"));
  if (visit > 1) {
    page.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
  try {
    const { show } = await found.load();
    const ended = await show({ page, parts, query: new URLSearchParams(query), still });
    if (still()) leave = ended;
    else ended?.();
  } catch (error) {
    if (!still()) return;
    const lost = error instanceof Refusal && error.status === 404;
    fill(
      page,
      trouble(
        error,
        lost ? "This is not there" : "This did not work",
        make("p", {}, make("a", { href: "#/", text: "Back to tables and runs" })),
      ),
    );
  }
}

/** The steps of the work, those that can be gone to as links. @param {string} title @param {string[]} parts */
function drawSteps(title, parts) {
  const steps = /** @type {HTMLElement} */ (document.getElementById("steps"));
  const step = (/** @type {string} */ words, /** @type {string | null} */ href, /** @type {boolean} */ here) =>
    make(
      "li",
      {},
      href
        ? make("a", { href, text: words, "aria-current": here ? "page" : null })
        : make("span", { text: words, class: here ? "here" : "later" }),
    );
  /** @type {HTMLLIElement[]} */
  let list;
  const inRun = ["Front", "Solution", "Compare", "Release"].includes(title);
  if (inRun) {
    const run = encodeURIComponent(parts[0]);
    const { chosen, pinned, files } = memory(parts[0]);
    const id = parts[1] ?? chosen;
    const count = pinned.length + files.length;
    list = [
      step("Tables and runs", "#/", false),
      step("Front", `#/run/${run}`, title === "Front"),
      step(id ? `Solution ${id}` : "Solution", id ? `#/run/${run}/solution/${id}` : null, title === "Solution"),
      step(count ? `Compare (${count})` : "Compare", `#/run/${run}/compare`, title === "Compare"),
      step("Release", id ? `#/run/${run}/release/${id}` : null, title === "Release"),
    ];
  } else {
    const columns = title === "Columns";
    list = [
      step("Tables and runs", "#/", !columns),
      step("Columns", columns ? location.hash : null, columns),
      step("Front", null, false),
      step("Release", null, false),
    ];
  }
  fill(steps, make("ol", {}, ...list));
}

addEventListener("hashchange", route);
addEventListener("remembered", () => {
  const found = VIEWS.map(([pattern, , title]) => ({
    match: pattern.exec(location.hash.slice(1).split("?")[0]),
    title,
  })).find(({ match }) => match);
  if (found?.match) drawSteps(found.title, found.match.slice(1).map(decodeURIComponent));
});
// A file dropped beside the place for it must not replace the page.
for (const event of ["dragover", "drop"]) addEventListener(event, (dropped) => dropped.preventDefault());
route();
