// @ts-check
// The front: the picture, the limits with the best choice beside it, and the chosen solution with what to do with it.

import { answerWords } from "./answer.js";
import * as api from "./api.js";
import { bounds, choose, openingLimits, setLimits } from "./choose.js";
import { badge, button, fill, make, say, trouble, warningList } from "./dom.js";
import { saver } from "./download.js";
import { isLog, leftOut, recodingWords } from "./fields.js";
import { flatRegions } from "./flat.js";
import { limitsForm } from "./limits.js";
import { number, show } from "./number.js";
import { Scatter } from "./scatter.js";
import { shade, shadeEnds, shadeWords } from "./shade.js";
import { solutionsTable } from "./solutions.js";
import { statusBadge } from "./start.js";
import { front as readFront, memory, remember, togglePin } from "./state.js";

/** @typedef {import("./fields.js").Fields} Fields */
/** @typedef {import("./types.d.ts").Limits} Limits */
/** @typedef {import("./types.d.ts").RunInfo} RunInfo */

/** @param {HTMLElement} page @param {RunInfo} info @param {() => boolean} still @param {() => void} resume @returns {Promise<(() => void) | void>} */
export async function showFront(page, info, still, resume) {
  const run = info.name;
  const fields = await readFront(run);
  if (!still()) return;
  const head = frontHead(fields, info, resume);
  if (fields.count === 0) {
    fill(
      page,
      head,
      make("p", {
        class: "empty",
        text: "No recoding fits the study. Allow more suppressed rows, or give the columns coarser levels, and explore again.",
      }),
    );
    return;
  }
  const explorer = new Explorer(fields, run);
  fill(page, head, explorer.element, explorer.table.element);
  explorer.begin();
  return () => explorer.end();
}

/** @param {Fields} fields @param {RunInfo} info @param {() => void} resume */
function frontHead(fields, info, resume) {
  const [look, words] = fields.trust();
  const run = encodeURIComponent(info.name);
  return make(
    "header",
    { class: "head" },
    make(
      "div",
      {},
      make("h1", {}, info.table ?? info.name, " ", statusBadge(info)),
      make("p", { class: "lead", text: fields.headline() }),
      warningList(fields.front.warnings),
      make(
        "details",
        { class: "how" },
        make("summary", {}, make("span", { class: `trust ${look}`, text: words }), " How it was computed"),
        make(
          "dl",
          { class: "facts" },
          ...fields.facts().map(([term, text]) => make("div", {}, make("dt", { text: term }), make("dd", { text }))),
        ),
      ),
    ),
    make(
      "div",
      { class: "go" },
      info.status === "stopped" ? button("Resume the search", resume, { class: "big", id: "resume" }) : null,
      info.table
        ? make("a", {
            class: "button",
            href: `#/table/${encodeURIComponent(info.table)}?from=${run}`,
            text: "Change the study",
          })
        : null,
      saver(api.reportAddress(info.name), "Download the report"),
    ),
  );
}

/** The picture with limits and choice. */
class Explorer {
  /** @param {Fields} fields @param {string} run */
  constructor(fields, run) {
    this.fields = fields;
    this.run = run;
    this.bounds = bounds(fields);
    /** @type {Limits} */
    this.limits = {};
    this.chosen = -1;
    this.pointed = -1;
    this.asked = 0;
    const sl = fields.find("sl");
    const ends = shadeEnds(sl?.values ?? []);
    this.shades = Uint8Array.from(fields.ids, (_, at) => shade(ends, sl?.values[at] ?? 0));
    const pairs = fields.pairs();
    this.plots = pairs.map(([x, y]) => this.plot(x, y, pairs.length > 1));
    this.flat = pairs.length === 1 ? flatRegions(fields) : [];
    if (this.flat.length)
      this.plots[0].flat = this.flat.map(({ from, to }) => [
        pairs[0][0].values[from] ?? 0,
        pairs[0][0].values[to] ?? 0,
      ]);
    this.pairs = pairs;
    this.form = limitsForm(this.bounds, (limits, rests) => this.limit(limits, rests));
    this.answer = make("div", { id: "answer", "aria-live": "polite" });
    this.card = make("section", { id: "chosen", class: "card", label: "The chosen solution" });
    this.tip = make("div", { id: "tip", hidden: true, role: "tooltip" });
    this.table = solutionsTable(fields, {
      pick: (at) => this.choose(at),
      point: (at) => this.point(at),
      pin: (id) => this.pin(id),
      pinned: () => memory(run).pinned,
    });
    this.element = this.build(ends);
  }

