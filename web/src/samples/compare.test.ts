import { expect, test } from "vitest";
import type { Sample } from "../api/client";
import { compareCounters } from "./compare";

function sample(counters: Record<string, number>, provider = "ncu"): Sample {
  return {
    id: "01a204d0-e769-7761-93a2-a39163c85806",
    measured_at: "2026-11-22T19:52:00Z",
    received_at: "2026-11-22T19:52:01Z",
    agent: { name: "lab", version: "0.3.0" },
    device: { vendor: "Maker", name: "Device", kind: "gpu" },
    workload: { kernel: "k", variant: "global", parameters: {} },
    times: { repetitions_s: [1] },
    time: { median_s: 1, min_s: 1, n: 1 },
    readings: { [provider]: { counters } },
  };
}

test("what differs comes first, the furthest first, and missing is no 0", () => {
  const a = sample({ loads: 100, stores: 50, branches: 4, zero: 0, gone: 1 });
  const b = sample({ loads: 110, stores: 5, branches: 4, zero: 8 });
  expect(compareCounters(a, b)).toEqual([
    {
      provider: "ncu",
      different: [
        { name: "gone", a: 1, b: null, ratio: null },
        { name: "zero", a: 0, b: 8, ratio: null },
        { name: "stores", a: 50, b: 5, ratio: 0.1 },
        { name: "loads", a: 100, b: 110, ratio: 1.1 },
      ],
      same: [{ name: "branches", a: 4, b: 4, ratio: 1 }],
    },
  ]);
});

test("providers that counted only one of the two are there", () => {
  const providers = compareCounters(sample({ x: 1 }), sample({ x: 1 }, "oclgrind"));
  expect(providers.map(({ provider }) => provider)).toEqual(["ncu", "oclgrind"]);
  expect(providers[0]?.different).toEqual([{ name: "x", a: 1, b: null, ratio: null }]);
});
