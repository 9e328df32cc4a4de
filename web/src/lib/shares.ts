/** Where a forecast's time goes, as a stacked bar shows it. */
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

/** The rest, the largest shares and all others together: they add up to the forecast. */
export function partsOf({ rest_s, shares }: Explanation, most = 6): Part[] {
  const [named, small] = [shares.slice(0, most), shares.slice(most)];
  const parts: Part[] = [
    { counter: null, what: "rest", time_s: rest_s, counters: 0 },
    ...named.map(({ counter, time_s }): Part => ({
      counter,
      what: "counter",
      time_s,
      counters: 1,
    })),
    {
      counter: null,
      what: "others",
      time_s: sum(small, ({ time_s }) => time_s),
      counters: small.length,
    },
  ];
  return parts.filter(({ time_s }) => time_s !== 0);
}
