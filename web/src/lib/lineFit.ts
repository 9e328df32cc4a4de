/** How far a straight line holds that is drawn on logarithmic axes. */
import { median, rollups } from "d3-array";

/** So far off, either way, a line is no longer drawn as if it held. */
const OFF = 2;

/** From which place on the line is within a factor of 2 of the median of what was measured there; null: nowhere. */
export function holdsFrom(
  points: { x: number; y: number }[],
  line: (x: number) => number,
): number | null {
  const medians = rollups(
    points,
    (own) => median(own, ({ y }) => y) ?? NaN,
    ({ x }) => x,
  ).sort(([a], [b]) => b - a);
  const first = medians.findIndex(([x, y]) => !(Math.abs(Math.log(line(x) / y)) <= Math.log(OFF)));
  const last = first === -1 ? medians.length - 1 : first - 1;
  return medians[last]?.[0] ?? null;
}
