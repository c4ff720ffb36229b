// @ts-check
// All solutions as a table to sort and filter. Rows are made when they are shown.

import { button, fill, make } from "./dom.js";
import { number } from "./number.js";

const AT_FIRST = 60;

/** @typedef {import("./view.js").FrontView} FrontView */

/** @param {FrontView} front @param {{ pick: (at: number) => void, point: (at: number) => void, pin: (id: number) => void, pinned: () => number[] }} acts */
export function solutionsTable(front, acts) {
  /** @type {{ by: number, down: boolean }} by -1: the number of the solution */
  let sort = { by: -1, down: false };
  let shown = AT_FIRST;
  /** @type {Uint8Array | null} */
  let within = null;
  let chosen = -1;

  const body = make("tbody", {});
  const only = make("input", { type: "checkbox", id: "within", on: { change: () => draw() } });
  const count = make("span", { class: "soft", id: "count" });
  const all = button(
    "Show all",
    () => {
      shown = front.count;
      draw();
    },
    { id: "all" },
  );
  const heads = [{ label: "solution", meaning: "its number in front.json" }, ...front.fields].map(
    ({ label, meaning }, at) => {
      const head = make(
        "th",
        { scope: "col", title: meaning },
        button(label, () => {
          const by = at - 1;
          sort = { by, down: sort.by === by && !sort.down };
          draw();
        }),
      );
      return head;
    },
  );
  /** @type {HTMLTableRowElement[]} */
  const rows = [];
  const row = (/** @type {number} */ at) =>
    (rows[at] ??= make(
      "tr",
      { "data-at": at },
      make(
        "th",
        { scope: "row" },
        button(String(front.ids[at]), () => acts.pick(at), {
          class: "pick",
          label: `Choose solution ${front.ids[at]}`,
        }),
      ),
      ...front.fields.map((field) =>
        make("td", {
          text: front.show(field, at),
          title: field.values[at] === null ? "" : String(field.values[at]),
        }),
      ),
      make(
        "td",
        {},
        button("Pin", () => acts.pin(front.ids[at]), { class: "pin quiet" }),
      ),
    ));

  function draw() {
    const order = Array.from({ length: front.count }, (_, at) => at).filter(
      (at) => !only.checked || !within || within[at],
    );
    const key = (/** @type {number} */ at) => (sort.by < 0 ? front.ids[at] : front.fields[sort.by].values[at]);
    order.sort((a, b) => {
      const [left, right] = [key(a), key(b)];
      if (left === null || right === null) return Number(left === null) - Number(right === null) || a - b;
      return (sort.down ? right - left : left - right) || a - b;
    });
    const visible = order.slice(0, shown);
    const pinned = acts.pinned();
    fill(
      body,
      ...visible.map((at) => {
        const one = row(at);
        one.classList.toggle("out", within !== null && !within[at]);
        one.classList.toggle("chosen", at === chosen);
        const pin = /** @type {HTMLButtonElement} */ (one.querySelector(".pin"));
        const on = pinned.includes(front.ids[at]);
        pin.setAttribute("aria-pressed", String(on));
        pin.setAttribute("aria-label", `Pin solution ${front.ids[at]} to compare`);
        pin.textContent = on ? "Pinned" : "Pin";
        return one;
      }),
    );
    heads.forEach((head, at) =>
      at - 1 === sort.by
        ? head.setAttribute("aria-sort", sort.down ? "descending" : "ascending")
        : head.removeAttribute("aria-sort"),
    );
    count.textContent = `${number(visible.length)} of ${number(front.count)} shown`;
    all.hidden = visible.length === order.length;
  }
  body.addEventListener("pointerover", (event) => {
    const over = /** @type {Element} */ (event.target).closest("tr");
    if (over) acts.point(Number(over.dataset.at));
  });
  body.addEventListener("pointerleave", () => acts.point(-1));

  draw();
  const element = make(
    "section",
    { class: "all-solutions" },
    make("h2", { text: "All solutions" }),
    make(
      "p",
      { class: "soft" },
      "The numbers of front.json, rounded; point at one for all its digits. ",
      make("label", { class: "check" }, only, " only those within the limits"),
      " ",
      count,
      " ",
      all,
    ),
    make(
      "div",
      { class: "sheet scroll", tabindex: 0, role: "region", label: "All solutions" },
      make(
        "table",
        { id: "solutions" },
        make("thead", {}, make("tr", {}, ...heads, make("th", { scope: "col", class: "plain", text: "compare" }))),
        body,
      ),
    ),
  );
  return {
    element,
    /** @param {Uint8Array | null} feasible */
    limit(feasible) {
      within = feasible;
      draw();
    },
    /** @param {number} at */
    choose(at) {
      chosen = at;
      draw();
    },
    draw,
  };
}
