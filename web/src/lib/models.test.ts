import { expect, test } from "vitest";
import type { Errors, ModelSummary } from "../api/client";
import { byDevice, isOfKernels, name, preferredModel, replacement } from "./models";

function errors(mean_ape: number): Errors {
  return { n: 10, unpredicted: 0, mean_ape, median_ape: mean_ape, within_25: 0, negative: 0 };
}

function model(id: string, changes: Partial<ModelSummary> = {}): ModelSummary {
  return {
    id,
    created_at: "2026-11-20T10:12:03Z",
    specification: { device: 1, provider: "launch", method: "ols", counters: [] },
    device: { vendor: "Maker", name: "Device", kind: "gpu" },
    samples: 10,
    kernels: 2,
    warnings: [],
    warned: [],
    held_because: [],
    champion: false,
    superseded: false,
    ...changes,
  };
}

test("names tell provider, method, variant and an unusual response", () => {
  expect(name(model("a"))).toBe("launch · ols");
  const specification = {
    device: 1,
    provider: "ncu",
    method: "nnls",
    counters: [],
    variant: "local",
  };
  expect(name(model("a", { specification }))).toBe("ncu · nnls · local");
  const cycles = { ...specification, method: "ols", response: "local_memory:cycles" };
  expect(name(model("a", { specification: cycles }))).toBe(
    "ncu · ols · local · local_memory:cycles",
  );
});

test("the champion leads its device", () => {
  const [device] = byDevice([model("a"), model("b", { champion: true })]);
  expect(device?.models.map(({ id }) => id)).toEqual(["b", "a"]);
});

test("the best champion is shown first, even where others err less", () => {
  const models = [
    model("refused", { refusal: "too few samples" }),
    model("lucky", { leave_one_kernel_out: errors(0.1) }),
    model("worse", { champion: true, leave_one_kernel_out: errors(3) }),
    model("best", { champion: true, leave_one_kernel_out: errors(0.3) }),
  ];
  expect(preferredModel(models, undefined)?.id).toBe("best");
  expect(preferredModel([], undefined)).toBeUndefined();
});

test("a model that is no longer listed points to the one with its specification", () => {
  const [old, next] = [model("old"), model("new")];
  expect(replacement(old, [next])?.id).toBe("new");
  expect(replacement(old, [old, next])).toBeUndefined();
});

test("the model shown is followed by its successor, not by another champion", () => {
  const specification = { device: 1, provider: "ncu", method: "ols", counters: [] };
  const better = model("better", { champion: true, leave_one_kernel_out: errors(0.1) });
  const next = model("next", { specification });
  expect(preferredModel([better, next], model("shown", { specification }))?.id).toBe("next");
  expect(preferredModel([better], model("shown", { specification }))?.id).toBe("better");
});

test("the microbenchmark's line knows one kernel, and is no model of kernels", () => {
  expect(isOfKernels(model("line", { kernels: 1 }))).toBe(false);
  expect(isOfKernels(model("a"))).toBe(true);
});
