/** Coefficients of a fit, and the counters that it needs. */
import type { Coefficient, Fit } from "../api/client";

export interface RankedCoefficient {
  coefficient: Coefficient;
  /**
   * What the counter does to a typical response, in its unit: of one standard
   * deviation, or, in `costs`, of as many events as there are on average. Null where it can’t be
   * told: in a forest, and where the fit does not say over how many events are shared out.
   */
  size: number | null;
}

/** Coefficients by size, the largest first, without those of size 0. */
export function rankCoefficients({ coefficients }: Fit): RankedCoefficient[] {
  const means = new Map(coefficients.map(({ counter, mean }) => [counter, mean]));
  return coefficients
    .map((coefficient) => ({ coefficient, size: size(coefficient, means) }))
    .filter(({ size }) => size !== 0)
    .sort((a, b) => Math.abs(b.size ?? 0) - Math.abs(a.size ?? 0));
}

/** A counter that a fit uses. */
export interface FitCounter {
  counter: string;
  /** Smallest and largest value seen; absent where the fit does not say. */
  seen?: { min: number; max: number };
  /** A typical value; absent where the fit does not say. */
  typical?: number;
}

/** The counters that a fit uses, each once: in `costs`, one may be in several coefficients. */
export function fitCounters({ coefficients }: Fit): FitCounter[] {
  const counters = new Map<string, FitCounter>();
  for (const { counter, min, max, mean } of coefficients) {
    counters.set(counter, { counter, seen: { min, max }, typical: mean });
  }
  for (const counter of coefficients.flatMap(({ over }) => over ?? [])) {
    if (!counters.has(counter)) counters.set(counter, { counter });
  }
  return [...counters.values()];
}

/** Whether costs are those of one unit (a multiprocessor, a core or a warp) of many that share the work. */
export function isOfOnePlace({ form }: Fit): boolean {
  return form === "waves" || form === "corrected";
}

/** On a CPU, one core does all events of a work-item, so costs are not per warp: removes `over`. */
export function onCores(fit: Fit): Fit {
  const coefficients = fit.coefficients.map(({ over: _, ...one }) => one);
  return isOfOnePlace(fit) ? { ...fit, coefficients } : fit;
}

function size({ weight, per_event, mean, over }: Coefficient, means: Map<string, number>) {
  if (weight != null) return weight;
  if (per_event == null) return null;
  if (per_event === 0) return 0;
  if (over === undefined) return per_event * mean;
  const workers = over.map((counter) => means.get(counter) ?? NaN).reduce((a, b) => a + b, 0);
  return Number.isNaN(workers) ? null : (per_event * mean) / workers;
}
