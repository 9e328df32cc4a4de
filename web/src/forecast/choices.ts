/** The models that can answer a forecast. */
import type { DevicePair, ModelSummary, PairModel } from "../api/client";
import { error } from "../across/pairs";
import { byDevice, isOfTime, name } from "../lib/models";

export interface Choice {
  model: string;
  /** The device to forecast. */
  device: number;
  provider: string;
  /** Beside the device's name. */
  name: string;
  /** Mean error on unseen kernels; absent where the model was not validated. */
  error: number | undefined;
  champion: boolean;
}

/** Models of each device's own counters. */
export function choicesOfOwn(models: ModelSummary[]): Choice[] {
  const usable = models.filter((model) => isOfTime(model) && model.refusal == null);
  return byDevice(usable).flatMap(({ models }) =>
    models.map((model) => ({
      model: model.id,
      device: model.specification.device,
      provider: model.specification.provider,
      name: name(model),
      error: model.leave_one_kernel_out?.mean_ape,
      champion: model.champion,
    })),
  );
}

/** Models of another device's counters (and its time, where the model needs it), champions first. */
export function choicesFrom(pairs: DevicePair[], countedOn: number): Choice[] {
  return pairs
    .filter((pair) => pair.counted_on === countedOn)
    .flatMap(({ device, provider, models }) =>
      models
        .filter(({ refusal }) => refusal == null)
        .sort((a, b) => rank(b) - rank(a))
        .map((one) => ({
          model: one.model,
          device,
          provider,
          name: `${provider} · ${one.method}`,
          error: error(one),
          champion: one.champion,
        })),
    );
}

/** A champion that uses the time on the device counted on comes before one that does not. */
const rank = ({ champion, needs_time }: PairModel) => 2 * Number(champion) + Number(needs_time);

/** The champion for a device and a provider's counters; undefined where there is none. */
export function answering(choices: Choice[], device: number, provider: string): Choice | undefined {
  return choices.find((one) => one.champion && one.device === device && one.provider === provider);
}
