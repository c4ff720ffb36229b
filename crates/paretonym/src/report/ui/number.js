// @ts-check
// One rule for every number shown, that of the library (view/number.rs): whole numbers in full, shares as per cent with two
// decimals, other numbers with four significant digits. The full value is kept beside what is shown.

/** @typedef {import("./types.d.ts").Format} Format */

/** @param {string} digits */
export function grouped(digits) {
  const [, sign, whole, rest] = /** @type {RegExpExecArray} */ (/^(-?)(\d*)(.*)$/s.exec(digits));
  return sign + (whole.length < 4 ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ",")) + rest;
}

// Halves are rounded away from zero, whatever their last bit.
const nudged = (/** @type {number} */ value) => value * (1 + 4e-15);

/**
 * The power of ten of the first digit: 0 for 1 to 9.99…, −1 for 0.1. Read from the digits, since logarithms of powers of
 * ten are not the same on all machines.
 * @param {number} value
 */
export const magnitude = (value) => Number(value.toExponential().split("e")[1]);

/** As people write it: no exponent for everyday magnitudes. @param {number} value */
export function plain(value) {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e15 || size < 1e-6)) return value.toExponential().replace("e+", "e");
  return String(value);
}

/** Twelve significant digits: what is behind them comes from adding and dividing. @param {number} value */
export const tidy = (value) => (Number.isInteger(value) ? value : Number((value * (1 + 1e-14)).toPrecision(12)));

/** 30162 → 30,162; 812.345 → 812.3; 0.41234 → 0.4123. @param {number} value */
export function number(value) {
  if (!Number.isFinite(value)) return "–";
  if (Number.isInteger(value)) return grouped(plain(value));
  const size = magnitude(value);
  if (size < -6 || size >= 15) return value.toExponential(3).replace("e+", "e");
  if (size < 3) return grouped(nudged(value).toFixed(3 - size));
  return grouped(plain(Math.sign(value) * Math.floor(Math.abs(value) + 0.5)));
}

/** 0.402 → 40.20 %; 0.000031 → 0.0031 %. @param {number} value */
export function percent(value) {
  if (!Number.isFinite(value)) return "–";
  const points = nudged(value * 100);
  const small = Math.abs(points) < 0.1;
  const decimals = points === 0 ? 0 : small ? Math.min(1 - magnitude(points), 8) : 2;
  return `${grouped(points.toFixed(decimals))}\u00a0%`;
}

/** A measured value. @param {Format} format @param {number | null | undefined} value */
export const show = (format, value) =>
  value === null || value === undefined ? "–" : format === "share" ? percent(value) : number(value);

/** A round value that somebody chose, such as a limit or a tick. @param {Format} format @param {number} value */
export const showRound = (format, value) =>
  format === "share" ? `${grouped(plain(tidy(value * 100)))}\u00a0%` : grouped(plain(tidy(value)));

/** 3537245 → 3.5 MB. @param {number} bytes */
export function size(bytes) {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let [value, at] = [bytes, 0];
  while (value >= 1000 && at + 1 < units.length) [value, at] = [value / 1000, at + 1];
  return `${at ? value.toFixed(1) : value}\u00a0${units[at]}`;
}

/** 1 row, 2 rows. @param {number} value @param {string} one @param {string} [more] */
export const counted = (value, one, more = `${one}s`) => `${number(value)} ${value === 1 ? one : more}`;
