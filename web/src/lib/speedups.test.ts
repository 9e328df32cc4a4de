import { expect, test } from "vitest";
import type { SpeedupModel, KernelSpeedup, SpeedupModels } from "../api/client";
import { always, byDevice, typical } from "./speedups";

function model(id: string, factor: number): SpeedupModel {
  const errors = {
    n: 4,
    unpredicted: 0,
    mean_ape: 0.2,
    median_ape: 0.1,
    within_25: 1,
    negative: 0,
  };
  return {
    model: id,
    method: "forest_per_worker",
    champion: true,
    workloads: 4,
    kernels: 2,
    leave_one_kernel_out: { ...errors, factor },
    signs: { right: 0.9, pays_off: 0.3, better: 9, worse: 1 },
  };
}

function speedup(id: string, device: number, measured: number): KernelSpeedup {
  const sample = "01a1fe40-8e31-7302-b5d7-c68693b75071";
  return {
    device,
    provider: "ncu",
    model: id,
    parameters: {},
    global_sample: sample,
    local_sample: sample,
    measured,
  };
}

test("a device's own counters go before another's, then the least error", () => {
  const known: SpeedupModels[] = [
    { device: 1, provider: "ncu", models: [model("own", 1.4)] },
    { device: 1, provider: "oclgrind", models: [model("counts", 1.6)] },
    { device: 1, counted_on: 2, provider: "oclgrind", models: [model("other", 1.1)] },
    { device: 2, counted_on: 1, provider: "ncu", models: [model("across", 1.5)] },
  ];
  const speedups = [
    speedup("counts", 1, 2),
    speedup("other", 1, 2),
    speedup("own", 1, 2),
    speedup("own", 1, 4),
    speedup("across", 2, 3),
    speedup("gone", 3, 1),
  ];
  const found = byDevice(speedups, known);
  expect(found.map((one) => [one.device, one.countedOn, one.model.model])).toEqual([
    [1, null, "own"],
    [2, 1, "across"],
  ]);
  expect(typical(found[0]?.speedups ?? [], (one) => one.measured)).toBe(3);
  expect(typical(found[0]?.speedups ?? [], (one) => one.forecast)).toBeUndefined();
});

test("the same answer always is right as often as the more frequent sign", () => {
  expect(always(model("own", 1))).toBe(0.7);
});
