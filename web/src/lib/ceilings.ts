/** Ceilings of a device as texts. */
import type { Ceilings } from "../api/client";
import { prefixed, time } from "./format";

interface Ceiling {
  key: keyof Ceilings;
  text: (value: number) => string;
}

const rate = (unit: string) => (value: number) => prefixed(value, unit);

/** In the order of display. */
export const CEILINGS: Ceiling[] = [
  { key: "copy_bytes_per_s", text: rate("B/s") },
  { key: "local_bytes_per_s", text: rate("B/s") },
  { key: "fp32_flop_per_s", text: rate("FLOP/s") },
  { key: "fp64_flop_per_s", text: rate("FLOP/s") },
  { key: "int32_op_per_s", text: rate("OP/s") },
  { key: "host_to_device_bytes_per_s", text: rate("B/s") },
  { key: "device_to_host_bytes_per_s", text: rate("B/s") },
  { key: "launch_latency_s", text: time },
];

/** The measured ceilings with their units. */
export function measuredCeilings(ceilings: Ceilings): { key: keyof Ceilings; text: string }[] {
  return CEILINGS.flatMap(({ key, text }) => {
    const value = ceilings[key];
    return value == null ? [] : [{ key, text: text(value) }];
  });
}
