/**
 * Where a kernel stands under its device's roofs (Williams, Waterman, Patterson: Roofline, 2009):
 * operations per byte from global memory against operations per second.
 */
import type { Sample } from "../api/client";
import { counter } from "./readings";

export interface Place {
  sample: Sample;
  precision: "fp32" | "fp64";
  /** Operations per byte of DRAM traffic. */
  intensity: number;
  flop_per_s: number;
}

const SECTOR_BYTES = 32;

/** By ncu's counters; null where they are missing, or where the kernel does no floating point. */
export function place(sample: Sample): Place | null {
  const of = (name: string) => counter(sample, "ncu", name);
  const thread = (op: string) => of(`smsp__sass_thread_inst_executed_op_${op}_pred_on.sum`);
  // A multiply-add is two operations, as the ceilings count it.
  const flop = (letter: "f" | "d") => {
    const [fma, add, mul] = ["fma", "add", "mul"].map((op) => thread(letter + op));
    return fma === undefined || add === undefined || mul === undefined
      ? undefined
      : 2 * fma + add + mul;
  };
  const [fp32, fp64] = [flop("f"), flop("d")];
  const [read, written] = [of("dram__sectors_read.sum"), of("dram__sectors_write.sum")];
  if (fp32 === undefined || fp64 === undefined || read === undefined || written === undefined) {
    return null;
  }
  const bytes = (read + written) * SECTOR_BYTES;
  const flops = fp32 + fp64;
  if (flops === 0 || bytes === 0) return null;
  return {
    sample,
    precision: fp64 > fp32 ? "fp64" : "fp32",
    intensity: flops / bytes,
    flop_per_s: flops / sample.time.median_s,
  };
}
