// @ts-check
// The limits: a slider and a number for each of loss, suppression, k, l and t.

import { button, make } from "./dom.js";
import { tidy } from "./number.js";

/** @typedef {import("./types.d.ts").Field} Field */
/** @typedef {import("./types.d.ts").Bound} Bound */
/** @typedef {import("./types.d.ts").Limits} Limits */

const STEPS = 1000;

/** What a slider's place means: shares and t evenly, group sizes by their logarithm. @param {Field} field */
function track(field) {
  const values = field.values.filter((value) => value !== null);
  const most = values.reduce((high, value) => Math.max(high, value), 0);
  // Group sizes are whole numbers.
  const { log } = field;
  const high =
    field.format === "share"
      ? Math.min(Math.max(Math.ceil(most * 100 - 1e-9) / 100, 0.01), Math.max(most, 1))
      : Math.max(most, log ? 2 : 1e-9);
  return {
    value: (/** @type {number} */ place) => {
      const raw = log ? high ** (place / STEPS) : (place / STEPS) * high;
      if (log) return Math.round(raw);
      if (field.format === "share") return tidy(Math.round(raw * (high > 0.2 ? 1e3 : 1e4)) / (high > 0.2 ? 1e3 : 1e4));
      return Number(raw.toPrecision(3));
    },
    place: (/** @type {number} */ value) =>
      Math.round(STEPS * Math.min(Math.max(log ? Math.log(Math.max(value, 1)) / Math.log(high) : value / high, 0), 1)),
  };
}

/** One limit: its parts, and how to show a value in them. @param {Field} field @param {Bound} bound */
function limitParts(field, { name, upper, label: words }) {
  const share = field.format === "share";
  const { place } = track(field);
  const slider = make("input", {
    type: "range",
    min: 0,
    max: STEPS,
    id: `slide-${name}`,
    label: `${words}, slider`,
    title: field.meaning,
  });
  const input = make("input", {
    type: "number",
    min: 0,
    step: "any",
    id: name,
    name,
    inputmode: "decimal",
    placeholder: "any",
  });
  const none = button("×", () => {}, { class: "none", label: `No limit: ${words}`, title: "no limit" });
  const [first, ...rest] = words.split(" ");
  const row = make(
    "div",
    { class: "limit" },
    make("label", { for: name }, first.length === 1 ? make("i", { text: first }) : first, ` ${rest.join(" ")}`),
    slider,
    make("span", { class: "entry" }, input, make("span", { class: "unit", text: share ? "%" : "" })),
    none,
  );
  /** Shows a value, except where it was just set. @param {number | undefined} now @param {HTMLElement} [from] */
  const display = (now, from) => {
    row.classList.toggle("set", now !== undefined);
    none.disabled = now === undefined;
    if (from !== slider) slider.value = String(now === undefined ? (upper ? STEPS : 0) : place(now));
    if (from !== input) input.value = now === undefined ? "" : String(tidy(share ? now * 100 : now));
  };
  return { row, slider, input, none, display };
}

/**
 * @param {import("./view.js").FrontView} front
 * @param {(limits: Limits, rests: boolean) => void} changed
 */
export function limitsForm(front, changed) {
  /** @type {Limits} */
  const limits = {};
  const rows = front.view.bounds.map((bound) => {
    const name = /** @type {keyof Limits} */ (bound.name);
    const field = front.fields[bound.field];
    const { row, slider, input, none, display } = limitParts(field, bound);
    const write = (/** @type {number | undefined} */ now, /** @type {HTMLElement} */ from) => {
      if (now === undefined) delete limits[name];
      else limits[name] = now;
      display(now, from);
    };
    const rests = () => changed({ ...limits }, true);
    const moves = () => changed({ ...limits }, false);
    const { value } = track(field);
    slider.addEventListener("input", () => {
      const at = Number(slider.value);
      write(at === (bound.upper ? STEPS : 0) ? undefined : value(at), slider);
      moves();
    });
    input.addEventListener("input", () => {
      const typed = input.value.trim() === "" ? Number.NaN : Number(input.value);
      const now = field.format === "share" ? tidy(typed / 100) : typed;
      write(Number.isFinite(typed) && typed >= 0 ? now : undefined, input);
      moves();
    });
    none.addEventListener("click", () => {
      write(undefined, none);
      rests();
      input.focus();
    });
    slider.addEventListener("change", rests);
    input.addEventListener("change", rests);
    write(undefined, row);
    return { name, row, write };
  });
  const element = make(
    "form",
    { id: "limits", label: "Limits", on: { submit: (event) => event.preventDefault() } },
    ...rows.map(({ row }) => row),
  );
  return {
    element,
    /** Shows limits that were set elsewhere. @param {Limits} now */
    set: (now) => {
      for (const { name, row, write } of rows) write(now[name], row);
    },
  };
}
