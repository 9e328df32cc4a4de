/** What models said of local memory before they saw a kernel. */
import { groups, least, median } from "d3-array";
import type { SpeedupModel, KernelSpeedup, SpeedupModels } from "../api/client";

/** A device's speedups of a kernel, by the model that answers best there. */
export interface DeviceSpeedups {
  device: number;
  /** The device that was counted on, where it is another. */
  countedOn: number | null;
  provider: string;
  model: SpeedupModel;
  speedups: KernelSpeedup[];
}

/** Of each device one: from its own counters where there are any, then the least error. */
export function byDevice(speedups: KernelSpeedup[], known: SpeedupModels[]): DeviceSpeedups[] {
  return groups(speedups, ({ device }) => device).flatMap(([device, own]) => {
    const all = groups(own, ({ model }) => model).flatMap(([id, speedups]) => {
      const of = known.find(({ models }) => models.some((one) => one.model === id));
      const model = of?.models.find((one) => one.model === id);
      if (!of || !model) return [];
      return [{ device, countedOn: of.counted_on ?? null, provider: of.provider, model, speedups }];
    });
    const error = ({ model }: DeviceSpeedups) => model.leave_one_kernel_out?.factor ?? Infinity;
    const itself = all.filter(({ countedOn }) => countedOn === null);
    return least(itself.length > 0 ? itself : all, error) ?? [];
  });
}

/** The middle of the sizes; absent where there is none. */
export function typical(
  speedups: KernelSpeedup[],
  of: (speedup: KernelSpeedup) => number | null | undefined,
) {
  return median(speedups, of);
}

/** Chance alone makes a model look as good as one that may give verdicts so seldom. */
const CHANCE = 0.05;

/**
 * Whether a model says more often rightly than always giving the commoner answer does whether local memory pays off,
 * by more than chance: the server's sign test of kernels (server/src/prediction/speedups.rs).
 */
export function canTell({ signs }: Pick<SpeedupModel, "signs">): boolean {
  if (signs?.better == null || signs.worse == null) return false;
  return signTest(signs.better, signs.worse) <= CHANCE;
}

/** How likely as many or more are better by chance alone, one-sided. */
export function signTest(better: number, worse: number): number {
  const all = better + worse;
  let ways = 1;
  let likely = 0;
  // From all of them downwards: n over k − 1 is n over k, times k ÷ (n − k + 1).
  for (let k = all; k >= better; k--) {
    likely += ways / 2 ** all;
    ways *= k / (all - k + 1);
  }
  return Math.min(likely, 1);
}

/** How often the same answer for every kernel is right. */
export function always({ signs }: SpeedupModel): number | undefined {
  return signs ? Math.max(signs.pays_off, 1 - signs.pays_off) : undefined;
}
