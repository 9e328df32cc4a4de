/** Forecasts of workloads on unmeasured GPUs, compared with a measured one. */
import { groups, mean } from "d3-array";
import { api, body, type Facts, type Forecast, type KernelTime } from "../api/client";
import { sizes } from "../lib/format";
import type { Word } from "../lib/trust";
import { kernelTimes } from "../lib/kernelTimes";
import { countersOf } from "../lib/samples";

/** A workload to forecast, with the counters of its sample. */
export interface CountedWorkload {
  sample: string;
  name: string;
  /** Kernel and variant; sizes. */
  title: [string, string];
  counters: Record<string, Record<string, number>>;
  /** Seconds on the GPU that counted it. */
  measured: number;
}

/** A GPU, and the forecast of each workload on it; absent where there is none. */
export interface GpuForecasts {
  gpu: Facts;
  /** One for each workload, in their order. */
  forecasts: (Forecast | undefined)[];
  /** Whether its own samples answer. */
  own: boolean;
  /** The trust of the least trusted forecast. */
  trust: Word;
  /** Speed relative to the GPU that was counted on, a geometric mean; absent where a forecast is missing. */
  speed: number | undefined;
}

const WORDS: Word[] = ["none", "low", "fair", "high"];

/** How many kernels are shown where the reader chose none. */
const FIRST = 4;

/** The workloads of these samples; without any, the longest workload of a kernel of each of the largest families. */
export async function countedWorkloads(
  device: number,
  chosen: string[],
): Promise<CountedWorkload[]> {
  const ids = chosen.length > 0 ? chosen : await examples(device);
  const samples = await Promise.all(
    ids.map((id) => body(api.GET("/v1/samples/{id}", { params: { path: { id } } }))),
  );
  return samples.map((sample) => {
    const { kernel, variant, parameters } = sample.workload;
    return {
      sample: sample.id,
      name: `${kernel} ${variant} ${sizes(parameters ?? {})}`,
      title: [`${kernel} ${variant}`, sizes(parameters ?? {})],
      counters: countersOf(sample),
      measured: sample.time.median_s,
    };
  });
}

async function examples(device: number): Promise<string[]> {
  const query = { limit: 1000, generated: false };
  const { items } = await body(api.GET("/v1/kernels", { params: { query } }));
  const families = groups(items, ({ family }) => family ?? "").sort(
    ([, a], [, b]) => b.length - a.length,
  );
  const names = families.flatMap(([, [first]]) => (first ? [first.name] : [])).slice(0, FIRST);
  const longest = await Promise.all(names.map((name) => longestOf(name, device)));
  return longest.flatMap((one) => (one ? [one.sample] : []));
}

/** The workload of a kernel that took longest on the device. */
async function longestOf(name: string, device: number): Promise<KernelTime | undefined> {
  const times = await kernelTimes(name, device);
  return times.toSorted((a, b) => b.median_s - a.median_s)[0];
}

/** All GPUs that have a data sheet, the fastest first; those without a forecast of every workload last. */
export async function rankGpus(
  device: number,
  workloads: CountedWorkload[],
): Promise<GpuForecasts[]> {
  const gpus = await body(api.GET("/v1/gpus"));
  const { predictions } = await body(
    api.POST("/v1/predictions", {
      body: {
        counter_sets: workloads.map(({ name, counters }) => ({ name, counters })),
        gpus: gpus.map(({ name }) => name),
      },
    }),
  );
  const results = gpus.map((gpu, place): GpuForecasts => {
    const own = workloads.map((_, set) => predictions[set * gpus.length + place]);
    const forecasts = own.map((one) =>
      one && !("refusal" in one) ? (one as Forecast) : undefined,
    );
    return {
      gpu,
      forecasts,
      own: own.some((one) => one?.device === device && !one.unmeasured),
      trust: WORDS.find((word) => own.some((one) => one?.trust.word === word)) ?? "none",
      speed: speed(
        forecasts.map((one) => one?.time_s),
        workloads.map(({ measured }) => measured),
      ),
    };
  });
  return results.toSorted((a, b) => (b.speed ?? 0) - (a.speed ?? 0));
}

/** The geometric mean of measured ÷ forecast; absent where a forecast is missing. */
export function speed(forecasts: (number | undefined)[], measured: number[]): number | undefined {
  const logs = measured.map((time, place) => Math.log(time / (forecasts[place] ?? NaN)));
  const of = logs.every(Number.isFinite) ? mean(logs) : undefined;
  return of === undefined ? undefined : Math.exp(of);
}
