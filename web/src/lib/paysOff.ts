/** Whether local memory would pay off: as `kerncast forecast` says it (collector/src/cli/forecast/answer.rs). */
import type { SpeedupForecast } from "../api/client";

export type PaysOff = "yes" | "no" | "cannotTell";

/** Yes or no only where the server's model can tell, and the interval leaves no doubt. */
export function paysOff({ pays_off, interval }: SpeedupForecast): PaysOff {
  if (pays_off == null || (interval && interval.low < 1 && interval.high > 1)) return "cannotTell";
  return pays_off ? "yes" : "no";
}

/** Whether counters are of a variant that uses local memory already. NVIDIA's driver says 1 of one without any. */
export function usesLocalMemory(
  counters: Record<string, Record<string, number | string>>,
): boolean {
  return Number(counters["launch"]?.["local_bytes"] ?? 0) > 1;
}
