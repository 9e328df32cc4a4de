import { expect, test } from "vitest";
import type { Doubt, FitRefusal, HeldBecause } from "../../../api/client";
import { doubts, fitRefusal, heldBecause } from "./reasons";

/** One of each kind, and what its text has to hold; the compiler sees to it that none is missing. */
type All<Union extends { kind: string }> = {
  [Kind in Union["kind"]]: [Extract<Union, { kind: Kind }>, string[]];
};

const DOUBTS: All<Doubt> = {
  no_time: [{ kind: "no_time", time_s: 0 }, ["0\u00a0s"]],
  below_launch: [
    { kind: "below_launch", time_s: 1e-9, launch_s: 4e-6 },
    ["1.00\u00a0ns", "4.00\u00a0µs"],
  ],
  beyond_device: [
    { kind: "beyond_device", of: "double_operations", per_second: 3e15, most: 2e13 },
    ["3.00\u00a0PFLOP/s", "20.0\u00a0TFLOP/s"],
  ],
  unlike_forecast: [
    { kind: "unlike_forecast", time_s: 1, forecast_s: 0.1, provider: "ncu", believed: 4 },
    ["1.00\u00a0s", "ncu", "100\u00a0ms", "10 倍", "4.00 倍以内"],
  ],
  unlike_before: [
    { kind: "unlike_before", time_s: 2e-3, before_s: 4e-3 },
    ["2.00\u00a0ms", "4.00\u00a0ms", "0.50 倍"],
  ],
  counters_differ: [
    {
      kind: "counters_differ",
      named: [{ counter: "oclgrind:instructions", now: 2e6, before: 1e6 }],
      more: 8,
    },
    ["oclgrind:instructions は 2M（以前は 1M）", "8 個"],
  ],
  collection_shifted: [
    { kind: "collection_shifted", workloads: 14, shift: -0.3 },
    ["14 個", "30\u00a0% 短く"],
  ],
  collection_scattered: [
    { kind: "collection_scattered", workloads: 9, by: 0.2 },
    ["9 個", "20\u00a0%"],
  ],
  collection_unlike_forecasts: [
    { kind: "collection_unlike_forecasts", workloads: 11, times: 2.5 },
    ["11 個", "2.50 倍"],
  ],
};

const REFUSALS: All<FitRefusal> = {
  no_sample: [{ kind: "no_sample" }, ["サンプル"]],
  too_few_rows: [
    { kind: "too_few_rows", rows: 6, counters: 21, needed: 23 },
    ["21 個", "6 行", "23 行"],
  ],
  nothing_varies: [{ kind: "nothing_varies", rows: 9, counters: 4 }, ["4 個", "9 行"]],
  nothing_known: [{ kind: "nothing_known", counters: 5 }, ["5 個"]],
  too_few_kernels: [{ kind: "too_few_kernels", found: 2, needed: 3 }, ["2 個", "3 個"]],
  not_finite: [{ kind: "not_finite" }, ["桁あふれ"]],
  text: [{ kind: "text", text: "a defect。" }, ["a defect"]],
};

const HELD: All<HeldBecause> = {
  worse: [
    { kind: "worse", kernels: 31, now: 0.4, before: 0.2 },
    ["31 個", "40\u00a0%", "20\u00a0%"],
  ],
  no_fit: [{ kind: "no_fit" }, ["当てはめ"]],
};
function holds<Union extends { kind: string }>(all: All<Union>, said: (it: Union[]) => string) {
  for (const [it, parts] of Object.values<[Union, string[]]>(all)) {
    const text = said([it]);
    for (const part of parts) expect(text, it.kind).toContain(part);
    expect(text, it.kind).toMatch(/。$/);
  }
}

test("reasons are said in Japanese with their numbers, whatever their kind", () => {
  holds(DOUBTS, doubts);
  holds(HELD, heldBecause);
  holds(REFUSALS, (all) => all.map(fitRefusal).join(""));
});

test("several reasons follow one another", () => {
  const [one] = DOUBTS.unlike_before;
  const [other] = DOUBTS.collection_shifted;
  expect(doubts([one, other])).toBe(doubts([one]) + doubts([other]));
});
