import { expect, test } from "vitest";
import type { KernelTime } from "../api/client";
import { fastest, pairs, product, sizeParameters } from "./workloads";

function time(variant: string, parameters: Record<string, number>, median_s: number): KernelTime {
  return {
    device: 1,
    variant,
    parameters,
    samples: 1,
    sample: "01a1fe40-8e31-7302-b5d7-c68693b75071",
    measured_at: "2026-11-21T13:16:46Z",
    time_s: median_s,
    median_s,
    min_s: median_s,
  };
}

test("sizes are told apart by what changes", () => {
  const times = [{ parameters: { n: 1, steps: 4 } }, { parameters: { n: 2, steps: 4 } }];
  expect(sizeParameters(times)).toEqual(["n"]);
  expect(sizeParameters([])).toEqual([]);
  expect(product({ parameters: { width: 3, height: 5 } }, ["width", "height"])).toBe(15);
});

test("the speedup is the time without local memory over that with it, of the same size", () => {
  const times = [
    time("global", { n: 1 }, 4),
    time("local", { n: 1 }, 2),
    time("local", { n: 2 }, 2),
  ];
  expect(pairs(times).map(({ size, speedup }) => [size, speedup])).toEqual([
    ["n\u00a0=\u00a01", 2],
  ]);
});

test("where variants are no pair of memories, the fastest is named beside the plainest", () => {
  const times = [
    time("float2", { n: 1 }, 2),
    time("float4", { n: 1 }, 1),
    time("global", { n: 1 }, 4),
    time("float4", { n: 2 }, 9),
  ];
  expect(fastest(times)).toEqual({ variant: "float4", than: "global", speedups: [4] });
  const plain = [time("global", { n: 1 }, 2), time("tiled", { n: 1 }, 4)];
  expect(fastest(plain)).toEqual({ variant: "global", than: "tiled", speedups: [2] });
  expect(fastest(times.slice(0, 1))).toBeNull();
});
