// @ts-check
// The server: one function for each thing it can be asked.

import { follow } from "./follow.js";
import { identified } from "./token.js";

/** @typedef {import("./types.d.ts").Limits} Limits */
/**
 * An entry of the catalogue, as `catalog --json` prints it.
 * @typedef {{ section: string, name: string, aliases: string[], summary: string, property: string, reference: string,
 *   models?: string[], parameters: Parameter[] }} CatalogEntry
 */

/** @typedef {{ name: string, default: string, choices: string[], summary: string }} Parameter */

export class Refusal extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {BodyInit} [body]
 * @param {string} [type]
 * @returns {Promise<any>}
 */
async function ask(method, path, body, type = "application/json") {
  /** @type {Response} */
  let answer;
  try {
    const headers = { ...identified(), ...(method === "GET" ? {} : { "Content-Type": type }) };
    answer = await fetch(`/api/${path}`, { method, body, headers, credentials: "omit" });
  } catch {
    throw new Refusal(
      "The server does not answer. Is `paretonym serve` still running? Start it again and open the address that it prints.",
      0,
    );
  }
  const text = await answer.text();
  /** @type {any} */
  let said = null;
  try {
    said = text ? JSON.parse(text) : null;
  } catch {
    if (answer.ok) throw new Refusal(`The server's answer to ${path.split("?")[0]} is not JSON.`, answer.status);
  }
  if (answer.ok) return said;
  if (answer.status === 401) {
    throw new Refusal(
      "This tab has no token, or that of a server that has ended. Open the address that `paretonym serve` printed, or go on in the tab in which you opened it.",
      answer.status,
    );
  }
  throw new Refusal(said?.error ?? `The server answered ${answer.status}.`, answer.status);
}

const get = (/** @type {string} */ path) => ask("GET", path);
const post = (/** @type {string} */ path, /** @type {unknown} */ body = {}) => ask("POST", path, JSON.stringify(body));
const of = encodeURIComponent;

/** @returns {Promise<import("./types.d.ts").ServerState>} */
export const state = () => get("state");
/** @returns {Promise<CatalogEntry[]>} */
export const catalog = () => get("catalog");
/** @param {string} name @param {Blob} file @returns {Promise<import("./types.d.ts").TableFile>} */
export const upload = (name, file) => ask("POST", `tables?name=${of(name)}`, file, "application/octet-stream");
/** @param {number} rows @returns {Promise<import("./types.d.ts").Named>} */
export const demo = (rows) => post("demo", { rows });
/** @param {string} table @returns {Promise<import("./types.d.ts").Profile>} */
export const profile = (table) => post("profile", { table });
/** @param {unknown} request @returns {Promise<import("./types.d.ts").MadeTaxonomy>} */
export const makeTaxonomy = (request) => post("taxonomy", request);
/** @param {string} text @returns {Promise<import("./types.d.ts").ReadTaxonomy>} */
export const readTaxonomy = (text) => ask("POST", "taxonomy/read", text, "application/octet-stream");
/** @param {string} table @param {import("./types.d.ts").Study} study @returns {Promise<import("./types.d.ts").Named>} */
export const startRun = (table, study) => post("runs", { table, study });
/** @param {string} run @returns {Promise<import("./types.d.ts").RunInfo>} */
export const runInfo = (run) => get(`runs/${of(run)}`);
/** @param {string} run @param {import("./follow.js").Listeners} listeners */
export const events = (run, listeners) => follow(`/api/runs/${of(run)}/events`, listeners);
/** @param {string} path @returns {Promise<import("./types.d.ts").Ticket>} */
export const ticket = (path) => post("tickets", { path });
/** @param {string} run */
export const stop = (run) => post(`runs/${of(run)}/stop`);
/** @param {string} run @returns {Promise<import("./types.d.ts").Resumed>} */
export const resume = (run) => post(`runs/${of(run)}/resume`);
/** @param {string} run */
export const remove = (run) => ask("DELETE", `runs/${of(run)}`, "{}");
/** @param {string} run @returns {Promise<import("./types.d.ts").View>} */
export const view = (run) => get(`runs/${of(run)}/view`);
/** @param {string} run */
export const reportAddress = (run) => `/api/runs/${of(run)}/report`;
/** @param {string} run @param {Limits} limits @returns {Promise<import("./types.d.ts").Choice>} */
export const choose = (run, limits) => post(`runs/${of(run)}/choose`, limits);
/** @param {string} run @param {number} id @returns {Promise<import("./types.d.ts").SolutionDetails>} */
export const solution = (run, id) => get(`runs/${of(run)}/solutions/${id}`);
/** @param {string} run @param {{ solutions: number[], files: string[], id?: string }} what @returns {Promise<import("./types.d.ts").Compared>} */
export const compare = (run, what) => post(`runs/${of(run)}/compare`, what);
/** @param {string} run @param {unknown} how @returns {Promise<import("./types.d.ts").ReleaseAnswer>} */
export const release = (run, how) => post(`runs/${of(run)}/release`, how);
/** @param {string} run @param {string} file */
export const releaseAddress = (run, file) => `/api/runs/${of(run)}/releases/${of(file)}`;
