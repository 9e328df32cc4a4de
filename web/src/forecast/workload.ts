/** A sample's workload: its counters, its time on every device, its operations and bytes. */
import { api, body, type RooflinePoint, type Sample } from "../api/client";
import { sizes } from "../lib/format";
import { kernelTimes } from "../lib/kernelTimes";
import { pointOf } from "../lib/speedOfLight";
import { allPages } from "../lib/pages";

export interface MeasuredWorkload {
  sample: Sample;
  /** Median seconds by device. */
  times: Map<number, number>;
}

/** A workload's operations and bytes from its device's counters; null where these were not counted. */
export async function rooflinePoint(sample: Sample, device: number): Promise<RooflinePoint | null> {
  const points = await allPages((cursor) => {
    const params = { path: { id: device }, query: { limit: 1000, ...cursor } };
    return body(api.GET("/v1/devices/{id}/roofline", { params }));
  });
  return pointOf(points, sample) ?? null;
}

export async function loadWorkload(id: string): Promise<MeasuredWorkload> {
  const sample = await body(api.GET("/v1/samples/{id}", { params: { path: { id } } }));
  const { kernel, variant, parameters = {} } = sample.workload;
  const times = await kernelTimes(kernel, null);
  const same = times.filter(
    (time) => time.variant === variant && sizes(time.parameters) === sizes(parameters),
  );
  return { sample, times: new Map(same.map(({ device, median_s }) => [device, median_s])) };
}
