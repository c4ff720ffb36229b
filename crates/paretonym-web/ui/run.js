// @ts-check
// A run: while it searches its front grows live and it can be stopped; after that its front is explored.

import * as api from "./api.js";
import { button, fill, loading, make, say, trouble } from "./dom.js";
import { showFront } from "./front.js";
import { number, percent } from "./number.js";
import { Scatter } from "./scatter.js";
import { statusBadge } from "./start.js";
import { forgetFront } from "./state.js";

/** @typedef {import("./types.d.ts").RunInfo} RunInfo */

/** @type {import("./main.js").View} */
export async function show({ page, parts: [run], still }) {
  /** @type {(() => void) | void} */
  let leave;
  const enter = async () => {
    leave?.();
    leave = undefined;
    const info = await api.runInfo(run);
    if (!still()) return;
    if (info.status === "running" || info.status === "waiting") leave = showLive(page, info, enter);
    else if (info.status === "failed" || (info.status === "stopped" && (info.solutions ?? null) === null))
      showFailed(page, info, enter);
    else {
      const shown = await showFront(page, info, still, () => resume(run, enter));
      if (still()) leave = shown;
      else shown?.();
    }
  };
  await enter();
  return () => leave?.();
}

/** @param {string} run @param {() => Promise<void>} enter */
async function resume(run, enter) {
  try {
    const { from_checkpoint: kept } = await api.resume(run);
    forgetFront(run);
    say(kept ? "The search goes on from its last checkpoint." : "This search keeps no state: it starts again.");
    await enter();
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
  }
}

/** A run without a front: why, and what to do. @param {HTMLElement} page @param {RunInfo} info @param {() => Promise<void>} enter */
function showFailed(page, info, enter) {
  const failed = info.status === "failed";
  fill(
    page,
    make("h1", {}, info.name, " ", statusBadge(info)),
    trouble(
      info.message ?? "There is no front yet.",
      failed ? "The search failed" : "The search was stopped",
      make(
        "p",
        { class: "buttons" },
        failed ? "" : button("Resume the search", () => resume(info.name, enter), { class: "primary", id: "resume" }),
        info.table
          ? make("a", {
              class: "button",
              href: `#/table/${encodeURIComponent(info.table)}?from=${encodeURIComponent(info.name)}`,
              text: "Change the study",
            })
          : "",
        failed ? button("Start again", () => resume(info.name, enter)) : "",
      ),
    ),
  );
}

/** The page while the search runs. @param {HTMLElement} page @param {RunInfo} info @param {() => Promise<void>} enter */
function showLive(page, info, enter) {
  const bar = make("progress", { label: "Progress of the search", max: 1 });
  const phase = make("span", {
    class: "phase",
    text: info.status === "waiting" ? "waiting for another run to end" : "starting",
  });
  const facts = make("dl", { class: "facts" });
  const plot = make("div", { class: "plot-place" }, loading("No solution yet"));
  const halt = button(
    "Stop",
    async () => {
      halt.disabled = true;
      phase.textContent = "stopping, and keeping the best front so far";
      try {
        await api.stop(info.name);
      } catch (error) {
        halt.disabled = false;
        say(error instanceof Error ? error.message : String(error));
      }
    },
    { class: "big", id: "stop" },
  );
  fill(
    page,
    make(
      "header",
      { class: "head" },
      make(
        "div",
        {},
        make("h1", {}, info.name, " ", statusBadge(info)),
        make("p", {
          class: "lead",
          text: `${[info.problem, info.optimizer].filter(Boolean).join(", ")}${info.table ? ` on ${info.table}` : ""}. You may close this page: the search goes on, and the front will be here.`,
        }),
      ),
      make("div", { class: "go" }, halt),
    ),
    make("div", { class: "live-bar" }, bar, phase),
    facts,
    make("section", { class: "live", "aria-label": "The front so far" }, plot),
  );

  const progress = (/** @type {import("./types.d.ts").Progress} */ now) => {
    if (!halt.disabled && now.phase) phase.textContent = now.phase;
    const share = now.total ? Math.min((now.done ?? 0) / now.total, 1) : null;
    if (share === null) bar.removeAttribute("value");
    else bar.value = share;
    /** @type {[string, string][]} */
    const shown = [];
    if (share !== null) shown.push(["Done", percent(share)]);
    if (now.evaluated !== null && now.evaluated !== undefined)
      shown.push(["Recodings evaluated", number(now.evaluated)]);
    if (now.hypervolume !== null && now.hypervolume !== undefined) shown.push(["Hypervolume", number(now.hypervolume)]);
    if (points) shown.push(["Solutions so far", number(points)]);
    fill(facts, ...shown.map(([term, text]) => make("div", {}, make("dt", { text: term }), make("dd", { text }))));
  };
  let points = 0;
  /** @type {Scatter | null} */
  let scatter = null;
  const grown = (/** @type {import("./types.d.ts").LiveFront} */ front) => {
    points = front.points.length;
    if (!points) return;
    const { x, y, shades, stair } = livePoints(front);
    if (scatter) return scatter.setData(x, y, shades);
    scatter = new Scatter(x, y, shades, {}, { stair, label: "The front so far" });
    fill(plot, scatter.element);
  };
  const close = api.events(info.name, {
    progress,
    front: grown,
    end: () => {
      close();
      forgetFront(info.name);
      enter();
    },
    refused: () => setTimeout(enter, 1000),
  });
  return close;
}

/** @param {import("./types.d.ts").LiveFront} front */
function livePoints({ axes, points }) {
  const axis = (/** @type {import("./types.d.ts").LiveAxis} */ { at, label, format, log }) => ({
    values: points.map((point) => point[at] ?? null),
    log,
    format,
    label,
  });
  // How much is suppressed is not known before the end.
  return { x: axis(axes.x), y: axis(axes.y), shades: new Uint8Array(points.length), stair: axes.stair };
}
