/** Forecasts of one device from another. */
import type { DevicePair, Errors, PairModel } from "../api/client";

/** The plain baseline: the time on the device counted on times the median ratio of the two devices' times. */
export function plain({ models }: DevicePair): PairModel | undefined {
  return models.find(({ method }) => method === "across_median_ratio");
}

/** What answers where the time on the device counted on is known; else where only counters are. */
export function answering({ models }: DevicePair): PairModel | undefined {
  const champions = models.filter(({ champion }) => champion);
  return champions.find(({ needs_time }) => needs_time) ?? champions[0];
}

/** Whether what answers is off further than the plain baseline is: champions are chosen by another measure. */
export function loses(pair: DevicePair): boolean {
  const [own, least] = [error(answering(pair)), error(plain(pair))];
  return own !== undefined && least !== undefined && own > least;
}

/** Mean error on kernels that the fit had not seen. */
export function error(model: PairModel | undefined): number | undefined {
  return errors(model)?.mean_ape;
}

/** All errors on these. */
export function errors(model: PairModel | undefined): Errors | undefined {
  return model?.leave_one_kernel_out ?? undefined;
}
