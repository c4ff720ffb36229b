// @ts-check
// A run as it goes on. The browser's own EventSource cannot send a header, so the stream of events is read here.

import { identified } from "./token.js";

/** @typedef {{ [event: string]: (data: any) => void }} Listeners */

const AGAIN = 1000;

/**
 * Calls the listeners with what happens, until it is closed; a stream that breaks is taken up again.
 * @param {string} address
 * @param {Listeners} listeners by the name of an event; `refused` where the server says no
 * @returns {() => void} closes it
 */
export function follow(address, listeners) {
  const control = new AbortController();
  const listen = async () => {
    while (!control.signal.aborted) {
      try {
        const answer = await fetch(address, { headers: identified(), credentials: "omit", signal: control.signal });
        if (!answer.ok || !answer.body) {
          listeners.refused?.(answer.status);
          return;
        }
        await read(answer.body, (event, data) => control.signal.aborted || listeners[event]?.(JSON.parse(data)));
      } catch {
        // Closed, or cut off: the loop knows which.
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  };
  listen();
  return () => control.abort();
}

/** Takes a stream apart: blocks of lines, each with the name of an event and its data. @param {ReadableStream<Uint8Array>} body @param {(event: string, data: string) => void} tell */
async function read(body, tell) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let event = "message";
  /** @type {string[]} */
  let data = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") {
        if (data.length) tell(event, data.join("\n"));
        event = "message";
        data = [];
      } else if (line.startsWith("event: ")) event = line.slice(7);
      else if (line.startsWith("data: ")) data.push(line.slice(6));
    }
  }
}
