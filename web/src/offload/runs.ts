/** Streams that were done, and what had been forecast of them. */
import type { StreamRuns } from "../api/client";

type One = StreamRuns["newest"][number];

/** Bits of an element, as its type's name has them. */
const BITS = /\d+$/;

/** Of the input. */
export function bytes({ run }: One): number {
  return (run.elements * Number(BITS.exec(run.element)?.[0] ?? 0)) / 8;
}

/** Primitives, by name. */
export function primitives(runs: One[]): string[] {
  return [...new Set(runs.map(({ run }) => run.primitive))].sort();
}

/** Whether it took as long as its interval said; null where there was none. */
export function within({ run }: One): boolean | null {
  const [low, high] = run.interval_s ?? [];
  if (low === undefined || high === undefined) return null;
  return low <= run.told.measured_s && run.told.measured_s <= high;
}
