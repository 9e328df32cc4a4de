/** Forecast speedups by local memory, by models that had not seen the kernel. */
import { groups, least, median } from "d3-array";
import type {
  KernelSpeedup,
  SpeedupErrors,
  SpeedupModel,
  SpeedupVerdict,
  VerdictErrors,
} from "../api/client";

/** A device's speedups of a kernel, by the model that answers best there. */
export interface DeviceSpeedups {
  model: SpeedupModel;
  speedups: KernelSpeedup[];
}

/** One model per device: of its own counters if there is one, then the one with the smallest error. */
export function byDevice(speedups: KernelSpeedup[], known: SpeedupModel[]): DeviceSpeedups[] {
  return groups(speedups, ({ device }) => device).flatMap(([, own]) => {
    const all = groups(own, ({ model }) => model).flatMap(([id, speedups]) => {
      const model = known.find((one) => one.model === id);
      return model ? [{ model, speedups }] : [];
    });
    const itself = all.filter(({ model }) => model.counted_on == null);
    const error = ({ model }: DeviceSpeedups) => model.errors?.factor ?? Infinity;
    return least(itself.length > 0 ? itself : all, error) ?? [];
  });
}

/** The median speedup over the sizes; absent where there is none. */
export function typical(
  speedups: KernelSpeedup[],
  factor: (speedup: KernelSpeedup) => number | null | undefined,
) {
  return median(speedups, factor);
}

type Overall = SpeedupVerdict | "depends" | null;

/** The verdict over all sizes that are not too close to call; null where there is none. */
export function overall(speedups: KernelSpeedup[]): Overall {
  const has = (wanted: SpeedupVerdict) => speedups.some(({ verdict }) => verdict === wanted);
  if (has("pays_off")) return has("does_not") ? "depends" : "pays_off";
  return has("does_not") ? "does_not" : has("too_close") ? "too_close" : null;
}

/**
 * How often such verdicts were right on left-out kernels, or for null, verdicts of both kinds; null where there
 * were none.
 */
export function right(
  { pays_off, does_not }: SpeedupErrors,
  verdict: Overall,
): VerdictErrors | null {
  const both = {
    given: pays_off.given + does_not.given,
    right: pays_off.right + does_not.right,
  };
  const errors = verdict === "pays_off" ? pays_off : verdict === "does_not" ? does_not : both;
  return errors.given > 0 ? errors : null;
}
