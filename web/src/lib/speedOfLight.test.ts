import { expect, test } from "vitest";
import type { RooflinePoint } from "../api/client";
import { speedOfLight, pointOf } from "./speedOfLight";

const point: RooflinePoint = {
  sample: "s",
  kernel: "k",
  variant: "global",
  parameters: { n: 8 },
  provider: "ncu",
  time_s: 1,
  bytes: 100,
  fp32_flop: 40,
  fp64_flop: 0,
};

test("each ceiling is as near as its least time is to the time", () => {
  const ceilings = {
    copy_bytes_per_s: 200,
    fp32_flop_per_s: 50,
    fp64_flop_per_s: 10,
    launch_latency_s: 0.1,
  };
  expect(speedOfLight(point, ceilings, 1)).toEqual([
    { key: "fp32_flop_per_s", least_s: 0.8, share: 0.8 },
    { key: "copy_bytes_per_s", least_s: 0.5, share: 0.5 },
    { key: "launch_latency_s", least_s: 0.1, share: 0.1 },
  ]);
});

test("what was not counted or has no ceiling is left out", () => {
  expect(speedOfLight({ ...point, bytes: null }, { copy_bytes_per_s: 200 }, 1)).toEqual([]);
});

test("a workload is found by kernel, variant and sizes", () => {
  const workload = { kernel: "k", variant: "global", parameters: { n: 8 } };
  expect(pointOf([point], { workload })).toBe(point);
  expect(pointOf([point], { workload: { ...workload, parameters: { n: 9 } } })).toBeUndefined();
});
