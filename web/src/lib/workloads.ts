/** A kernel's times by device, variant and sizes. */
import { greatest, groups, median } from "d3-array";
import type { KernelTime } from "../api/client";
import { sizes } from "./format";

export interface Sizes {
  parameters: Record<string, number>;
}

/** The parameters with more than one value. */
export function sizeParameters(workloads: Sizes[]): string[] {
  const values = new Map<string, Set<number>>();
  for (const { parameters } of workloads) {
    for (const [name, value] of Object.entries(parameters)) {
      values.set(name, (values.get(name) ?? new Set()).add(value));
    }
  }
  return [...values].filter(([, { size }]) => size > 1).map(([name]) => name);
}

/** Width · height is the number of pixels, rows · columns that of elements. */
export function product({ parameters }: Sizes, names: string[]): number {
  return names.reduce((product, name) => product * (parameters[name] ?? 1), 1);
}

/** "n = 1024": equal for equal sizes. */
export function sizeOf({ parameters }: Sizes): string {
  return sizes(parameters);
}

/** The same workload in two variants, by default without and with local memory. */
export interface Pair {
  /** The device's id. */
  device: number;
  size: string;
  global: KernelTime;
  local: KernelTime;
  /** global ÷ local: above 1, local memory pays off. */
  speedup: number;
}

export function pairs(times: KernelTime[], before = "global", after = "local"): Pair[] {
  return groups(times, (time) => `${time.device.toString()} ${sizeOf(time)}`).flatMap(([, own]) => {
    const find = (name: string) => own.find(({ variant }) => variant === name);
    const [global, local] = [find(before), find(after)];
    if (!global || !local) return [];
    const speedup = global.median_s / local.median_s;
    return [{ device: global.device, size: sizeOf(global), global, local, speedup }];
  });
}

export interface Fastest {
  variant: string;
  /** The variant to compare with: `global`, or the first by name; if that is the fastest, the next fastest. */
  than: string;
  /** At each size measured with both variants. */
  speedups: number[];
}

/** The variant that is typically the fastest on a device; null where there are no two to compare. */
export function fastest(times: KernelTime[]): Fastest | null {
  const variants = [...new Set(times.map(({ variant }) => variant))].sort();
  const than = variants.find((variant) => variant === "global") ?? variants[0] ?? "";
  const others = variants.flatMap((variant) => {
    const speedups = pairs(times, than, variant).map(({ speedup }) => speedup);
    return variant === than || speedups.length === 0 ? [] : [{ variant, than, speedups }];
  });
  const best = greatest(others, ({ speedups }) => median(speedups));
  if (!best || (median(best.speedups) ?? 1) >= 1) return best ?? null;
  const speedups = best.speedups.map((speedup) => 1 / speedup);
  return { variant: than, than: best.variant, speedups };
}
