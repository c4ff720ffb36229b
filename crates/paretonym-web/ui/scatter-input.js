// @ts-check
// What a person does in a plot: pointing, choosing, drawing a box, moving and zooming, with a pointer or with keys.

/** @typedef {import("./scatter.js").Scatter} Scatter */

/** Pointer, wheel and keys. @param {Scatter} plot */
export function listen(plot) {
  const { canvas } = plot;
  /** @type {{ x: number, y: number, moved: boolean, pan: boolean } | null} */
  let held = null;
  const place = (/** @type {PointerEvent | WheelEvent | MouseEvent} */ event) => {
    const { left, top } = canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const [x, y] = place(event);
    held = { x, y, moved: false, pan: plot.mode === "move" || event.shiftKey || !plot.acts.brush };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const [x, y] = place(event);
    if (!held) return plot.acts.point?.(plot.nearest(x, y), plot);
    if (!held.moved && Math.hypot(x - held.x, y - held.y) < 5) return;
    held.moved = true;
    if (held.pan) {
      plot.move(x - held.x, y - held.y);
      [held.x, held.y] = [x, y];
    } else {
      plot.box = { x0: held.x, y0: held.y, x1: x, y1: y };
      brushed(plot, false);
    }
  });
  canvas.addEventListener("pointerup", (event) => {
    const was = held;
    held = null;
    if (!was) return;
    if (!was.moved) {
      const at = plot.nearest(.../** @type {[number, number]} */ (place(event)));
      if (at >= 0) plot.acts.pick?.(at);
    } else if (plot.box) {
      brushed(plot, true);
      plot.box = null;
      plot.draw();
    }
  });
  canvas.addEventListener("pointercancel", () => {
    held = null;
    plot.box = null;
    plot.draw();
  });
  canvas.addEventListener("pointerleave", () => held || plot.acts.point?.(-1, plot));
  canvas.addEventListener("blur", () => plot.acts.point?.(-1, plot));
  canvas.addEventListener("dblclick", () => plot.reset());
  canvas.addEventListener(
    "wheel",
    (event) => {
      // The wheel scrolls the page, unless the plot is being used.
      if (!event.ctrlKey && document.activeElement !== canvas) return;
      event.preventDefault();
      const [x, y] = place(event);
      plot.zoom(1.0015 ** event.deltaY, x, y);
    },
    { passive: false },
  );
  canvas.addEventListener("keydown", (event) => key(plot, event));
}

/** @param {Scatter} plot @param {KeyboardEvent} event */
function key(plot, event) {
  // Keys follow the plot from left to right.
  plot.order ??= Array.from({ length: plot.count }, (_, at) => at)
    .filter((at) => plot.x.values[at] !== null && plot.y.values[at] !== null)
    .sort(
      (a, b) =>
        (plot.x.turned ? -1 : 1) * (Number(plot.x.values[a]) - Number(plot.x.values[b])) ||
        Number(plot.y.values[a]) - Number(plot.y.values[b]),
    );
  const at = plot.order.indexOf(plot.pointed >= 0 ? plot.pointed : plot.chosen);
  const steps = {
    ArrowRight: 1,
    ArrowUp: 1,
    ArrowLeft: -1,
    ArrowDown: -1,
    PageUp: 10,
    PageDown: -10,
    Home: -Infinity,
    End: Infinity,
  };
  if (event.key in steps) {
    const next = Math.min(
      Math.max(at + steps[/** @type {keyof typeof steps} */ (event.key)], 0),
      plot.order.length - 1,
    );
    plot.acts.point?.(plot.order[next] ?? -1, plot);
  } else if ((event.key === "Enter" || event.key === " ") && plot.pointed >= 0) plot.acts.pick?.(plot.pointed);
  else if (event.key === "Escape") plot.acts.point?.(-1, plot);
  else if (event.key === "+" || event.key === "=") plot.zoom(0.8);
  else if (event.key === "-") plot.zoom(1.25);
  else if (event.key === "0") plot.reset();
  else return;
  event.preventDefault();
}

/** Tells what the box holds. @param {Scatter} plot @param {boolean} rests */
function brushed(plot, rests) {
  if (!plot.box || !plot.frame) return;
  const { x0, y0, x1, y1 } = plot.box;
  const { left, right, top, bottom } = plot.frame;
  const clamp = (/** @type {number} */ at, /** @type {number} */ low, /** @type {number} */ high) =>
    Math.min(Math.max(at, low), high);
  const [a, b] = [x0, x1].map((at) => plot.across.value(clamp(at, left, right))).sort((v, w) => v - w);
  const [c, d] = [y0, y1].map((at) => plot.up.value(clamp(at, top, bottom))).sort((v, w) => v - w);
  plot.acts.brush?.({ left: a, right: b, low: c, high: d }, rests);
}
