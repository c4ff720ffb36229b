// @ts-check
// Exploring a front: the picture, the limits with the best choice beside it, and the chosen solution.

import { answerWords } from "./answer.js";
import * as api from "./api.js";
import { recodingTable, solutionCard } from "./card.js";
import { choose, setLimits } from "./choose.js";
import { button, fill, make, say, trouble } from "./dom.js";
import { limitsForm } from "./limits.js";
import { flatWords, legend, plotOf, toolbar } from "./picture.js";
import { SolutionsTable } from "./solutions.js";
import { memory, remember, togglePin } from "./state.js";

/** @typedef {import("./view.js").FrontView} FrontView */
/** @typedef {import("./types.d.ts").Field} Field */
/** @typedef {import("./types.d.ts").Limits} Limits */
/** @typedef {import("./scatter.js").Scatter} Scatter */

/** A value that was drawn, as somebody would have written it. @param {Field} field @param {number} value */
function roundLimit({ key, format }, value) {
  if (key === "k") return Math.max(Math.ceil(value - 1e-9), 1);
  return format === "share" ? Math.round(value * 1e4) / 1e4 : Number(value.toPrecision(4));
}

/** The picture with limits and choice. */
export class Explorer {
  /** @param {FrontView} front @param {string} run */
  constructor(front, run) {
    this.front = front;
    this.run = run;
    /** @type {Limits} */
    this.limits = {};
    this.chosen = -1;
    this.pointed = -1;
    this.asked = 0;
    /** @type {[Field, Field][]} */
    this.pairs = front.view.pairs.map(([x, y]) => [front.fields[x], front.fields[y]]);
    this.plots = this.pairs.map((pair) => this.plot(pair));
    this.form = limitsForm(front, (limits, rests) => this.limit(limits, rests));
    this.answer = make("div", { id: "answer", "aria-live": "polite" });
    this.card = make("section", { id: "chosen", class: "card", label: "The chosen solution" });
    this.tip = make("div", { id: "tip", hidden: true, role: "tooltip" });
    this.table = new SolutionsTable(front, {
      pick: (at) => this.choose(at),
      point: (at) => this.point(at),
      pin: (id) => this.pin(id),
      pinned: () => memory(run).pinned,
    });
    this.element = this.build();
  }

  /** @param {[Field, Field]} pair */
  plot(pair) {
    const [x] = pair;
    /** @type {import("./scatter.js").Acts} */
    const acts = {
      point: (at, plot) => this.point(at, plot),
      pick: (at) => this.choose(at),
      brush: (box, rests) => this.brush(pair, box, rests),
    };
    const made = plotOf(this.front, pair, acts, this.pairs.length > 1);
    made.flat = this.front.view.flat.map(({ from, to }) => [x.values[from] ?? 0, x.values[to] ?? 0]);
    return made;
  }

  build() {
    const many = this.plots.length > 1;
    const { shades } = this.front.view;
    return make(
      "div",
      { class: `explore${many ? " wide" : ""}` },
      make(
        "section",
        { class: "picture", label: "The front" },
        make("div", { class: "picture-head" }, legend(shades), toolbar(this.plots)),
        make("div", { class: many ? "plots many" : "plots" }, ...this.plots.map((plot) => plot.element)),
        flatWords(this.front, (at) => this.choose(at)),
      ),
      make(
        "aside",
        {},
        make(
          "section",
          { class: "limits-place" },
          make(
            "div",
            { class: "aside-head" },
            make("h2", { text: "What do your limits allow?" }),
            button("Clear", () => this.limitFrom({}), { class: "quiet", id: "clear" }),
          ),
          this.form.element,
          this.answer,
        ),
        this.card,
      ),
      this.tip,
    );
  }

  begin() {
    const { limits, chosen } = memory(this.run);
    this.limitFrom(limits ?? this.front.view.opening);
    const at = chosen === undefined ? -1 : (this.front.places.get(chosen) ?? -1);
    if (at >= 0) this.choose(at);
  }

  end() {
    clearTimeout(this.later);
    this.asked++;
  }

  /** Limits that were set here, not typed. @param {Limits} limits */
  limitFrom(limits) {
    this.form.set(limits);
    this.limit(limits, true);
  }

  /** A box in a plot is a limit for each axis that has one. @param {[Field, Field]} pair @param {import("./scatter.js").Box} box @param {boolean} rests */
  brush([x, y], box, rests) {
    const limits = { ...this.limits };
    const put = (/** @type {Field} */ field, /** @type {number} */ low, /** @type {number} */ high) => {
      const bound = this.front.view.bounds.find((one) => this.front.fields[one.field] === field);
      if (!bound) return;
      const value = Math.max(bound.upper ? high : low, 0);
      limits[/** @type {keyof Limits} */ (bound.name)] = roundLimit(field, value);
    };
    put(x, box.left, box.right);
    put(y, box.low, box.high);
    this.form.set(limits);
    this.limit(limits, rests);
  }

