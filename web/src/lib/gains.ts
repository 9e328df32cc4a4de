/** What models said of local memory before they saw a kernel. */
import { groups, least, median } from "d3-array";
import type { GainModel, KernelGain, PayOff } from "../api/client";

/** A device's gains of a kernel, by the model that answers best there. */
export interface DeviceGains {
  device: number;
  /** The device that was counted on, where it is another. */
  source: number | null;
  provider: string;
  model: GainModel;
  gains: KernelGain[];
}

/** Of each device one: from its own counters where there are any, then the least error. */
export function byDevice(gains: KernelGain[], known: PayOff[]): DeviceGains[] {
  return groups(gains, ({ device }) => device).flatMap(([device, own]) => {
    const all = groups(own, ({ model }) => model).flatMap(([id, gains]) => {
      const of = known.find(({ models }) => models.some((one) => one.model === id));
      const model = of?.models.find((one) => one.model === id);
      if (!of || !model) return [];
      return [{ device, source: of.source ?? null, provider: of.provider, model, gains }];
    });
    const error = ({ model }: DeviceGains) => model.leave_one_kernel_out?.factor ?? Infinity;
    const itself = all.filter(({ source }) => source === null);
    return least(itself.length > 0 ? itself : all, error) ?? [];
  });
}

/** The middle of the sizes; absent where there is none. */
export function typical(gains: KernelGain[], of: (gain: KernelGain) => number | null | undefined) {
  return median(gains, of);
}

/** How often the same answer for every kernel is right. */
export function always({ signs }: GainModel): number | undefined {
  return signs ? Math.max(signs.pays_off, 1 - signs.pays_off) : undefined;
}
