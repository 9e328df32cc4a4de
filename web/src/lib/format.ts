/** Numbers as people read them: always with a unit, never more digits than they are worth. */
import { format } from "d3-format";

const si = format(".3s");
const siTrimmed = format(".3~s");
const grouped = format(",.0f");
const oneDecimal = format(",.1f");
const twoDecimals = format(",.2f");
const scientific = format(".1e");

/** Seconds with the unit that fits: 0.00123 → "1.23 ms"; above 1000 s they stay seconds. */
export function time(seconds: number): string {
  if (seconds === 0) return "0 s";
  if (Math.abs(seconds) >= 999.5) return `${grouped(seconds)} s`;
  return prefixed(seconds, "s");
}

/** With the prefix that fits: 4.3e12, "B/s" → "4.30 TB/s". */
export function prefixed(value: number, unit: string): string {
  const text = si(value);
  const prefix = /[a-zµ]$/i.exec(text)?.[0] ?? "";
  return `${text.slice(0, text.length - prefix.length)} ${prefix}${unit}`;
}

/** A response in its unit: seconds as {@link time}, anything else with its unit's name. */
export function amount(value: number, unit: string): string {
  return unit === "s" ? time(value) : `${events(value)} ${unit}`;
}

/** A fraction as per cent: 0.046 → "4.6 %", 15.2 → "1,520 %". */
export function percent(fraction: number): string {
  const value = fraction * 100;
  const magnitude = Math.abs(value);
  if (magnitude >= 1e6) return `${scientific(value)} %`;
  return `${magnitude < 9.95 ? oneDecimal(value) : grouped(value)} %`;
}

/** How many times too long or too short, either way: 2.3 → "×/÷ 2.30". */
export function factor(value: number): string {
  return `×/÷ ${times(value)}`;
}

/** Predicted ÷ measured, above 0: 2 → "×2.00" (twice too long), 0.5 → "÷2.00" (twice too short). */
export function ratio(value: number): string {
  return value >= 1 ? `×${times(value)}` : `÷${times(1 / value)}`;
}

function times(value: number): string {
  if (value >= 1e6) return scientific(value);
  return value < 9.995 ? twoDecimals(value) : grouped(value);
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

const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });

/** The day of an RFC 3339 instant in the reader's time zone: "20 Nov 2026". */
export function day(text: string): string {
  return date.format(new Date(text));
}

const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** An RFC 3339 instant in the reader's time zone: "20 Nov 2026, 10:12". */
export function instant(text: string): string {
  return moment.format(new Date(text));
}

/** "1 sample", "3 samples"; "2 launches" where the plural is another. */
export function plural(n: number, noun: string, many = `${noun}s`): string {
  return `${count(n)} ${n === 1 ? noun : many}`;
}
