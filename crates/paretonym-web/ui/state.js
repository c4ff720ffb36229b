// @ts-check
// What the page remembers: in memory the studies being edited and the fronts that were read, in the tab's session the
// limits, the choice and the pins of each run. Values of a table are never stored in the browser.

import * as api from "./api.js";
import { FrontView } from "./view.js";

/** @typedef {import("./types.d.ts").Profile} Profile */
/** @typedef {import("./types.d.ts").Study} Study */
/** @typedef {{ table: string, profile: Profile, study: Study }} Draft */
/** @typedef {{ limits?: import("./types.d.ts").Limits, chosen?: number, pinned: number[], files: string[] }} Memory */

/** @type {Map<string, Draft>} */
const drafts = new Map();

/** The study of a table as it is being edited; guessed by the server at first. @param {string} table @param {string} [from] a run whose study to start from */
export async function draft(table, from) {
  const key = from ? `${table} ${from}` : table;
  let own = drafts.get(key);
  if (!own) {
    const [profile, run] = await Promise.all([api.profile(table), from ? api.runInfo(from) : null]);
    own = { table, profile, study: structuredClone(run?.study ?? profile.study) };
    drafts.set(key, own);
  }
  return own;
}

/** Forgets what was edited. @param {string} table */
export function forgetDraft(table) {
  for (const key of [...drafts.keys()]) if (key === table || key.startsWith(`${table} `)) drafts.delete(key);
}

/** @type {Map<string, Promise<FrontView>>} */
const fronts = new Map();

/** The front of a run, read once. @param {string} run */
export function front(run) {
  let own = fronts.get(run);
  if (!own) {
    own = api.view(run).then((view) => new FrontView(view));
    own.catch(() => fronts.delete(run));
    fronts.set(run, own);
  }
  return own;
}

/** A run goes on: what was read of it is old. @param {string} run */
export const forgetFront = (run) => fronts.delete(run);

/** @type {Promise<import("./api.js").CatalogEntry[]> | undefined} */
let known;
export const catalog = () => (known ??= api.catalog());

/** @param {string} run @returns {Memory} */
export function memory(run) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(`run ${run}`) ?? "null");
    return { pinned: [], files: [], ...kept };
  } catch {
    return { pinned: [], files: [] };
  }
}

/** @param {string} run @param {Partial<Memory>} change */
export function remember(run, change) {
  const now = { ...memory(run), ...change };
  try {
    sessionStorage.setItem(`run ${run}`, JSON.stringify(now));
  } catch {
    // A browser without a session store: the page works, and forgets at a reload.
  }
  dispatchEvent(new CustomEvent("remembered", { detail: run }));
  return now;
}

/** Pins or unpins a solution. @param {string} run @param {number} id */
export function togglePin(run, id) {
  const { pinned } = memory(run);
  return remember(run, { pinned: pinned.includes(id) ? pinned.filter((one) => one !== id) : [...pinned, id] });
}
