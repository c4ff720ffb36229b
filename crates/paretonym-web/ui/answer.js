// @ts-check
// The answer to the limits in words: the best, and what a little more would buy.

import { capital, limitWords, roomWords } from "./choose.js";
import { button, make } from "./dom.js";
import { number } from "./number.js";

/** @typedef {import("./fields.js").Fields} Fields */
/** @typedef {import("./choose.js").Bound} Bound */
/** @typedef {import("./choose.js").Limit} Limit */

/** A solution in a line, with a link to choose it. @param {Fields} fields @param {number} at @param {(at: number) => void} pick @param {string} [before] */
export function solutionLine(fields, at, pick, before) {
  const parts = fields
    .line(at)
    .flatMap(([text, strong], place) => [place ? ", " : "", strong ? make("b", { text }) : text]);
  return make(
    "li",
    { "data-id": fields.ids[at] },
    before ? make("span", { class: "room", text: `${before}: ` }) : null,
    ...parts,
    " ",
    make(
      "span",
      { class: "id" },
      "(",
      button(`solution ${fields.ids[at]}`, () => pick(at), { class: "pick" }),
      ")",
    ),
  );
}

/**
 * @param {Fields} fields
 * @param {Bound[]} bounds
 * @param {Limit[]} limits
 * @param {{ count: number, best: number[], relaxations: { limit: string, at: number }[] }} answer
 * @param {(at: number) => void} pick
 */
export function answerWords(fields, bounds, limits, answer, pick) {
  const words = capital(limits.length ? limits.map(limitWords).join(" and ") : "without limits");
  const parts = [
    answer.count
      ? make("p", { text: `${words}: ${number(answer.count)} of ${number(fields.count)} solutions. The best:` })
      : make("p", { class: "none", text: `${words}: no solution.` }),
  ];
  /** @type {HTMLElement[]} */
  const lists = [];
  if (answer.best.length)
    lists.push(make("ul", { class: "best" }, ...answer.best.map((at) => solutionLine(fields, at, pick))));
  if (answer.relaxations.length) {
    lists.push(
      make("h3", { text: "What a little more would buy" }),
      make(
        "ul",
        { class: "more" },
        ...answer.relaxations.map(({ limit, at }) => {
          const bound = bounds.find((one) => one.name === limit);
          return solutionLine(fields, at, pick, bound ? roomWords(bound, at) : limit);
        }),
      ),
    );
  }
  return [...parts, ...lists];
}
