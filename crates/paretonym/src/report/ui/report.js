// @ts-check
// The report comes alive: limits are answered, solutions are pointed at and chosen, in plots and table alike.

import { answerWords } from "./answer.js";
import { choose, setLimits } from "./choose.js";
import { make } from "./dom.js";
import { tidy } from "./number.js";
import { ReportPlot } from "./report-plot.js";
import { ReportTable } from "./report-table.js";
import { FrontView } from "./view.js";

/** @typedef {import("./types.d.ts").Limits} Limits */

/** Columns of a recoding that fit beside a pointer. */
const BRIEF_COLUMNS = 9;

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const short = (/** @type {string} */ text, /** @type {number} */ most) =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

class Report {
  constructor() {
    this.front = new FrontView(JSON.parse(byId("data").textContent ?? ""));
    this.form = /** @type {HTMLFormElement} */ (byId("limits"));
    const drawn = /** @type {NodeListOf<SVGSVGElement>} */ (document.querySelectorAll("svg[data-plot]"));
    this.plots = [...drawn].map((svg) => new ReportPlot(svg, this.front));
    this.table = new ReportTable(this.front, (at) => this.point(at));
    this.pointed = -1;
    this.chosen = -1;
  }

  begin() {
    for (const plot of this.plots) {
      plot.listen({
        point: (at, from) => this.point(at, from),
        choose: (at) => this.choose(at),
        here: () => (this.pointed >= 0 ? this.pointed : this.chosen),
      });
    }
    document.addEventListener("click", (event) => {
      const pick = /** @type {HTMLElement | null} */ (
        /** @type {Element} */ (event.target).closest("button.pick[data-i]")
      );
      if (pick) this.choose(Number(pick.dataset.i));
    });
    this.form.addEventListener("input", () => this.limit(true));
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("reset", () => {
      // The values that the page opened with would come back.
      setTimeout(() => {
        for (const input of this.form.querySelectorAll("input")) input.value = "";
        this.limit(true);
      });
    });
    this.choose(this.limit(false).best[0] ?? -1);
  }

  /** The limits in the form. */
  typed() {
    /** @type {{ [name: string]: number }} */
    const limits = {};
    for (const { name, field } of this.front.view.bounds) {
      const { value } = /** @type {HTMLInputElement} */ (this.form.elements.namedItem(name));
      const typed = value.trim() === "" ? Number.NaN : Number(value);
      const share = this.front.fields[field].format === "share";
      if (Number.isFinite(typed) && typed >= 0) limits[name] = share ? tidy(typed / 100) : typed;
    }
    return setLimits(this.front.view.bounds, limits);
  }

  /** Answers the limits in the form. @param {boolean} written whether the words for them are old */
  limit(written) {
    const limits = this.typed();
    const answer = choose(this.front.view, limits);
    if (written) {
      byId("answer").replaceChildren(...answerWords(this.front, limits, answer, (at) => this.choose(at)));
    }
    for (const point of /** @type {NodeListOf<SVGElement>} */ (document.querySelectorAll(".points .p"))) {
      point.classList.toggle("out", !answer.feasible[Number(point.dataset.i)]);
    }
    for (const plot of this.plots) plot.limit(limits, limits.length ? answer.best : []);
    this.table.limit(answer.feasible);
    return answer;
  }

  /** Points at a solution everywhere; where a plot asks, its numbers stand beside it. @param {number} at @param {ReportPlot} [from] */
  point(at, from) {
    const tip = byId("tip");
    if (at !== this.pointed) {
      for (const plot of this.plots) plot.point(at);
      this.table.mark(this.pointed, "near", false);
      this.table.mark(at, "near", true);
      this.pointed = at;
      if (at >= 0 && from) tip.replaceChildren(...this.describe(at, true));
    }
    tip.hidden = at < 0 || !from;
    if (tip.hidden || !from) return;
    const [x, y] = from.screen(at);
    const { offsetWidth: width, offsetHeight: height } = tip;
    const left = x + 16 + width > innerWidth ? Math.max(x - width - 16, 4) : x + 16;
    const top = Math.min(Math.max(y - height / 2, 4), innerHeight - height - 4);
    tip.style.left = `${left + scrollX}px`;
    tip.style.top = `${Math.max(top, 4) + scrollY}px`;
  }

  /** @param {number} at */
  choose(at) {
    this.chosen = at;
    this.table.choose(at);
    for (const plot of this.plots) plot.choose(at);
    byId("chosen").hidden = at < 0;
    if (at >= 0) byId("chosen").replaceChildren(...this.describe(at, false));
  }

  /** A solution's numbers and recoding. @param {number} at @param {boolean} brief */
  describe(at, brief) {
    const { front } = this;
    const { objectives, telling } = front.view;
    const main = [...new Set([...objectives, ...telling].map(({ field }) => front.fields[field]))];
    const numbers = (brief ? main : front.fields).map((field) =>
      make(
        "div",
        {},
        make("dt", { text: field.label }),
        make("dd", { text: front.show(field, at), title: String(field.values[at] ?? "") }),
      ),
    );
    const columns = front.recoding(at);
    const rows = columns
      .slice(0, brief ? BRIEF_COLUMNS : undefined)
      .map(({ name, words }) =>
        make(
          "tr",
          {},
          make("th", { text: brief ? short(name, 30) : name }),
          make("td", { text: brief ? short(words, 48) : words }),
        ),
      );
    const more = columns.length - rows.length;
    if (more) rows.push(make("tr", {}, make("td", { text: `and ${more} more columns` })));
    return [
      make("h3", { text: `Solution ${front.ids[at]}` }),
      make("dl", { class: "numbers" }, ...numbers),
      make("table", { class: "recoding" }, make("tbody", {}, ...rows)),
    ];
  }
}

new Report().begin();
