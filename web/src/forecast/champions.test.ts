import { expect, test } from "vitest";
import type { DevicePair, ModelSummary, Sample } from "../api/client";
import { championAcross, championOf } from "./champions";

const none = { n: 9, unpredicted: 0, median_ape: 0, within_25: 0, negative: 0 };

function model(id: string, provider: string, mean_ape: number, champion = true): ModelSummary {
  return {
    id,
    created_at: "2026-11-20T10:12:03Z",
    specification: { device: 1, provider, method: "ols", counters: [] },
    device: { vendor: "Maker", name: "Device", kind: "gpu" },
    samples: 10,
    kernels: 2,
    warnings: [],
    warned: [],
    held_because: [],
    champion,
    superseded: false,
    leave_one_kernel_out: { ...none, mean_ape },
  };
}
const sample: Sample = {
  id: "s",
  measured_at: "2026-11-22T19:52:00Z",
  received_at: "2026-11-22T19:52:01Z",
  agent: { name: "lab", version: "0.3.0" },
  device: { vendor: "Maker", name: "Device", kind: "gpu" },
  workload: { kernel: "k", variant: "global", parameters: {} },
  times: { repetitions_s: [1] },
  time: { median_s: 1, min_s: 1, n: 1 },
  readings: { ncu: { counters: { x: 1 } }, oclgrind: { refusal: "too long" } },
};

test("the champion that knows what was counted and is off least answers", () => {
  const models = [
    model("refused", "oclgrind", 0.01),
    model("other", "ncu", 0.05, false),
    model("far", "ncu", 0.4),
    model("near", "ncu", 0.2),
  ];
  expect(championOf(models, 1, sample)).toBe("near");
  expect(championOf(models, 2, sample)).toBeUndefined();
});

function pair(device: number, mean_ape: number, provider = "ncu"): DevicePair {
  const id = `to ${device.toString()}`;
  const errors = { ...none, mean_ape };
  return {
    counted_on: 1,
    device,
    provider,
    models: [
      {
        model: id,
        method: "ols",
        champion: true,
        needs_time: true,
        workloads: 9,
        leave_one_kernel_out: errors,
      },
    ],
  } as DevicePair;
}

test("elsewhere is the device asked for, or the one that is forecast best", () => {
  const pairs = [pair(2, 0.5), pair(3, 0.1), pair(4, 0.01, "oclgrind")];
  expect(championAcross(pairs, 1, 2, sample)).toBe("to 2");
  expect(championAcross(pairs, 1, null, sample)).toBe("to 3");
  expect(championAcross(pairs, 1, 4, sample)).toBeUndefined();
});
