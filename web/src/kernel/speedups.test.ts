import { expect, test } from "vitest";
import type { KernelSpeedup, SpeedupModel, SpeedupVerdict } from "../api/client";
import { byDevice, overall, right, typical } from "./speedups";

function model(id: string, device: number, factor?: number, counted_on?: number): SpeedupModel {
  const none = { given: 0, right: 0 };
  const errors =
    factor === undefined
      ? null
      : { n: 4, kernels: 2, factor, right: 1, pays_off: none, does_not: none };
  return {
    device,
    counted_on: counted_on ?? null,
    provider: "ncu",
    model: id,
    method: "waves",
    errors,
  };
}

function speedup(model: string, device: number, measured: number): KernelSpeedup {
  const sample = "01a1fe40-8e31-7302-b5d7-c68693b75071";
  return {
    device,
    provider: "ncu",
    model,
    parameters: {},
    before_sample: sample,
    after_sample: sample,
    measured,
  };
}

test("a device's own counters go before another's, then the least error", () => {
  const models = [
    model("unjudged", 1),
    model("own", 1, 1.4),
    model("counts", 1, 1.6),
    model("other", 1, 1.1, 2),
    model("across", 2, 1.5, 1),
  ];
  const speedups = [
    speedup("unjudged", 1, 2),
    speedup("counts", 1, 2),
    speedup("other", 1, 2),
    speedup("own", 1, 2),
    speedup("own", 1, 4),
    speedup("across", 2, 3),
    speedup("gone", 3, 1),
  ];
  const devices = byDevice(speedups, models);
  expect(devices.map(({ model }) => model.model)).toEqual(["own", "across"]);
  expect(typical(devices[0]?.speedups ?? [], (one) => one.measured)).toBe(3);
  expect(typical(devices[0]?.speedups ?? [], (one) => one.forecast)).toBeUndefined();
});

test("the clear sizes make the verdict, unless they differ", () => {
  const verdict = (...verdicts: (SpeedupVerdict | null)[]) =>
    overall(verdicts.map((verdict) => ({ ...speedup("own", 1, 2), verdict })));
  expect(verdict("pays_off", "too_close", null)).toBe("pays_off");
  expect(verdict("does_not", "does_not")).toBe("does_not");
  expect(verdict("pays_off", "too_close", "does_not")).toBe("depends");
  expect(verdict("too_close", null)).toBe("too_close");
  expect(verdict(null)).toBeNull();
  expect(verdict()).toBeNull();
});

test("a verdict quotes its own kind, anything else both", () => {
  const errors = { n: 400, kernels: 20, factor: 1.2, right: 0.9 };
  const pays_off = { given: 285, right: 276 };
  const does_not = { given: 15, right: 10 };
  const all = { ...errors, pays_off, does_not };
  expect(right(all, "pays_off")).toEqual(pays_off);
  expect(right(all, "does_not")).toEqual(does_not);
  for (const other of ["too_close", "depends", null] as const)
    expect(right(all, other)).toEqual({ given: 300, right: 286 });
  const none = { given: 0, right: 0 };
  expect(right({ ...all, does_not: none }, "does_not")).toBeNull();
  expect(right({ ...errors, pays_off: none, does_not: none }, null)).toBeNull();
});
