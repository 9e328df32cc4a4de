/** How long workloads would take on GPUs that nobody has measured, beside one that has. */
import { groups, mean } from "d3-array";
import { api, body, type Facts, type Forecast, type KernelTime } from "../api/client";
import { sizes } from "../lib/format";
import type { Word } from "../lib/trust";
import { allPages } from "../lib/pages";
import { countersOf } from "../lib/samples";

/** A workload that is asked for, by the sample that counted it. */
export interface Asked {
  sample: string;
  name: string;
  /** The name in two: kernel and variant, and sizes. */
  title: [string, string];
  counters: Record<string, Record<string, number>>;
  /** Seconds on the GPU that counted it. */
  measured: number;
}

/** A GPU, and the forecast of each workload on it; absent where there is none. */
export interface Ranked {
  gpu: Facts;
  /** Of the workloads, in their order. */
  forecasts: (Forecast | undefined)[];
  /** Whether its own samples answer. */
  own: boolean;
  /** That of the least trusted forecast. */
  trust: Word;
  /** How many times as fast as the GPU that counted them, as a geometric mean; absent where a forecast is. */
  speed: number | undefined;
}

const WORDS: Word[] = ["none", "low", "fair", "high"];

/** So many kernels are shown where nobody chose any. */
const FIRST = 4;

/** What the samples counted; without any a workload of a kernel of each of the largest families. */
export async function questions(device: number, samples: string[]): Promise<Asked[]> {
  const ids = samples.length > 0 ? samples : await examples(device);
  const found = await Promise.all(
    ids.map((id) => body(api.GET("/v1/samples/{id}", { params: { path: { id } } }))),
  );
  return found.map((sample) => {
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
  const params = { path: { name }, query: { limit: 1000, device } };
  const times = await allPages((cursor) =>
    body(
      api.GET("/v1/kernels/{name}/times", {
        params: { ...params, query: { ...params.query, ...cursor } },
      }),
    ),
  );
  return times.toSorted((a, b) => b.median_s - a.median_s)[0];
}

/** All GPUs of the table, the fastest first; those that lack a forecast last. */
export async function rank(device: number, asked: Asked[]): Promise<Ranked[]> {
  const gpus = await body(api.GET("/v1/gpus"));
  const { predictions } = await body(
    api.POST("/v1/predictions", {
      body: {
        counter_sets: asked.map(({ name, counters }) => ({ name, counters })),
        gpus: gpus.map(({ name }) => name),
      },
    }),
  );
  const ranked = gpus.map((gpu, place): Ranked => {
    const own = asked.map((_, set) => predictions[set * gpus.length + place]);
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
        asked.map(({ measured }) => measured),
      ),
    };
  });
  return ranked.toSorted((a, b) => (b.speed ?? 0) - (a.speed ?? 0));
}

/** The geometric mean of measured ÷ forecast; absent where a forecast is. */
export function speed(forecasts: (number | undefined)[], measured: number[]): number | undefined {
  const logs = measured.map((time, place) => Math.log(time / (forecasts[place] ?? NaN)));
  const of = logs.every(Number.isFinite) ? mean(logs) : undefined;
  return of === undefined ? undefined : Math.exp(of);
}
