import { expect, test } from "vitest";
import type { DevicePair, PairModel } from "../api/client";
import { answering, ceilings, error } from "./pairs";

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
    model("across_ceilings", { needs_time: true }),
  );
  expect(answering(both)?.method).toBe("time");
  expect(answering(pair(model("counters", { champion: true })))?.method).toBe("counters");
  expect(answering(pair(model("counters")))).toBeUndefined();
  expect(ceilings(both)?.method).toBe("across_ceilings");
});

test("a device that has run nothing is judged by leaving devices out", () => {
  expect(error(model("m", { leave_one_device_out: errors }))).toBe(0.2);
  expect(error(undefined)).toBeUndefined();
});
