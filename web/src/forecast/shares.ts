/** The parts of a forecast's time, for a stacked bar. */
import { sum } from "d3-array";
import type { Explanation } from "../api/client";

export interface Part {
  /** A counter; null is what no counter explains, or the counters that are too small to name. */
  counter: string | null;
  what: "rest" | "counter" | "others";
  time_s: number;
  /** How many counters. */
  counters: number;
}

/** The largest parts first, then all others as one. They add up to the forecast. */
export function partsOf({ rest_s, shares }: Explanation, most = 6): Part[] {
  const [named, small] = [shares.slice(0, most), shares.slice(most)];
  const rest: Part = { counter: null, what: "rest", time_s: rest_s, counters: 0 };
  const parts: Part[] = [
    rest,
    ...named.map(({ counter, time_s }): Part => ({
      counter,
      what: "counter",
      time_s,
      counters: 1,
    })),
  ];
  parts.sort((a, b) => Math.abs(b.time_s) - Math.abs(a.time_s));
  return [
    ...parts,
    {
      counter: null,
      what: "others" as const,
      time_s: sum(small, ({ time_s }) => time_s),
      counters: small.length,
    },
  ].filter(({ time_s }) => time_s !== 0);
}

/** The sum of all parts: the forecast. */
export function total({ rest_s, shares }: Explanation): number {
  return rest_s + sum(shares, ({ time_s }) => time_s);
}

/** The seconds of a part in another explanation. The part `others` is all that `named` does not name. */
export function partOf(explanation: Explanation, { what, counter }: Part, named: Part[]): number {
  if (what === "rest") return explanation.rest_s;
  const names = named.flatMap(({ counter }) => counter ?? []);
  const shares = explanation.shares.filter((share) =>
    what === "counter" ? share.counter === counter : !names.includes(share.counter),
  );
  return sum(shares, ({ time_s }) => time_s);
}

/**
 * A colour's place for each counter: the one it had `before`, where no other has it now, so that what
 * is changed and asked again looks alike.
 */
export function steady(
  counters: string[],
  before: ReadonlyMap<string, number>,
  colours = 7,
): Map<string, number> {
  const places = new Map<string, number>();
  const free = new Set(Array.from({ length: colours }, (_, place) => place));
  for (const counter of counters) {
    const place = before.get(counter);
    if (place !== undefined && free.delete(place)) places.set(counter, place);
  }
  for (const counter of counters) {
    if (places.has(counter)) continue;
    const [place = places.size % colours] = free;
    free.delete(place);
    places.set(counter, place);
  }
  return places;
}
