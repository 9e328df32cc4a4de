/** What forecasts a sample's workload: on its own device, and elsewhere. */
import { least } from "d3-array";
import { answering, error } from "../across/pairs";
import type { DevicePair, ModelSummary, Sample } from "../api/client";
import { isOfTime } from "../lib/models";

const isCounted = (sample: Sample, provider: string) =>
  sample.readings?.[provider]?.counters != null;

/** Of the champions that know what was counted the one that is off least; the id of the model. */
export function championOf(
  models: ModelSummary[],
  device: number,
  sample: Sample,
): string | undefined {
  const candidates = models.filter(
    (model) =>
      model.champion &&
      isOfTime(model) &&
      model.specification.device === device &&
      isCounted(sample, model.specification.provider),
  );
  return least(candidates, (model) => model.leave_one_kernel_out?.mean_ape ?? Infinity)?.id;
}

/** From the device that was counted on to another; `target` null: to the one that is forecast best. */
export function championAcross(
  pairs: DevicePair[],
  countedOn: number,
  target: number | null,
  sample: Sample,
): string | undefined {
  const candidates = pairs.filter(
    (pair) =>
      pair.counted_on === countedOn &&
      (target === null || pair.device === target) &&
      isCounted(sample, pair.provider),
  );
  const best = least(candidates, (pair) => error(answering(pair)) ?? Infinity);
  return best && answering(best)?.model;
}
