// @ts-check
// Saving a file: with a ticket that the server takes once, so that a large file goes to the disk and not through the memory.

import * as api from "./api.js";
import { make, say } from "./dom.js";

/**
 * A button that saves a file.
 * @param {string} address @param {string} words
 * @param {import("./dom.js").Options} [options]
 */
export function saver(address, words, options = {}) {
  const own = make("button", {
    type: "button",
    text: words,
    ...options,
    on: {
      click: async () => {
        try {
          const { ticket } = await api.ticket(address);
          make("a", { href: `${address}?ticket=${ticket}`, download: "" }).click();
        } catch (error) {
          say(error instanceof Error ? error.message : String(error));
        }
      },
    },
  });
  return own;
}
