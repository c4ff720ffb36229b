// @ts-check
// The limits: a slider and a number for each of loss, suppression, k, l and t.

import { button, make } from "./dom.js";
import { rounded } from "./number.js";

/** @typedef {import("./choose.js").Bound} Bound */
/** @typedef {import("./types.d.ts").Limits} Limits */

const STEPS = 1000;

/** What a slider's place means: shares and t evenly, group sizes by their logarithm. @param {Bound} bound */
function track({ name, field }) {
  const values = field.values.filter((value) => value !== null);
  const most = values.reduce((high, value) => Math.max(high, value), 0);
  const log = name === "min_k";
  const whole = name === "min_k";
  const high =
    field.kind === "share"
      ? Math.min(Math.max(Math.ceil(most * 100 - 1e-9) / 100, 0.01), Math.max(most, 1))
      : Math.max(most, log ? 2 : 1e-9);
  return {
    value: (/** @type {number} */ place) => {
      const raw = log ? high ** (place / STEPS) : (place / STEPS) * high;
      if (whole) return Math.round(raw);
      if (field.kind === "share") return rounded(Math.round(raw * (high > 0.2 ? 1e3 : 1e4)) / (high > 0.2 ? 1e3 : 1e4));
      return Number(raw.toPrecision(3));
    },
    place: (/** @type {number} */ value) =>
      Math.round(STEPS * Math.min(Math.max(log ? Math.log(Math.max(value, 1)) / Math.log(high) : value / high, 0), 1)),
  };
}

/**
 * @param {Bound[]} bounds
 * @param {(limits: Limits, rests: boolean) => void} changed
 */
export function limitsForm(bounds, changed) {
  /** @type {Limits} */
  const limits = {};
  const rows = bounds.map((bound) => {
    const { name, field, upper, words } = bound;
    const share = field.kind === "share";
    const { value, place } = track(bound);
    const [first, ...rest] = words.split(" ");
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
    const none = button(
      "×",
      () => {
        write(undefined);
        changed({ ...limits }, true);
        input.focus();
      },
      { class: "none", label: `No limit: ${words}`, title: "no limit" },
    );
    const row = make(
      "div",
      { class: "limit" },
      make("label", { for: name }, /^[klt]$/.test(first) ? make("i", { text: first }) : first, ` ${rest.join(" ")}`),
      slider,
      make("span", { class: "entry" }, input, make("span", { class: "unit", text: share ? "%" : "" })),
      none,
    );
    const write = (/** @type {number | undefined} */ now, typed = false) => {
      if (now === undefined) delete limits[name];
      else limits[name] = now;
      row.classList.toggle("set", now !== undefined);
      none.disabled = now === undefined;
      slider.value = String(now === undefined ? (upper ? STEPS : 0) : place(now));
      if (!typed) input.value = now === undefined ? "" : String(rounded(share ? now * 100 : now));
    };
    slider.addEventListener("input", () => {
      const at = Number(slider.value);
      const at_end = upper ? at === STEPS : at === 0;
      const now = value(at);
      if (at_end) delete limits[name];
      else limits[name] = now;
      row.classList.toggle("set", !at_end);
      none.disabled = at_end;
      input.value = at_end ? "" : String(rounded(share ? now * 100 : now));
      changed({ ...limits }, false);
    });
    slider.addEventListener("change", () => changed({ ...limits }, true));
    input.addEventListener("input", () => {
      const typed = input.value.trim() === "" ? NaN : Number(input.value);
      write(Number.isFinite(typed) && typed >= 0 ? (share ? rounded(typed / 100) : typed) : undefined, true);
      changed({ ...limits }, false);
    });
    input.addEventListener("change", () => changed({ ...limits }, true));
    write(undefined);
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
    set: (now) => rows.forEach(({ name, write }) => write(now[name])),
  };
}
