/** Fitting jobs. */
import type { FittingJob } from "../api/client";

/** A job's key: there is one job for each device, device counted on and provider. */
export function key({ device, counted_on, provider }: FittingJob): string {
  return JSON.stringify([device, counted_on ?? null, provider]);
}
