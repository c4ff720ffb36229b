// @ts-check
// Making elements. Text goes in as text only: whatever a table holds can never become markup.

/**
 * @typedef {{ class?: string | null, text?: string | number, title?: string, label?: string, on?: { [event: string]: (event: any) => void },
 *   [attribute: string]: unknown }} Options
 */

/**
 * An element with attributes, listeners and children.
 * @template {keyof HTMLElementTagNameMap} N
 * @param {N} name
 * @param {Options} [options] `text` is its text, `label` its ARIA label, `on` its listeners, all else attributes;
 *   attributes that are false, null or undefined are left out
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[N]}
 */
export function make(name, options = {}, ...children) {
  const element = document.createElement(name);
  dress(element, options);
  append(element, children);
  return element;
}

/** Gives an element its attributes and listeners. @param {Element} element @param {Options} options */
export function dress(element, options) {
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "text") element.textContent = String(value);
    else if (key === "class") element.setAttribute("class", String(value));
    else if (key === "label") element.setAttribute("aria-label", String(value));
    else if (key === "on")
      for (const [event, act] of Object.entries(/** @type {any} */ (value))) element.addEventListener(event, act);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
}

/** Adds what is there. @param {Element} element @param {(Node | string | null | undefined | false)[]} children */
export function append(element, children) {
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child);
}

/** A button. @param {string} text @param {() => void} act @param {Options} [options] */
export function button(text, act, options = {}) {
  return make("button", { type: "button", ...options, text, on: { click: act } });
}

/**
 * A list to choose from.
 * @param {[string, string][]} choices value and words
 * @param {string} chosen
 * @param {(value: string) => void} act
 * @param {Options} [options]
 */
export function select(choices, chosen, act, options = {}) {
  const list = make("select", options, ...choices.map(([value, words]) => make("option", { value, text: words })));
  list.value = chosen;
  list.addEventListener("change", () => act(list.value));
  return list;
}

/** A mark with words. @param {string} words @param {string} [look] */
export const badge = (words, look = "") => make("span", { class: `badge ${look}`, text: words });

/** Replaces everything. @param {Element} place @param {...(Node | string | null | undefined | false)} children */
export function fill(place, ...children) {
  place.replaceChildren();
  append(place, children);
}

/** Says something to people who listen rather than look, and shows it for a while. @param {string} words */
export function say(words) {
  const place = document.getElementById("said");
  if (!place) return;
  // What lies outside an open dialog is not read out.
  (document.querySelector("dialog[open]") ?? document.body).append(place);
  place.textContent = words;
  place.classList.add("shown");
  clearTimeout(hide);
  hide = setTimeout(() => place.classList.remove("shown"), 6000);
}
/** @type {ReturnType<typeof setTimeout> | undefined} */
let hide;

/** What went wrong, with what to do. @param {unknown} error @param {string} [what] @param {...Node} more */
export function trouble(error, what, ...more) {
  const words = error instanceof Error ? error.message : String(error);
  return make(
    "div",
    { class: "trouble", role: "alert" },
    what ? make("strong", { text: what }) : null,
    make("p", { text: words }),
    ...more,
  );
}

/** @param {string} words */
export const loading = (words) =>
  make("p", { class: "loading", role: "status" }, make("span", { class: "spinner", "aria-hidden": "true" }), words);

/** Warnings, or nothing. @param {string[] | undefined} warnings */
export const warningList = (warnings) =>
  warnings?.length ? make("ul", { class: "warnings" }, ...warnings.map((text) => make("li", { text }))) : null;
