// @ts-check
// One rule for every number shown, that of the report: whole numbers in full, shares as per cent with two decimals,
// other numbers with four significant digits. The full value is kept beside what is shown.

/** @typedef {"number" | "share"} Show */

/** @param {string} digits */
export function grouped(digits) {
  const [, sign, whole, rest] = /** @type {RegExpExecArray} */ (/^(-?)(\d*)(.*)$/s.exec(digits));
  return sign + (whole.length < 4 ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ",")) + rest;
}

// Halves are rounded away from zero, whatever their last bit.
const nudged = (/** @type {number} */ value) => value * (1 + 1e-12);
const magnitude = (/** @type {number} */ value) => Math.floor(Math.log10(Math.abs(value)));

/** 30162 → 30,162; 812.345 → 812.3; 0.41234 → 0.4123. @param {number} value */
export function number(value) {
  if (Number.isInteger(value) || !Number.isFinite(value)) return grouped(String(value));
  const size = magnitude(value);
  if (size < -6 || size >= 15) return value.toExponential(3).replace("e+", "e");
  return grouped(nudged(value).toFixed(Math.max(3 - size, 0)));
}

/** 0.402 → 40.20 %; 0.000031 → 0.0031 %. @param {number} value */
export function percent(value) {
  const points = nudged(value * 100);
  const small = Math.abs(points) < 0.1;
  const decimals = points === 0 ? 0 : small ? Math.min(1 - magnitude(points), 8) : 2;
  return `${grouped(points.toFixed(decimals))}\u00a0%`;
}

/** Twelve digits, as front.json has them. @param {number} value */
export const rounded = (value) => Number(value.toPrecision(12));

/** A measured value. @param {Show} kind @param {number | null | undefined} value */
export const show = (kind, value) =>
  value === null || value === undefined ? "–" : kind === "share" ? percent(value) : number(value);

/** A round value that somebody chose, such as a limit or a tick. @param {Show} kind @param {number} value */
export const showRound = (kind, value) =>
  kind === "share" ? `${grouped(String(rounded(value * 100)))}\u00a0%` : grouped(String(rounded(value)));

/** 3537245 → 3.5 MB. @param {number} bytes */
export function size(bytes) {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let [value, at] = [bytes, 0];
  while (value >= 1000 && at + 1 < units.length) [value, at] = [value / 1000, at + 1];
  return `${at ? value.toFixed(1) : value}\u00a0${units[at]}`;
}

/** 1 row, 2 rows. @param {number} value @param {string} one @param {string} [more] */
export const counted = (value, one, more = `${one}s`) => `${number(value)} ${value === 1 ? one : more}`;
