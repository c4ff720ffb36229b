// @ts-check
// Making elements of pictures.

import { append, dress } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with attributes, listeners and children; `title` is what shows when it is pointed at.
 * @template {keyof SVGElementTagNameMap} N
 * @param {N} name
 * @param {import("./dom.js").Options} [options]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {SVGElementTagNameMap[N]}
 */
export function draw(name, options = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  const { title, ...rest } = options;
  dress(element, rest);
  if (title !== undefined) element.append(draw("title", { text: title }));
  append(element, children);
  return element;
}
