/** Where samples are shown. */
import type { Sample } from "../api/client";
import { page } from "./address.svelte";

interface Shown {
  sample: string;
  variant: string;
}

/** The listing of samples has no way to one by its id: its workload and device narrow the search. */
export function address({ sample, variant }: Shown, kernel: string, device: number): string {
  const search = new URLSearchParams({ device: device.toString(), kernel, variant });
  return `${page("samples", sample)}?${search.toString()}`;
}

/** All that was counted, by provider; refusals are absent. */
export function countersOf({ readings = {} }: Sample): Record<string, Record<string, number>> {
  return Object.fromEntries(
    Object.entries(readings).flatMap(([provider, { counters }]) =>
      counters ? [[provider, counters]] : [],
    ),
  );
}
