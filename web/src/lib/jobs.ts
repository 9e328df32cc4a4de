/** Fitting jobs. */
import type { FittingJob } from "../api/client";

/** What tells a job from the others: there is one for each device, device counted on and provider. */
export function key({ device, counted_on, provider }: FittingJob): string {
  return JSON.stringify([device, counted_on ?? null, provider]);
}
