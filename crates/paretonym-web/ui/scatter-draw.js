// @ts-check
// Drawing a plot on its canvas.

import { showRound } from "./number.js";

/** @typedef {import("./scatter.js").Scatter} Scatter */
/** @typedef {import("./scatter.js").Frame} Frame */
/** @typedef {CanvasRenderingContext2D} Pen */

/** All of it. @param {Scatter} plot @param {Frame} frame @param {Pen} pen */
export function drawPlot(plot, frame, pen) {
  const { left, right, top, bottom } = frame;
  pen.clearRect(0, 0, plot.width, plot.height);
  pen.font = plot.font();
  drawAxes(plot, frame, pen);
  pen.save();
  pen.beginPath();
  pen.rect(left - 14, top - 14, right - left + 28, bottom - top + 28);
  pen.clip();
  drawFlat(plot, frame, pen);
  drawBeyond(plot, frame, pen);
  if (plot.stair) drawStair(plot, pen);
  drawPoints(plot, frame, pen);
  for (const at of plot.best) drawRing(plot, pen, at, "good", 10.5, 2.5);
  drawRing(plot, pen, plot.chosen, "accent", 7.5, 3);
  drawRing(plot, pen, plot.pointed, "ink", 6, 2);
  drawBox(plot, pen);
  pen.restore();
}

/** @param {Scatter} plot @param {Frame} frame @param {Pen} pen */
function drawAxes(plot, { left, right, top, bottom }, pen) {
  pen.lineWidth = 1;
  pen.strokeStyle = plot.colour("line");
  pen.fillStyle = plot.colour("soft");
  pen.beginPath();
  pen.textAlign = "right";
  for (const tick of plot.up.ticks(plot.small ? 40 : 50)) {
    const at = Math.round(plot.up.at(tick)) + 0.5;
    pen.moveTo(left, at);
    pen.lineTo(right, at);
    pen.fillText(showRound(plot.y.format, tick), left - 8, at + 4);
  }
  pen.textAlign = "center";
  for (const tick of plot.across.ticks(70)) {
    const at = Math.round(plot.across.at(tick)) + 0.5;
    pen.moveTo(at, top);
    pen.lineTo(at, bottom);
    pen.fillText(showRound(plot.x.format, tick), at, bottom + 17);
  }
  pen.stroke();
  pen.strokeStyle = plot.colour("soft");
  pen.beginPath();
  pen.moveTo(left + 0.5, top);
  pen.lineTo(left + 0.5, bottom + 0.5);
  pen.lineTo(right, bottom + 0.5);
  pen.stroke();
  pen.fillStyle = plot.colour("ink");
  pen.fillText(plot.x.label, (left + right) / 2, bottom + 36);
  pen.save();
  pen.translate(14, (top + bottom) / 2);
  pen.rotate(-Math.PI / 2);
  pen.fillText(plot.y.label, 0, 0);
  pen.restore();
}

/** Stretches where much privacy costs little. @param {Scatter} plot @param {Frame} frame @param {Pen} pen */
function drawFlat(plot, { top, bottom }, pen) {
  for (const [at, [from, to]] of plot.flat.entries()) {
    const [a, b] = [plot.across.at(from), plot.across.at(to)];
    pen.fillStyle = plot.colour("flat");
    pen.globalAlpha = 0.15;
    pen.fillRect(Math.min(a, b), top, Math.abs(b - a), bottom - top);
    pen.globalAlpha = 1;
    pen.fillStyle = plot.colour("good");
    pen.textAlign = "center";
    pen.fillText(String(at + 1), (a + b) / 2, top + 14);
  }
}

/** What lies beyond the limits. @param {Scatter} plot @param {Frame} frame @param {Pen} pen */
function drawBeyond(plot, { left, right, top, bottom }, pen) {
  for (const { axis, value, upper } of plot.beyond) {
    const scale = axis === "x" ? plot.across : plot.up;
    const [low, high] = [Math.min(scale.from, scale.to), Math.max(scale.from, scale.to)];
    const at = Math.min(Math.max(scale.at(value), low), high);
    const end = upper ? scale.to : scale.from;
    pen.fillStyle = plot.colour("beyond");
    pen.globalAlpha = 0.15;
    if (axis === "x") pen.fillRect(Math.min(at, end), top, Math.abs(end - at), bottom - top);
    else pen.fillRect(left, Math.min(at, end), right - left, Math.abs(end - at));
    pen.globalAlpha = 1;
    pen.strokeStyle = plot.colour("soft");
    pen.setLineDash([5, 4]);
    pen.beginPath();
    pen.moveTo(axis === "x" ? at : left, axis === "x" ? top : at);
    pen.lineTo(axis === "x" ? at : right, axis === "x" ? bottom : at);
    pen.stroke();
    pen.setLineDash([]);
  }
}

