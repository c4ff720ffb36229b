// @ts-check
// The answer to the limits in words: the best, and what a little more would buy.

import { limitWords, roomWords } from "./choose.js";
import { button, make } from "./dom.js";
import { number } from "./number.js";

/** @typedef {import("./view.js").FrontView} FrontView */
/** @typedef {import("./choose.js").Limit} Limit */

/** A letter at the start is a symbol. @param {string} words */
const capital = (words) => (/^[klt] /.test(words) ? words : words[0].toUpperCase() + words.slice(1));

/** A solution in a line. @param {FrontView} front @param {number} at */
export const solutionParts = (front, at) =>
  front.line(at).flatMap(([text, strong], place) => [place ? ", " : "", strong ? make("b", { text }) : text]);

/** The same with a link to choose it. @param {FrontView} front @param {number} at @param {(at: number) => void} pick @param {string} [before] */
function solutionLine(front, at, pick, before) {
  const link = button(`solution ${front.ids[at]}`, () => pick(at), { class: "pick" });
  return make(
    "li",
    { "data-id": front.ids[at] },
    before ? make("span", { class: "room", text: `${before}: ` }) : null,
    ...solutionParts(front, at),
    " ",
    make("span", { class: "id" }, "(", link, ")"),
  );
}

/**
 * @param {FrontView} front
 * @param {Limit[]} limits
 * @param {{ count: number, best: number[], relaxations: { limit: string, at: number }[] }} answer
 * @param {(at: number) => void} pick
 */
export function answerWords(front, limits, answer, pick) {
  const { fields, bounds } = front.view;
  const sentences = limits.map((limit) => limitWords(fields, limit));
  const words = capital(sentences.length ? sentences.join(" and ") : "without limits");
  /** @type {HTMLElement[]} */
  const parts = [
    answer.count
      ? make("p", { text: `${words}: ${number(answer.count)} of ${number(front.count)} solutions. The best:` })
      : make("p", { class: "none", text: `${words}: no solution.` }),
  ];
  if (answer.best.length) {
    parts.push(make("ul", { class: "best" }, ...answer.best.map((at) => solutionLine(front, at, pick))));
  }
  if (answer.relaxations.length) {
    const more = answer.relaxations.map(({ limit, at }) => {
      const bound = bounds.find((one) => one.name === limit);
      return solutionLine(front, at, pick, bound ? roomWords(fields, bound, at) : limit);
    });
    parts.push(make("h3", { text: "What a little more would buy" }), make("ul", { class: "more" }, ...more));
  }
  return parts;
}
