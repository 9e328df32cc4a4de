/** Samples for figures. */
import { greatest, groups } from "d3-array";
import { api, body, type Sample } from "../api/client";
import { page } from "./address.svelte";

interface Wanted {
  device?: number;
  kernel?: string;
}

/** The newest thousand at most. */
export async function newest(wanted: Wanted): Promise<Sample[]> {
  const answer = await body(
    api.GET("/v1/samples", { params: { query: { ...wanted, limit: 1000 } } }),
  );
  return answer.items;
}

/** Where a sample is shown. */
export function address({ id, workload }: Sample, device: number): string {
  const { kernel, variant } = workload;
  const search = new URLSearchParams({ device: device.toString(), kernel, variant });
  return `${page("samples", id)}?${search.toString()}`;
}

/** Of each kernel and variant the sample that took longest: its largest size. */
export function largest(samples: Sample[]): Sample[] {
  return groups(samples, ({ workload }) => `${workload.kernel} ${workload.variant}`).flatMap(
    ([, own]) => greatest(own, ({ time }) => time.median_s) ?? [],
  );
}