  /** @param {number[]} ends */
  build(ends) {
    const many = this.plots.length > 1;
    const mode = (/** @type {"limit" | "move"} */ value, /** @type {string} */ words, /** @type {string} */ title) =>
      button(
        words,
        () => {
          for (const plot of this.plots) plot.mode = value;
          for (const one of tools.querySelectorAll("[data-mode]"))
            one.setAttribute("aria-pressed", String(one.getAttribute("data-mode") === value));
        },
        { "data-mode": value, "aria-pressed": String(value === "limit"), title },
      );
    const each = (/** @type {(plot: Scatter) => void} */ act) => () => this.plots.forEach(act);
    const tools = make(
      "div",
      { class: "tools", role: "toolbar", label: "The picture" },
      make(
        "span",
        { class: "together" },
        mode("limit", "Set limits", "drag a box: k at least its left side, loss at most its upper side"),
        mode("move", "Move", "drag to move the picture; also with Shift"),
      ),
      make(
        "span",
        { class: "together" },
        button(
          "+",
          each((plot) => plot.zoom(0.7)),
          { label: "Zoom in", title: "zoom in (+, or Ctrl with the wheel)" },
        ),
        button(
          "−",
          each((plot) => plot.zoom(1.4)),
          { label: "Zoom out", title: "zoom out (−)" },
        ),
        button(
          "All",
          each((plot) => plot.reset()),
          { label: "Show the whole front", title: "show the whole front (0, or a double click)" },
        ),
      ),
    );
    const words = shadeWords(ends);
    const legend = make(
      "p",
      { class: "legend" },
      ends.length ? make("span", { text: "rows suppressed" }) : null,
      ...words.map((text, at) => make("span", {}, make("span", { class: `dot s${at}`, "aria-hidden": "true" }), text)),
    );
    return make(
      "div",
      { class: `explore${many ? " wide" : ""}` },
      make(
        "section",
        { class: "picture", label: "The front" },
        make("div", { class: "picture-head" }, legend, tools),
        make("div", { class: many ? "plots many" : "plots" }, ...this.plots.map((plot) => plot.element)),
        ...this.flatWords(),
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

  flatWords() {
    if (!this.flat.length) return [];
    const { ids } = this.fields;
    const [x, y] = this.pairs[0];
    const price = (/** @type {number} */ pay) =>
      y.kind === "share" ? `${(pay * 100).toFixed(2)} points` : number(pay);
    const pick = (/** @type {number} */ at) => button(`solution ${ids[at]}`, () => this.choose(at), { class: "pick" });
    return [
      make(
        "div",
        { class: "flat-words" },
        make("p", {}, make("b", { text: "Flat regions" }), " (shaded): much privacy for little loss."),
        make(
          "ol",
          {},
          ...this.flat.map(({ from, to, pay }) =>
            make(
              "li",
              {},
              `${x.label} ${show(x.kind, x.values[from])} → ${show(x.kind, x.values[to])} for ${price(pay)} of loss (`,
              pick(from),
              " → ",
              pick(to),
              ")",
            ),
          ),
        ),
      ),
    ];
  }

  /** @param {import("./fields.js").Field} x @param {import("./fields.js").Field} y @param {boolean} small */
  plot(x, y, small) {
    const { fields } = this;
    const axis = (/** @type {import("./fields.js").Field} */ field, /** @type {boolean} */ across) => ({
      values: field.values,
      log: isLog(field.key),
      kind: field.kind,
      label: fields.axis(field),
      // More private is to the right, also where less is more private.
      turned: across && fields.falls(field) && !["loss", "gl", "sl"].includes(field.key),
    });
    return new Scatter(
      axis(x, true),
      axis(y, false),
      this.shades,
      {
        point: (at, plot) => this.point(at, plot),
        pick: (at) => this.choose(at),
        brush: (box, rests) => this.brush(x, y, box, rests),
      },
      {
        small,
        stair: fields.objectives.length === 2 && fields.privacy.length === 1 && !fields.privacy[0].falls,
        label: `Plot of ${fields.count} solutions: ${fields.axis(x)} against ${fields.axis(y)}. Arrow keys move from solution to solution, Enter chooses one, plus and minus zoom.`,
      },
    );
  }

  begin() {
    const { limits, chosen } = memory(this.run);
    this.limitFrom(limits ?? openingLimits(this.fields));
    const at = chosen === undefined ? -1 : (this.fields.places.get(chosen) ?? -1);
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

  /** A box in a plot is a limit for each axis that has one. @param {import("./fields.js").Field} x @param {import("./fields.js").Field} y @param {{ left: number, right: number, low: number, high: number }} box @param {boolean} rests */
  brush(x, y, box, rests) {
    const limits = { ...this.limits };
    const put = (
      /** @type {import("./fields.js").Field} */ field,
      /** @type {number} */ low,
      /** @type {number} */ high,
    ) => {
      const bound = this.bounds.find((one) => one.field === field);
      if (!bound) return;
      const value = bound.upper ? high : low;
      limits[bound.name] =
        field.key === "k"
          ? Math.max(Math.ceil(value - 1e-9), 1)
          : field.kind === "share"
            ? Math.round(Math.max(value, 0) * 1e4) / 1e4
            : Number(Math.max(value, 0).toPrecision(4));
    };
    put(x, box.left, box.right);
    put(y, box.low, box.high);
    this.form.set(limits);
    this.limit(limits, rests);
  }

  /** New limits: the answer and the picture follow at once, the rest when the limits rest. @param {Limits} limits @param {boolean} rests */
  limit(limits, rests) {
    this.limits = limits;
    const list = setLimits(this.bounds, limits);
    const found = choose(this.fields, list);
    this.drawAnswer(list, found);
    this.plots.forEach((plot, at) => {
      const [x, y] = this.pairs[at];
      /** @type {import("./scatter.js").Shaded[]} */
      const beyond = [];
      for (const { field, value, upper } of list)
        if (field === x || field === y) beyond.push({ axis: field === x ? "x" : "y", value, upper });
      plot.limit(list.length ? found.feasible : null, list.length ? found.best : [], beyond);
    });
    if (found.best.length) this.choose(found.best[0], !rests);
    this.element.dataset.confirmed = "false";
    clearTimeout(this.later);
    this.later = setTimeout(
      () => {
        this.table.limit(list.length ? found.feasible : null);
        remember(this.run, { limits, chosen: this.fields.ids[this.chosen] });
        this.confirm(limits, list, found);
      },
      rests ? 60 : 250,
    );
  }

  /** @param {import("./choose.js").Limit[]} list @param {{ count: number, best: number[], relaxations: { limit: string, at: number }[] }} found */
  drawAnswer(list, found) {
    fill(this.answer, ...answerWords(this.fields, this.bounds, list, found, (at) => this.choose(at)));
  }

  /** Asks the program itself; its word holds. @param {Limits} limits @param {import("./choose.js").Limit[]} list @param {import("./choose.js").Answer} found */
  async confirm(limits, list, found) {
    const asked = ++this.asked;
    try {
      const choice = await api.choose(this.run, limits);
      if (asked !== this.asked) return;
      const at = (/** @type {{ id: number }} */ { id }) => this.fields.places.get(id) ?? -1;
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
    this.plots.forEach((plot) => plot.choose(at));
    this.drawCard();
    if (moving) return;
    this.table.choose(at);
    remember(this.run, { chosen: this.fields.ids[at] });
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

  /** The chosen solution: its numbers, its recoding in short, what to do with it. */
  drawCard() {
    const { fields, chosen: at, run } = this;
    const id = fields.ids[at];
    const name = encodeURIComponent(run);
    const { pinned } = memory(run);
    const on = pinned.includes(id);
    const key = ["k", "loss", "sl", "gl", "l", "t", "groups", "suppressed"].flatMap((one) => fields.find(one) ?? []);
    const shown = [...new Set([...fields.objectives, ...key])];
    const hadFocus = document.activeElement?.id;
    fill(
      this.card,
      make("div", { class: "card-head" }, make("h2", {}, `Solution ${id}`), on ? badge("pinned") : null),
      make(
        "div",
        { class: "buttons" },
        make("a", { class: "button primary", id: "release", href: `#/run/${name}/release/${id}`, text: "Release" }),
        make("a", { class: "button", id: "look", href: `#/run/${name}/solution/${id}`, text: "Look closer" }),
        button(on ? "Unpin" : "Pin", () => this.pin(id), {
          id: "pin",
          title: "pin it to compare it with others",
          "aria-pressed": String(on),
        }),
        pinned.length > 1
          ? make("a", { class: "button", href: `#/run/${name}/compare`, text: `Compare ${pinned.length}` })
          : null,
      ),
      make(
        "dl",
        { class: "numbers" },
        ...shown.map((field) =>
          make(
            "div",
            {},
            make("dt", { text: field.label, title: field.meaning }),
            make("dd", {
              text: show(field.kind, field.values[at]),
              title: String(field.values[at] ?? ""),
              "data-field": field.key,
            }),
          ),
        ),
      ),
      make("p", { class: "soft left-out", text: `${leftOut(fields.front, fields.front.solutions[at]).words}.` }),
      fields.front.solutions[at].one_valued
        ? warningList(["Some group has but one value of a sensitive column (l = 1)."])
        : null,
      recodingTable(fields, at),
    );
    if (hadFocus && ["release", "look", "pin"].includes(hadFocus)) document.getElementById(hadFocus)?.focus();
  }

  /** Points at a solution everywhere; where a plot asks, its numbers stand beside it. @param {number} at @param {Scatter} [from] */
  point(at, from) {
    if (at !== this.pointed) {
      this.pointed = at;
      this.plots.forEach((plot) => plot.point(at));
      if (at >= 0 && from) {
        const { fields } = this;
        fill(
          this.tip,
          make("strong", { text: `Solution ${fields.ids[at]}` }),
          make(
            "p",
            {},
            fields
              .line(at)
              .map(([text]) => text)
              .join(", "),
          ),
          recodingTable(fields, at, 9),
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

/** What becomes of each column, in words. @param {Fields} fields @param {number} at @param {number} [most] */
export function recodingTable(fields, at, most) {
  const entries = Object.entries(fields.front.solutions[at].recoding);
  const short = (/** @type {string} */ text, /** @type {number} */ length) =>
    text.length > length ? `${text.slice(0, length - 1)}…` : text;
  return make(
    "table",
    { class: "recoding" },
    make(
      "tbody",
      {},
      ...entries.slice(0, most).map(([name, recoded]) => {
        const words = recodingWords(recoded);
        return make(
          "tr",
          {},
          make("th", { scope: "row", text: short(name, 34) }),
          make("td", { text: short(words, most ? 48 : 90), title: words }),
        );
      }),
      most && entries.length > most
        ? make("tr", {}, make("td", { text: `and ${entries.length - most} more columns` }))
        : null,
    ),
  );
}
