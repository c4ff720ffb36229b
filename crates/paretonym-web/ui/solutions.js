// @ts-check
// All solutions as a table to sort and filter. Rows are made when they are shown.

import { button, fill, make } from "./dom.js";
import { number } from "./number.js";

const AT_FIRST = 60;

/** @typedef {import("./view.js").FrontView} FrontView */
/** @typedef {{ pick: (at: number) => void, point: (at: number) => void, pin: (id: number) => void, pinned: () => number[] }} Acts */

export class SolutionsTable {
  /** @param {FrontView} front @param {Acts} acts */
  constructor(front, acts) {
    this.front = front;
    this.acts = acts;
    /** By a field, or by the number of the solution. @type {{ by: number | "id", down: boolean }} */
    this.sort = { by: "id", down: false };
    this.shown = AT_FIRST;
    /** @type {Uint8Array | null} */
    this.within = null;
    this.chosen = -1;
    /** @type {HTMLTableRowElement[]} */
    this.rows = [];
    this.body = make("tbody", {});
    this.only = make("input", { type: "checkbox", id: "within", on: { change: () => this.draw() } });
    this.count = make("span", { class: "soft", id: "count" });
    this.all = button("Show all", () => this.showAll(), { id: "all" });
    const number = { by: /** @type {const} */ ("id"), label: "solution", meaning: "its number in front.json" };
    const columns = [number, ...front.fields.map(({ label, meaning }, by) => ({ by, label, meaning }))];
    this.heads = columns.map(({ by, label, meaning }) => ({
      by,
      head: make(
        "th",
        { scope: "col", title: meaning },
        button(label, () => this.sortBy(by)),
      ),
    }));
    this.element = this.build();
    this.draw();
  }

  build() {
    this.body.addEventListener("pointerover", (event) => {
      const over = /** @type {Element} */ (event.target).closest("tr");
      if (over) this.acts.point(Number(over.dataset.at));
    });
    this.body.addEventListener("pointerleave", () => this.acts.point(-1));
    const heads = [
      ...this.heads.map(({ head }) => head),
      make("th", { scope: "col", class: "plain", text: "compare" }),
    ];
    return make(
      "section",
      { class: "all-solutions" },
      make("h2", { text: "All solutions" }),
      make(
        "p",
        { class: "soft" },
        "The numbers of front.json, rounded; point at one for all its digits. ",
        make("label", { class: "check" }, this.only, " only those within the limits"),
        " ",
        this.count,
        " ",
        this.all,
      ),
      make(
        "div",
        { class: "sheet scroll", tabindex: 0, role: "region", label: "All solutions" },
        make("table", { id: "solutions" }, make("thead", {}, make("tr", {}, ...heads)), this.body),
      ),
    );
  }

  /** @param {number | "id"} by */
  sortBy(by) {
    this.sort = { by, down: this.sort.by === by && !this.sort.down };
    this.draw();
  }

  showAll() {
    this.shown = this.front.count;
    this.draw();
  }

  /** @param {number} at */
  row(at) {
    const { front, acts } = this;
    const id = front.ids[at];
    this.rows[at] ??= make(
      "tr",
      { "data-at": at },
      make(
        "th",
        { scope: "row" },
        button(String(id), () => acts.pick(at), { class: "pick", label: `Choose solution ${id}` }),
      ),
      ...front.fields.map((field) =>
        make("td", { text: front.show(field, at), title: String(field.values[at] ?? "") }),
      ),
      make(
        "td",
        {},
        button("Pin", () => acts.pin(id), { class: "pin quiet", label: `Pin solution ${id} to compare` }),
      ),
    );
    return this.rows[at];
  }

  draw() {
    const { front, within, sort } = this;
    const wanted = front.sorted(sort, (at) => !this.only.checked || !within || within[at] === 1);
    const visible = wanted.slice(0, this.shown);
    const pinned = this.acts.pinned();
    const rows = visible.map((at) => {
      const row = this.row(at);
      row.classList.toggle("out", within !== null && !within[at]);
      row.classList.toggle("chosen", at === this.chosen);
      const pin = /** @type {HTMLButtonElement} */ (row.querySelector(".pin"));
      const on = pinned.includes(front.ids[at]);
      pin.setAttribute("aria-pressed", String(on));
      pin.textContent = on ? "Pinned" : "Pin";
      return row;
    });
    fill(this.body, ...rows);
    for (const { by, head } of this.heads) {
      if (by === sort.by) head.setAttribute("aria-sort", sort.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
    this.count.textContent = `${number(visible.length)} of ${number(front.count)} shown`;
    this.all.hidden = visible.length === wanted.length;
  }

  /** What the limits leave. @param {Uint8Array | null} feasible */
  limit(feasible) {
    this.within = feasible;
    this.draw();
  }

  /** @param {number} at */
  choose(at) {
    this.chosen = at;
    this.draw();
  }
}
