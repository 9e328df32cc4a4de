/** Which coefficients of a fit matter. */
import type { Coefficient, Fit } from "../api/client";

export interface Ranked {
  coefficient: Coefficient;
  /**
   * What the counter does to a typical response, in its unit or its logarithm's: of one standard
   * deviation, or, in `costs`, of as many events as there are on average. Null in a forest.
   */
  size: number | null;
}

/** Those that do most first; those that do nothing are left out. */
export function ranked({ coefficients }: Fit): Ranked[] {
  const means = new Map(coefficients.map(({ counter, mean }) => [counter, mean]));
  return coefficients
    .map((coefficient) => ({ coefficient, size: size(coefficient, means) }))
    .filter(({ size }) => size !== 0)
    .sort((a, b) => Math.abs(b.size ?? 0) - Math.abs(a.size ?? 0));
}

function size({ weight, per_event, mean, over }: Coefficient, means: Map<string, number>) {
  if (weight != null) return weight;
  if (per_event == null) return null;
  // What events are shared out over is itself a counter, so its mean is known.
  return (per_event * mean) / ((over != null && means.get(over)) || 1);
}
