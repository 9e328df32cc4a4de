/**
 * Numbers as people read them: always with a unit, which no line break parts from them, never with more
 * digits than they are worth.
 */
import { format } from "d3-format";

const si = format(".3s");
const siTick = format("~s");
const siTrimmed = format(".3~s");
const grouped = format(",.0f");
const oneDecimal = format(",.1f");
const twoDecimals = format(",.2f");
const scientific = format(".1e");

/** Seconds with the unit that fits: 0.00123 → "1.23 ms"; above 1000 s they stay seconds. */
export function time(seconds: number): string {
  if (seconds === 0) return "0\u00a0s";
  if (Math.abs(seconds) >= 999.5) return `${grouped(seconds)}\u00a0s`;
  return prefixed(seconds, "s");
}

/** With the prefix that fits: 4.3e12, "B/s" → "4.30 TB/s". */
export function prefixed(value: number, unit: string): string {
  const text = si(value);
  const prefix = /[a-zµ]$/i.exec(text)?.[0] ?? "";
  return `${text.slice(0, text.length - prefix.length)}\u00a0${prefix}${unit}`;
}

/** As {@link prefixed}, without needless digits, for axes: 1e-6, "s" → "1 µs". */
export function tick(value: number, unit: string): string {
  if (value === 0) return "0";
  const text = siTick(value);
  const prefix = /[a-zµ]$/i.exec(text)?.[0] ?? "";
  return `${text.slice(0, text.length - prefix.length)}\u00a0${prefix}${unit}`.trim();
}

/** Seconds on an axis that reaches far: as {@link tick}, above a quarter of an hour in minutes, hours or days. */
export function timeTick(seconds: number): string {
  if (seconds < 1000) return tick(seconds, "s");
  const [unit, length] = LONG.find(([, length]) => seconds < 99 * length) ?? ["d", 86_400];
  const amount = seconds / length;
  return `${amount < 9.95 ? Number(amount.toPrecision(2)).toString() : grouped(amount)}\u00a0${unit}`;
}

const LONG: [string, number][] = [
  ["min", 60],
  ["h", 3600],
];

/** A response in its unit: seconds as {@link time}, anything else with its unit's name. */
export function amount(value: number, unit: string): string {
  return unit === "s" ? time(value) : `${events(value)}\u00a0${unit}`;
}

/** A fraction as per cent, with one decimal below 100, as the command line says it: 0.046 → "4.6 %", 0.9 → "90 %". */
export function percent(fraction: number): string {
  const value = fraction * 100;
  const magnitude = Math.abs(value);
  if (magnitude >= 1e6) return `${scientific(value)}\u00a0%`;
  if (magnitude < 9.95) return `${oneDecimal(value)}\u00a0%`;
  const text = magnitude < 99.95 ? oneDecimal(value) : grouped(value);
  return `${text.replace(/\.0$/, "")}\u00a0%`;
}

/** How many times too long or too short, either way: 2.3 → "×/÷ 2.30". */
export function factor(value: number): string {
  return `×/÷\u00a0${times(value)}`;
}

/** The text of a ratio that rounds to 1. */
export const EQUAL = "×1.00";

/** Predicted ÷ measured, above 0: 2 → "×2.00" (twice too long), 0.5 → "÷2.00" (twice too short). */
export function ratio(value: number): string {
  if (value >= 1) return `×${times(value)}`;
  const text = times(1 / value);
  return text === "1.00" ? EQUAL : `÷${text}`;
}

/** A factor of 1 and more: 2.3 → "2.30". */
export function times(value: number): string {
  if (value >= 1e6) return scientific(value);
  return value < 9.995 ? twoDecimals(value) : grouped(value);
}

/** A speedup, also below 1: 0.734 → "×0.73". */
export function speedup(value: number): string {
  return `×${multiple(value)}`;
}

/** A factor of any size: 0.734 → "0.73", 0.00123 → "0.0012". */
export function multiple(value: number): string {
  return value < 0.095 ? value.toPrecision(2) : times(value);
}

/** A whole number: 12345 → "12,345". */
export const count = grouped;

/** A counter's value, shortened: 2097152 → "2.1M". */
export function events(value: number): string {
  return Math.abs(value) < 1000 ? format(".3~g")(value) : siTrimmed(value);
}

/** A workload's sizes: "n = 1024, depth = 4", each unbreakable. */
export function sizes(parameters: Record<string, number>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}\u00a0=\u00a0${value.toString()}`)
    .join(", ");
}

/** Shows bidirectional control characters in sources as escapes, so that they have no effect. */
export function visible(text: string): string {
  return text.replace(
    /[\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
}
