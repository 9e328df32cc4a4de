/** Between the form's fields and POST /v1/predictions: requests, and problems of fields. */
import type { Outside } from "../api/client";

/** Typed text by counter (`PROVIDER:NAME`). */
export type CounterTexts = Record<string, string>;

/** Provider → counter → number; text that is no number goes as it is, for the server to judge. */
export type CounterSet = Record<string, Record<string, number | string>>;

/** The models' name for the time on the device counted on. */
export const COUNTED_ON_TIME = "counted_on_time";

/** `PROVIDER:NAME` in two: names may hold colons, providers may not; the time on the device counted on has none. */
export function split(counter: string): { provider: string; name: string } {
  const colon = counter.indexOf(":");
  return { provider: counter.slice(0, Math.max(colon, 0)), name: counter.slice(colon + 1) };
}

/** An empty field is an absent counter, never 0. Thousands may be grouped by spaces or underscores. */
export function counterSet(typed: CounterTexts): CounterSet {
  const set: CounterSet = {};
  for (const [counter, text] of Object.entries(typed)) {
    if (text.trim() === "" || counter === COUNTED_ON_TIME) continue;
    const { provider, name } = split(counter);
    (set[provider] ??= {})[name] = parseNumber(text);
  }
  return set;
}

/** Text that is no number stays as it is, for the server to judge. */
export function parseNumber(text: string): number | string {
  const number = Number(text.replaceAll(/[\s_]/g, ""));
  return Number.isFinite(number) ? number : text;
}

/** A set as it would have been typed: the inverse of {@link counterSet}. */
export function textsOf(set: CounterSet): CounterTexts {
  return Object.fromEntries(
    Object.entries(set).flatMap(([provider, counters]) =>
      Object.entries(counters).map(([name, value]) => [`${provider}:${name}`, value.toString()]),
    ),
  );
}

/** The counters of a JSON object, or the browser's message why the text is not one. */
export function readCounters(
  text: string,
): { set: CounterSet; trouble: null } | { set: null; trouble: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return { set: value as CounterSet, trouble: null };
    return { set: null, trouble: text.length > 40 ? `${text.slice(0, 40)}…` : text };
  } catch (error) {
    return { set: null, trouble: error instanceof Error ? error.message : String(error) };
  }
}

/** The JSON pointer (RFC 6901) of this counter in the request's body. */
export function pointer(counter: string): string {
  const { provider, name } = split(counter);
  return `/counters/${escape(provider)}/${escape(name)}`;
}

function escape(part: string): string {
  return part.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The request as a curl command. */
export function curl(origin: string, body: unknown): string {
  const quoted = JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`);
  return `curl ${origin}/v1/predictions \\\n  -H 'content-type: application/json' \\\n  -d '${quoted}'`;
}

/** The request with a profiler's file as a curl command. `query` names the model or device. */
export function curlOfFile(origin: string, query: Record<string, string>, file: string): string {
  const search = new URLSearchParams(query).toString();
  const quoted = `@${file}`.replaceAll("'", String.raw`'\''`);
  return `curl '${origin}/v1/predictions?${search}' \\\n  -H 'content-type: text/csv' \\\n  --data-binary '${quoted}'`;
}

/** Whether a measured time, in seconds, lies outside a forecast's interval; without an interval that is not known. */
export function isOutside(
  interval: { low_s: number; high_s: number } | null | undefined,
  measured: number | null,
): boolean {
  if (interval == null || measured === null) return false;
  return measured < interval.low_s || measured > interval.high_s;
}

/**
 * Beyond this many times the largest value seen, an interval has no known probability. The command line uses the
 * same limit.
 */
const FAR = 2;

/** Whether a counter is so far above the range seen that the interval has no known probability. */
export function isFarAbove(outside: Outside[]): boolean {
  return outside.some(({ value, max, times }) => value > max && (times == null || times > FAR));
}
