/** What providers counted. */
import type { Sample } from "../api/client";

/** A counter, or undefined where the provider did not count it. */
export function counter(sample: Sample, provider: string, name: string): number | undefined {
  return sample.readings?.[provider]?.counters?.[name];
}
