/** Where samples are shown. */
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
