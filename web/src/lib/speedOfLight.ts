/** Speed of light: a workload's time compared with its device's ceilings. */
import type { Ceilings, RooflinePoint, Sample } from "../api/client";
import { sizes } from "./format";

export interface CeilingShare {
  key: keyof Ceilings;
  /** Seconds at the ceiling. */
  least_s: number;
  /** `least_s` ÷ the time: 1 is at the ceiling. Above 1, the count, the ceiling or the time is wrong. */
  share: number;
}

/** A share for each counted quantity with a measured ceiling, the largest first. */
export function speedOfLight(
  point: RooflinePoint,
  ceilings: Ceilings,
  time_s: number,
): CeilingShare[] {
  const work: [keyof Ceilings, number | null | undefined][] = [
    ["copy_bytes_per_s", point.bytes],
    ["fp32_flop_per_s", point.fp32_flop],
    ["fp64_flop_per_s", point.fp64_flop],
  ];
  const least = work.flatMap(([key, amount]): [keyof Ceilings, number][] => {
    const rate = ceilings[key];
    return amount == null || amount === 0 || rate == null ? [] : [[key, amount / rate]];
  });
  const launch = ceilings.launch_latency_s;
  if (launch != null) least.push(["launch_latency_s", launch]);
  return least
    .map(([key, least_s]) => ({ key, least_s, share: least_s / time_s }))
    .sort((a, b) => b.share - a.share);
}

/** The point of the same kernel, variant and sizes. */
export function pointOf(
  points: RooflinePoint[],
  { workload: { kernel, variant, parameters = {} } }: Pick<Sample, "workload">,
): RooflinePoint | undefined {
  const own = sizes(parameters);
  return points.find(
    (one) => one.kernel === kernel && one.variant === variant && sizes(one.parameters) === own,
  );
}