/** The stair under which nothing is possible. @param {Scatter} plot @param {Pen} pen */
function drawStair(plot, pen) {
  const { x, y } = plot;
  const sign = x.turned ? -1 : 1;
  plot.path ??= Array.from({ length: plot.count }, (_, at) => at)
    .filter((at) => x.values[at] !== null && y.values[at] !== null)
    .sort((a, b) => sign * (Number(x.values[a]) - Number(x.values[b])) || Number(y.values[a]) - Number(y.values[b]));
  pen.strokeStyle = plot.colour("ink");
  pen.globalAlpha = 0.4;
  pen.lineWidth = 1.3;
  pen.beginPath();
  let [before, height] = [Number.NaN, Number.NaN];
  for (const at of plot.path) {
    const [px, py] = [plot.places[2 * at], plot.places[2 * at + 1]];
    // Steps of less than half a pixel cannot be seen.
    if (Math.abs(px - before) < 0.5 && Math.abs(py - height) < 0.5) continue;
    if (Number.isNaN(before)) pen.moveTo(px, py);
    else {
      pen.lineTo(before, py);
      pen.lineTo(px, py);
    }
    [before, height] = [px, py];
  }
  pen.stroke();
  pen.globalAlpha = 1;
}

/** @param {Scatter} plot @param {Frame} frame @param {Pen} pen */
function drawPoints(plot, { left, right, top, bottom }, pen) {
  const size = plot.count > 2000 ? 2 : plot.count > 600 ? 3 : plot.small ? 3.5 : 4.5;
  // Of many points on one pixel, one is drawn.
  const crowded = plot.count > 2000;
  const across = Math.ceil(plot.width) + 1;
  const taken = crowded ? new Uint8Array(across * (Math.ceil(plot.height) + 1)) : null;
  for (const within of [0, 1]) {
    for (let shade = 0; shade < 5; shade++) {
      pen.beginPath();
      let any = false;
      for (let at = 0; at < plot.count; at++) {
        if (plot.shades[at] !== shade || (plot.feasible ? plot.feasible[at] : 1) !== within) continue;
        const [x, y] = [plot.places[2 * at], plot.places[2 * at + 1]];
        if (!(x >= left - 8 && x <= right + 8 && y >= top - 8 && y <= bottom + 8)) continue;
        if (taken) {
          const cell = Math.max(Math.round(y), 0) * across + Math.max(Math.round(x), 0);
          const mark = 1 + shade + 5 * within;
          if (taken[cell] === mark) continue;
          taken[cell] = mark;
        }
        any = true;
        // Squares are much cheaper than circles, and look the same when they are small.
        if (size < 3) pen.rect(x - size, y - size, 2 * size, 2 * size);
        else {
          pen.moveTo(x + size, y);
          pen.arc(x, y, size, 0, 2 * Math.PI);
        }
      }
      if (!any) continue;
      pen.fillStyle = plot.colour(`s${shade}`);
      pen.globalAlpha = within ? 1 : 0.28;
      pen.fill();
    }
  }
  pen.globalAlpha = 1;
}

/** @param {Scatter} plot @param {Pen} pen @param {number} at @param {string} colour @param {number} size @param {number} line */
function drawRing(plot, pen, at, colour, size, line) {
  if (at < 0 || Number.isNaN(plot.places[2 * at])) return;
  pen.strokeStyle = plot.colour(colour);
  pen.lineWidth = line;
  pen.beginPath();
  pen.arc(plot.places[2 * at], plot.places[2 * at + 1], size, 0, 2 * Math.PI);
  pen.stroke();
}

/** The box that is being drawn. @param {Scatter} plot @param {Pen} pen */
function drawBox(plot, pen) {
  if (!plot.box) return;
  const { x0, y0, x1, y1 } = plot.box;
  const [x, y, width, height] = [Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0)];
  pen.strokeStyle = plot.colour("accent");
  pen.fillStyle = plot.colour("accent");
  pen.lineWidth = 1;
  pen.globalAlpha = 0.12;
  pen.fillRect(x, y, width, height);
  pen.globalAlpha = 1;
  pen.strokeRect(x, y, width, height);
}
