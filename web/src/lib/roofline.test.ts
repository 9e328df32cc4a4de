import { expect, test } from "vitest";
import type { Sample } from "../api/client";
import { place } from "./roofline";

function sample(changes: Record<string, number>): Sample {
  const op = (name: string) => `smsp__sass_thread_inst_executed_op_${name}_pred_on.sum`;
  const none = Object.fromEntries(
    ["ffma", "fadd", "fmul", "dfma", "dadd", "dmul"].map((name) => [op(name), 0]),
  );
  const named = Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name.length === 4 ? op(name) : name, value]),
  );
  return {
    id: "01a1fe40-8e31-7302-b5d7-c68693b75071",
    measured_at: "2026-11-21T13:16:46Z",
    received_at: "2026-11-21T13:16:47Z",
    agent: { name: "a", version: "0.1.0" },
    device: { vendor: "v", name: "d", kind: "gpu" },
    workload: { kernel: "k", variant: "global" },
    readings: { ncu: { counters: { ...none, ...named } } },
    times: { repetitions_s: [0.5] },
    time: { median_s: 0.5, min_s: 0.5, n: 1 },
  };
}
const DRAM = { "dram__sectors_read.sum": 3, "dram__sectors_write.sum": 1 };

test("a multiply-add is two operations, a sector 32 bytes", () => {
  // 2·50 + 28 = 128 operations over 4·32 = 128 bytes, in half a second.
  expect(place(sample({ ...DRAM, ffma: 50, fadd: 28 }))).toMatchObject({
    precision: "fp32",
    intensity: 1,
    flop_per_s: 256,
  });
  expect(place(sample({ ...DRAM, dmul: 2, fadd: 1 }))?.precision).toBe("fp64");
});

test("without counts, operations or traffic there is no place", () => {
  expect(place(sample({ ffma: 1 }))).toBeNull();
  expect(place(sample(DRAM))).toBeNull();
  expect(
    place(sample({ "dram__sectors_read.sum": 0, "dram__sectors_write.sum": 0, ffma: 1 })),
  ).toBeNull();
});
