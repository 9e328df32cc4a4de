/** A kernel's samples by device, variant and size. */
import { groups } from "d3-array";
import type { Sample } from "../api/client";
import { sizes } from "./format";

/** The parameters that tell sizes apart: those with more than one value. */
export function sizeParameters(samples: Sample[]): string[] {
  const values = new Map<string, Set<number>>();
  for (const { workload } of samples) {
    for (const [name, value] of Object.entries(workload.parameters ?? {})) {
      values.set(name, (values.get(name) ?? new Set()).add(value));
    }
  }
  return [...values].filter(([, { size }]) => size > 1).map(([name]) => name);
}

export function deviceName({ device }: Sample): string {
  return device.name;
}

/** "n = 1024": equal for equal sizes. */
export function sizeOf({ workload }: Sample): string {
  return sizes(workload.parameters ?? {});
}

/** Of each workload on each device the newest sample; `samples` come newest first. */
export function newestOfEach(samples: Sample[]): Sample[] {
  return groups(
    samples,
    (sample) => `${deviceName(sample)} ${sample.workload.variant} ${sizeOf(sample)}`,
  ).flatMap(([, own]) => own[0] ?? []);
}

/** The same work with and without local memory. */
export interface Pair {
  device: string;
  size: string;
  global: Sample;
  local: Sample;
  /** global ÷ local: above 1, local memory pays off. */
  gain: number;
}

export function pairs(samples: Sample[]): Pair[] {
  return groups(samples, (sample) => `${deviceName(sample)} ${sizeOf(sample)}`).flatMap(
    ([, own]) => {
      const of = (name: string) => own.find(({ workload }) => workload.variant === name);
      const [global, local] = [of("global"), of("local")];
      if (!global || !local) return [];
      const gain = global.time.median_s / local.time.median_s;
      return [{ device: deviceName(global), size: sizeOf(global), global, local, gain }];
    },
  );
}
