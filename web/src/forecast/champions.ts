/** The champions that forecast a sample's workload on its own device and on others. */
import { least } from "d3-array";
import { answering, error } from "../across/pairs";
import type { DevicePair, ModelSummary, Sample } from "../api/client";
import { isOfTime } from "../lib/models";

const isCounted = (sample: Sample, provider: string) =>
  sample.readings?.[provider]?.counters != null;

/** Id of the champion with the smallest error among those that use the sample's counters. */
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

/** The same from the device counted on to `target`; null: to the device with the smallest error. */
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
