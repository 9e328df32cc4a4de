/** How strongly an error is coloured. */
import { scaleLog } from "d3-scale";

/**
 * From 5 %, as good as it gets, to 150 %, worse than nothing; by ratios, as errors are compared. The
 * first half turns warm, the second hot (base.css), so that 42 % and 82 % are told apart.
 */
const scale = scaleLog([0.05, 1.5], [0, 1]).clamp(true);

export function heatOf(error: number): number {
  return scale(Math.max(error, 0.01));
}
