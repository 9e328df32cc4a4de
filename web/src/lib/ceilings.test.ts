import { expect, test } from "vitest";
import { measuredCeilings } from "./ceilings";

test("ceilings have their units, and missing ones are missing", () => {
  const ceilings = { launch_latency_s: 2.5e-6, fp32_flop_per_s: 6.69e13, copy_bytes_per_s: 4.3e12 };
  expect(measuredCeilings(ceilings)).toEqual([
    { key: "copy_bytes_per_s", text: "4.30\u00a0TB/s" },
    { key: "fp32_flop_per_s", text: "66.9\u00a0TFLOP/s" },
    { key: "launch_latency_s", text: "2.50\u00a0µs" },
  ]);
});
