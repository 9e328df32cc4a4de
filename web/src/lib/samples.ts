/** What a sample holds. */
import type { Sample } from "../api/client";

/** All that was counted, by provider; refusals are absent. */
export function countersOf({ readings = {} }: Sample): Record<string, Record<string, number>> {
  return Object.fromEntries(
    Object.entries(readings).flatMap(([provider, { counters }]) =>
      counters ? [[provider, counters]] : [],
    ),
  );
}
