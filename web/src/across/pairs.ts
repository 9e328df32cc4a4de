/** Forecasts of one device from another. */
import { least } from "d3-array";
import type { DevicePair, Errors, ModelSummary, PairModel } from "../api/client";

/** The plain baseline: the time on the device counted on times the median ratio of the two devices' times. */
export function plain({ models }: DevicePair): PairModel | undefined {
  return models.find(({ method }) => method === "across_median_ratio");
}

/** The champion that needs the time on the device counted on; the one for counters alone if there is none. */
export function answering({ models }: DevicePair): PairModel | undefined {
  const champions = models.filter(({ champion }) => champion);
  return champions.find(({ needs_time }) => needs_time) ?? champions[0];
}

/** The best way to forecast a target from another device: by the pair's model, by the target's own model from the
 * source, or by the plain baseline. */
export interface Route {
  by: "pair" | "source" | "plain";
  errors: Errors;
}

/** The one whose mean error is least; `source` are the errors of the target's own model. */
export function route(pair: DevicePair, source: Errors | null | undefined): Route | undefined {
  const all = [
    { by: "pair" as const, errors: errors(answering(pair)) },
    { by: "source" as const, errors: source ?? undefined },
    { by: "plain" as const, errors: errors(plain(pair)) },
  ];
  const routes = all.filter((one): one is Route => one.errors !== undefined);
  return least(routes, ({ errors }) => errors.mean_ape);
}

/** Errors of the device's own best model from the source alone. */
export function ofSource(models: ModelSummary[], device: number): Errors | null | undefined {
  const own = models.find(
    ({ champion, specification }) =>
      champion && specification.device === device && specification.provider === SOURCE,
  );
  return own?.leave_one_kernel_out;
}

const SOURCE = "analysis";

/** Mean error on kernels that the fit had not seen. */
export function error(model: PairModel | undefined): number | undefined {
  return errors(model)?.mean_ape;
}

/** All errors on these. */
export function errors(model: PairModel | undefined): Errors | undefined {
  return model?.leave_one_kernel_out ?? undefined;
}
