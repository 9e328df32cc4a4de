import { expect, test } from "vitest";
import type { DevicePair, PairModel } from "../api/client";
import { answering, error, plain, route } from "./pairs";

function model(method: string, changes: Partial<PairModel> = {}): PairModel {
  return {
    model: method,
    method,
    needs_time: false,
    champion: false,
    workloads: 9,
    kernels: 3,
    ...changes,
  };
}
function pair(...models: PairModel[]): DevicePair {
  return { counted_on: 1, device: 2, provider: "oclgrind", models };
}
const errors = {
  n: 9,
  unpredicted: 0,
  mean_ape: 0.2,
  median_ape: 0.1,
  within_25: 0.5,
  negative: 0,
};

test("with the time on the device counted on a pair is forecast better than without, so that one answers", () => {
  const both = pair(
    model("counters", { champion: true }),
    model("time", { champion: true, needs_time: true }),
    model("across_median_ratio", { needs_time: true }),
  );
  expect(answering(both)?.method).toBe("time");
  expect(answering(pair(model("counters", { champion: true })))?.method).toBe("counters");
  expect(answering(pair(model("counters")))).toBeUndefined();
  expect(plain(both)?.method).toBe("across_median_ratio");
});

test("the way with the least mean error is the route, never one that loses to the baseline", () => {
  const baseline = (mean_ape: number) =>
    model("across_median_ratio", { leave_one_kernel_out: { ...errors, mean_ape } });
  const champion = model("m", { champion: true, leave_one_kernel_out: errors });
  const source = (mean_ape: number) => ({ ...errors, mean_ape });
  expect(route(pair(champion, baseline(0.3)), source(0.25))?.by).toBe("pair");
  expect(route(pair(champion, baseline(0.1)), source(0.15))?.by).toBe("plain");
  expect(route(pair(champion, baseline(0.3)), source(0.15))?.by).toBe("source");
  expect(route(pair(champion), null)?.errors.mean_ape).toBe(0.2);
  expect(route(pair(model("m")), undefined)).toBeUndefined();
});

test("an error is of kernels left out", () => {
  expect(error(model("m", { leave_one_kernel_out: errors }))).toBe(0.2);
  expect(error(undefined)).toBeUndefined();
});
