import { expect, test } from "vitest";
import type { Sample } from "../api/client";
import { newestOfEach, pairs, sizeParameters } from "./workloads";

function sample(variant: string, parameters: Record<string, number>, median_s: number): Sample {
  return {
    id: "01a1fe40-8e31-7302-b5d7-c68693b75071",
    measured_at: "2026-11-21T13:16:46Z",
    received_at: "2026-11-21T13:16:47Z",
    agent: { name: "a", version: "0.1.0" },
    device: { vendor: "v", name: "d", kind: "gpu" },
    workload: { kernel: "k", variant, parameters },
    times: { repetitions_s: [median_s] },
    time: { median_s, min_s: median_s, n: 1 },
  };
}

test("sizes are told apart by what changes", () => {
  const samples = [
    sample("global", { n: 1, steps: 4 }, 1),
    sample("global", { n: 2, steps: 4 }, 2),
  ];
  expect(sizeParameters(samples)).toEqual(["n"]);
  expect(sizeParameters([])).toEqual([]);
});

test("of a workload measured twice the newest counts", () => {
  const samples = [sample("global", { n: 1 }, 3), sample("global", { n: 1 }, 2)];
  expect(newestOfEach(samples).map(({ time }) => time.median_s)).toEqual([3]);
});

test("the gain is the time without local memory over that with it, of the same size", () => {
  const samples = [
    sample("global", { n: 1 }, 3),
    sample("local", { n: 1 }, 2),
    sample("local", { n: 2 }, 2),
  ];
  expect(pairs(samples).map(({ size, gain }) => [size, gain])).toEqual([["n\u00a0=\u00a01", 1.5]]);
});
