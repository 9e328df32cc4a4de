import { expect, test } from "vitest";
import type { DevicePair, PairModel } from "../api/client";
import { answering, error, loses, plain } from "./pairs";

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

test("what answers loses where the plain baseline is off less", () => {
  const baseline = (mean_ape: number) =>
    model("across_median_ratio", { leave_one_kernel_out: { ...errors, mean_ape } });
  const champion = model("m", { champion: true, leave_one_kernel_out: errors });
  expect(loses(pair(champion, baseline(0.1)))).toBe(true);
  expect(loses(pair(champion, baseline(0.3)))).toBe(false);
  expect(loses(pair(champion))).toBe(false);
  expect(loses(pair({ ...baseline(0.1), champion: true }))).toBe(false);
});

test("an error is of kernels left out", () => {
  expect(error(model("m", { leave_one_kernel_out: errors }))).toBe(0.2);
  expect(error(undefined)).toBeUndefined();
});
