/** How strongly an error is coloured. */
import { scaleLog } from "d3-scale";

/** From 5 %, as good as it gets, to 100 %, as good as nothing; by ratios, as errors are compared. */
const scale = scaleLog([0.05, 1], [0, 1]).clamp(true);

export function heat(error: number): number {
  return scale(Math.max(error, 0.01));
}
