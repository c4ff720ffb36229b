// @ts-check
// The table of the report. Its first rows are written already; the others are made when they are asked for.

import { make } from "./dom.js";
import { number } from "./number.js";

/** @typedef {import("./view.js").FrontView} FrontView */

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

export class ReportTable {
  /** @param {FrontView} front @param {(at: number) => void} point */
  constructor(front, point) {
    this.front = front;
    this.body = /** @type {HTMLElement} */ (document.querySelector("#solutions tbody"));
    /** @type {HTMLElement[]} */
    this.rows = [];
    for (const row of /** @type {NodeListOf<HTMLElement>} */ (this.body.querySelectorAll("tr"))) {
      this.rows[Number(row.dataset.i)] = row;
    }
    this.shown = this.rows.length;
    /** @type {Uint8Array | null} */
    this.within = null;
    this.chosen = -1;
    /** By a field, or by the number of the solution. @type {{ by: number | "id", down: boolean }} */
    this.sort = { by: "id", down: false };
    this.listen(point);
  }

  /** @param {(at: number) => void} point */
  listen(point) {
    const heads = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#solutions thead button"));
    for (const head of heads) {
      head.addEventListener("click", () => {
        const by = head.dataset.sort === "id" ? "id" : Number(head.dataset.sort);
        this.sort = { by, down: this.sort.by === by && !this.sort.down };
        for (const other of heads) other.parentElement?.removeAttribute("aria-sort");
        head.parentElement?.setAttribute("aria-sort", this.sort.down ? "descending" : "ascending");
        this.draw();
      });
    }
    byId("within").addEventListener("change", () => this.draw());
    byId("all").addEventListener("click", () => {
      this.shown = this.front.count;
      this.draw();
    });
    this.body.addEventListener("pointerover", (event) => {
      const over = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("tr"));
      if (over) point(Number(over.dataset.i));
    });
    this.body.addEventListener("pointerleave", () => point(-1));
  }

  /** @param {number} at */
  row(at) {
    const { front } = this;
    this.rows[at] ??= make(
      "tr",
      { "data-i": at },
      make(
        "th",
        { scope: "row" },
        make("button", { type: "button", class: "pick", "data-i": at, text: front.ids[at] }),
      ),
      ...front.fields.map((field) => {
        const value = field.values[at];
        return make("td", {
          text: front.show(field, at),
          title: value === null ? undefined : String(value),
          "data-value": value,
        });
      }),
    );
    return this.rows[at];
  }

  /** What the limits leave. @param {Uint8Array} within */
  limit(within) {
    this.within = within;
    this.draw();
  }

  /** @param {number} at @param {"near" | "chosen"} look @param {boolean} on */
  mark(at, look, on) {
    this.rows[at]?.classList.toggle(look, on);
  }

  /** @param {number} at */
  choose(at) {
    this.mark(this.chosen, "chosen", false);
    this.mark(at, "chosen", true);
    this.chosen = at;
  }

  draw() {
    const { front, sort, within } = this;
    const only = /** @type {HTMLInputElement} */ (byId("within")).checked;
    const wanted = front.sorted(sort, (at) => !only || within?.[at] === 1);
    const visible = wanted.slice(0, this.shown);
    const rows = visible.map((at) => {
      const row = this.row(at);
      row.classList.toggle("out", !within?.[at]);
      row.classList.toggle("chosen", at === this.chosen);
      return row;
    });
    this.body.replaceChildren(...rows);
    byId("count").textContent = `${number(visible.length)} of ${number(front.count)} shown`;
    byId("all").hidden = visible.length === wanted.length;
  }
}
