import { describe, expect, it } from "vitest";
import type { StreamRuns } from "../api/client";
import { bytes, primitives, within } from "./runs";

function run(primitive: string, took: number, interval: number[] | null) {
  return {
    id: primitive,
    measured_at: "2026-11-26T12:00:00Z",
    agent: "lab-3",
    run: {
      rates: "0",
      primitive,
      element: "u16",
      elements: 1000,
      by: "file",
      passes: 1,
      device_memory: 1,
      trips: { forecast_s: 1, measured_s: took },
      with_start: true,
      is_long: true,
      told: { forecast_s: 1, measured_s: took },
      interval_s: interval,
      trust: "high",
    },
  } satisfies StreamRuns["newest"][number];
}

describe("runs of streams", () => {
  it("have the bytes of their elements", () => {
    expect(bytes(run("sort", 1, null))).toBe(2000);
  });

  it("are told apart by primitive", () => {
    expect(
      primitives([run("sort", 1, null), run("reduce", 1, null), run("sort", 2, null)]),
    ).toEqual(["reduce", "sort"]);
  });

  it("lie within their interval, or not, or had none", () => {
    expect(within(run("sort", 1.5, [1, 2]))).toBe(true);
    expect(within(run("sort", 2.5, [1, 2]))).toBe(false);
    expect(within(run("sort", 1, null))).toBe(null);
  });
});
