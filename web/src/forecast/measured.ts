/** What is known of a sample's workload: its counters, and its time on every device. */
import { api, body, type Sample } from "../api/client";
import { sizes } from "../lib/format";
import { all } from "../lib/pages";

export interface Known {
  sample: Sample;
  /** Median seconds by device. */
  times: Map<number, number>;
}

export async function known(id: string): Promise<Known> {
  const sample = await body(api.GET("/v1/samples/{id}", { params: { path: { id } } }));
  const { kernel, variant, parameters = {} } = sample.workload;
  const times = await all((cursor) => {
    const params = { path: { name: kernel }, query: { limit: 1000, ...cursor } };
    return body(api.GET("/v1/kernels/{name}/times", { params }));
  });
  const same = times.filter(
    (time) => time.variant === variant && sizes(time.parameters) === sizes(parameters),
  );
  return { sample, times: new Map(same.map(({ device, median_s }) => [device, median_s])) };
}