  /** New limits: the answer and the picture follow at once, the rest when the limits rest. @param {Limits} limits @param {boolean} rests */
  limit(limits, rests) {
    this.limits = limits;
    const list = setLimits(this.front.view.bounds, limits);
    const found = choose(this.front.view, list);
    this.drawAnswer(list, found);
    this.plots.forEach((plot, at) => {
      const [x, y] = this.pairs[at];
      /** @type {import("./scatter.js").Shaded[]} */
      const beyond = [];
      for (const { field: place, value, upper } of list) {
        const field = this.front.fields[place];
        if (field === x || field === y) beyond.push({ axis: field === x ? "x" : "y", value, upper });
      }
      plot.limit(list.length ? found.feasible : null, list.length ? found.best : [], beyond);
    });
    if (found.best.length) this.choose(found.best[0], !rests);
    this.element.dataset.confirmed = "false";
    clearTimeout(this.later);
    this.later = setTimeout(
      () => {
        this.table.limit(list.length ? found.feasible : null);
        remember(this.run, { limits, chosen: this.front.ids[this.chosen] });
        this.confirm(limits, list, found);
      },
      rests ? 60 : 250,
    );
  }

  /** @param {import("./choose.js").Limit[]} list @param {{ count: number, best: number[], relaxations: { limit: string, at: number }[] }} found */
  drawAnswer(list, found) {
    fill(this.answer, ...answerWords(this.front, list, found, (at) => this.choose(at)));
  }

  /** Asks the program itself; its word holds. @param {Limits} limits @param {import("./choose.js").Limit[]} list @param {import("./choose.js").Answer} found */
  async confirm(limits, list, found) {
    const asked = ++this.asked;
    try {
      const choice = await api.choose(this.run, limits);
      if (asked !== this.asked) return;
      const at = (/** @type {{ id: number }} */ { id }) => this.front.places.get(id) ?? -1;
      const best = choice.best.map(at);
      const relaxations = choice.relaxations.map(({ limit, solution }) => ({ limit, at: at(solution) }));
      const same =
        choice.feasible === found.count &&
        String(best) === String(found.best) &&
        String(relaxations.map((one) => one.at)) === String(found.relaxations.map((one) => one.at));
      if (!same) {
        this.drawAnswer(list, { count: choice.feasible, best, relaxations });
        if (best.length) this.choose(best[0]);
      }
      this.element.dataset.confirmed = same ? "same" : "other";
    } catch (error) {
      if (asked !== this.asked) return;
      this.answer.append(trouble(error));
      this.element.dataset.confirmed = "failed";
    }
  }

  /** @param {number} at @param {boolean} [moving] while a limit moves, what takes time waits */
  choose(at, moving = false) {
    if (at === this.chosen && this.card.hasChildNodes()) return;
    this.chosen = at;
    for (const plot of this.plots) plot.choose(at);
    this.drawCard();
    if (moving) return;
    this.table.choose(at);
    remember(this.run, { chosen: this.front.ids[at] });
  }

  /** @param {number} id */
  pin(id) {
    const { pinned } = togglePin(this.run, id);
    say(
      pinned.includes(id)
        ? `Solution ${id} is pinned: ${pinned.length} to compare.`
        : `Solution ${id} is no longer pinned.`,
    );
    this.table.draw();
    this.drawCard();
  }

  /** Shows the chosen solution. */
  drawCard() {
    const hadFocus = document.activeElement?.id;
    fill(this.card, ...solutionCard(this.front, this.chosen, this.run, (id) => this.pin(id)));
    if (hadFocus && ["release", "look", "pin"].includes(hadFocus)) document.getElementById(hadFocus)?.focus();
  }

  /** Points at a solution everywhere; where a plot asks, its numbers stand beside it. @param {number} at @param {Scatter} [from] */
  point(at, from) {
    if (at !== this.pointed) {
      this.pointed = at;
      for (const plot of this.plots) plot.point(at);
      if (at >= 0 && from) {
        const { front } = this;
        fill(
          this.tip,
          make("strong", { text: `Solution ${front.ids[at]}` }),
          make(
            "p",
            {},
            front
              .line(at)
              .map(([text]) => text)
              .join(", "),
          ),
          recodingTable(front, at, 9),
        );
      }
    }
    this.tip.hidden = at < 0 || !from;
    if (this.tip.hidden || !from) return;
    const [x, y] = from.screen(at);
    const { offsetWidth: w, offsetHeight: h } = this.tip;
    this.tip.style.left = `${(x + 16 + w > innerWidth ? Math.max(x - w - 16, 4) : x + 16) + scrollX}px`;
    this.tip.style.top = `${Math.max(Math.min(Math.max(y - h / 2, 4), innerHeight - h - 4), 4) + scrollY}px`;
  }
}
