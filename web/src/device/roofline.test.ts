import { expect, test } from "vitest";
import type { RooflinePoint } from "../api/client";
import { longest, place } from "./roofline";

function point(changes: Partial<RooflinePoint>): RooflinePoint {
  return {
    sample: "01a1fe40-8e31-7302-b5d7-c68693b75071",
    kernel: "k",
    variant: "global",
    parameters: {},
    time_s: 0.5,
    provider: "ncu",
    ...changes,
  };
}

test("operations of both precisions count, the more frequent one names the point", () => {
  expect(place(point({ fp32_flop: 100, fp64_flop: 28, bytes: 64 }))).toMatchObject({
    precision: "fp32",
    intensity: 2,
    flop_per_s: 256,
  });
  expect(place(point({ fp32_flop: 1, fp64_flop: 2, bytes: 1 }))?.precision).toBe("fp64");
});

test("without operations or traffic there is no place", () => {
  expect(place(point({ bytes: 64 }))).toBeNull();
  expect(place(point({ fp32_flop: 1 }))).toBeNull();
  expect(place(point({ fp32_flop: 1, bytes: 0 }))).toBeNull();
});

test("a kernel's variants count by their longest workload", () => {
  const points = [point({}), point({ time_s: 2 }), point({ variant: "local" })];
  expect(longest(points).map(({ variant, time_s }) => [variant, time_s])).toEqual([
    ["global", 2],
    ["local", 0.5],
  ]);
});
