import { expect, test } from "vitest";
import type { Sample } from "../api/client";
import { matching, next, orderOf, sorted } from "./sampleList";

function sample(kernel: string, n: number, median_s: number): Sample {
  return {
    id: `01a204d0-${n.toString()}`,
    measured_at: "2026-11-22T19:52:00Z",
    received_at: "2026-11-22T19:52:01Z",
    agent: { name: "lab", version: "0.3.0" },
    device: { vendor: "Maker", name: "NVIDIA H200", kind: "gpu" },
    workload: { kernel, variant: "global", parameters: { n } },
    times: { repetitions_s: [median_s] },
    time: { median_s, min_s: median_s, n: 1 },
    readings: { ncu: { counters: {} } },
  };
}
const all = [sample("dot", 1024, 3), sample("gemv", 64, 1), sample("dot2", 512, 2)];
const names = (samples: Sample[]) => samples.map(({ workload }) => workload.kernel);

test("every word must be there, in any case and any place", () => {
  expect(names(matching(all, ""))).toEqual(["dot", "gemv", "dot2"]);
  expect(names(matching(all, "DOT h200"))).toEqual(["dot", "dot2"]);
  expect(names(matching(all, "n = 64"))).toEqual(["gemv"]);
  expect(names(matching(all, "dot oclgrind"))).toEqual([]);
});

test("columns sort up and down, numbers as numbers", () => {
  expect(names(sorted(all, orderOf("time")))).toEqual(["gemv", "dot2", "dot"]);
  expect(names(sorted(all, orderOf("-sizes")))).toEqual(["dot", "dot2", "gemv"]);
  expect(names(sorted(all, orderOf("kernel")))).toEqual(["dot", "dot2", "gemv"]);
  expect(sorted(all, orderOf("nonsense"))).toBe(all);
});

test("clicks on a head go up, down, and back", () => {
  expect(next(null, "time")).toBe("time");
  expect(next(orderOf("time"), "time")).toBe("-time");
  expect(next(orderOf("-time"), "time")).toBeNull();
  expect(next(orderOf("-time"), "kernel")).toBe("kernel");
});
