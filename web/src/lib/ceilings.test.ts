import { expect, test } from "vitest";
import { ceilings } from "./ceilings";

test("ceilings are named with their units, and missing ones are missing", () => {
  const measured = { launch_latency_s: 2.5e-6, fp32_flop_per_s: 6.69e13, copy_bytes_per_s: 4.3e12 };
  expect(ceilings(measured)).toEqual(["copy 4.30 TB/s", "fp32 66.9 TFLOP/s", "launch 2.50 µs"]);
});
