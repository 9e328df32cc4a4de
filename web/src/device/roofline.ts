/** A workload's place on the roofline. */
import { greatest, groups } from "d3-array";
import type { RooflinePoint } from "../api/client";

export interface Place {
  point: RooflinePoint;
  precision: "fp32" | "fp64";
  /** Operations per byte. */
  intensity: number;
  flop_per_s: number;
}

/** Null where operations or bytes were not counted, or where there are none. */
export function place(point: RooflinePoint): Place | null {
  const { fp32_flop, fp64_flop, bytes, time_s } = point;
  const flops = (fp32_flop ?? 0) + (fp64_flop ?? 0);
  if (flops === 0 || bytes == null || bytes === 0) return null;
  return {
    point,
    precision: (fp64_flop ?? 0) > (fp32_flop ?? 0) ? "fp64" : "fp32",
    intensity: flops / bytes,
    flop_per_s: flops / time_s,
  };
}

/** The longest workload of each kernel and variant. */
export function longest(points: RooflinePoint[]): RooflinePoint[] {
  return groups(points, ({ kernel, variant }) => `${kernel} ${variant}`).flatMap(
    ([, own]) => greatest(own, ({ time_s }) => time_s) ?? [],
  );
}
