/** Instants for people, in their language and time zone. */
import { locale } from "./language.svelte";

/** The day of an RFC 3339 instant: "20 Nov 2026". */
export function day(text: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium" }).format(new Date(text));
}

/** An RFC 3339 instant: "20 Nov 2026, 10:12". */
export function instant(text: string): string {
  const styles = { dateStyle: "medium", timeStyle: "short" } as const;
  return new Intl.DateTimeFormat(locale(), styles).format(new Date(text));
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** How long ago: "3 hours ago". */
export function ago(text: string, now = Date.now()): string {
  const seconds = (Date.parse(text) - now) / 1000;
  const words = new Intl.RelativeTimeFormat(locale(), { numeric: "auto" });
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  // No line breaks between the number and its unit.
  return words.format(Math.round(seconds / length), unit).replaceAll(" ", "\u00a0");
}
