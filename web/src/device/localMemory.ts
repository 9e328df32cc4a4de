/** The local-memory microbenchmark: the time of loads by their number and bank conflicts. */
import type { Sample } from "../api/client";

export interface Load {
  /** Loads of each work-item, warps, congestion. */
  instructions: number;
  warps: number;
  congestion: number;
  /** Absent where no clock can be read. */
  cycles?: number;
  time_s: number;
  sample: string;
}

/** The loads of samples (newest first): for each combination, the newest sample that is not set aside. */
export function loads(samples: Sample[]): Load[] {
  const newest = new Map<string, Load>();
  for (const { id, readings, standing, time } of samples) {
    const { instructions, warps, congestion, cycles } = readings?.["local_memory"]?.counters ?? {};
    if (instructions == null || warps == null || congestion == null) continue;
    const place = [instructions, warps, congestion].join();
    if (standing === "quarantined" || standing === "rejected" || newest.has(place)) continue;
    const load = { instructions, warps, congestion, time_s: time.median_s, sample: id };
    newest.set(place, cycles == null ? load : { ...load, cycles });
  }
  return [...newest.values()];
}
