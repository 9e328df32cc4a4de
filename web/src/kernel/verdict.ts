/** The verdict of measured times on local memory. */
import { extent, median } from "d3-array";

export interface Verdict {
  kind: "faster" | "slower" | "same" | "depends";
  /** Speedups: time without ÷ time with local memory. */
  typical: number;
  low: number;
  high: number;
  /** Sizes measured both ways. */
  sizes: number;
}

/** Speedups within this factor of 1 count as equal. */
const CLEAR = 1.05;

/** The verdict of one device's measured speedups; null where there are none. */
export function verdict(speedups: number[]): Verdict | null {
  const typical = median(speedups);
  const [low, high] = extent(speedups);
  if (typical === undefined || low === undefined || high === undefined) return null;
  const [pays, costs] = [high > CLEAR, low < 1 / CLEAR];
  const kind = pays && costs ? "depends" : pays ? "faster" : costs ? "slower" : "same";
  return { kind, typical, low, high, sizes: speedups.length };
}
