/** What a device can do at most, for people. */
import type { Ceilings } from "../api/client";
import { prefixed, time } from "./format";

/** "copy 4.30 TB/s", "fp32 66.9 TFLOP/s", …: what was measured, the most asked for first. */
export function ceilings(of: Ceilings): string[] {
  const rates: [string, number | null | undefined, string][] = [
    ["copy", of.copy_bytes_per_s, "B/s"],
    ["local memory", of.local_bytes_per_s, "B/s"],
    ["fp32", of.fp32_flop_per_s, "FLOP/s"],
    ["fp64", of.fp64_flop_per_s, "FLOP/s"],
    ["int32", of.int32_op_per_s, "OP/s"],
    ["to the device", of.host_to_device_bytes_per_s, "B/s"],
    ["from the device", of.device_to_host_bytes_per_s, "B/s"],
  ];
  const latency = of.launch_latency_s;
  return [
    ...rates.flatMap(([what, value, unit]) =>
      value == null ? [] : [`${what} ${prefixed(value, unit)}`],
    ),
    ...(latency == null ? [] : [`launch ${time(latency)}`]),
  ];
}
