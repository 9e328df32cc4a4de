/** Parts of a sample. */
import type { Sample } from "../api/client";

/** Counters by provider, without refusals. */
export function countersOf({ readings = {} }: Sample): Record<string, Record<string, number>> {
  return Object.fromEntries(
    Object.entries(readings).flatMap(([provider, { counters }]) =>
      counters ? [[provider, counters]] : [],
    ),
  );
}
