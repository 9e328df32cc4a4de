/** Models: names for people, order, and each one's parts, fetched once (a model never changes). */
import { groups, least } from "d3-array";
import {
  api,
  body,
  type Device,
  type Errors,
  type ModelDetail,
  type ModelSummary,
  type Validation,
} from "../api/client";

/** "oclgrind · ols · global": a model's name beside its device's. */
export function name({ specification }: Pick<ModelSummary, "specification">): string {
  const { provider, variant, method, response } = specification;
  const other = response === undefined || response === "time" ? null : response;
  return [provider, method ?? "ols", variant, other].filter((part) => part != null).join(" · ");
}

/** Whether it forecasts times, as most do. */
export function isOfTime(model: ModelSummary): boolean {
  return (model.specification.response ?? "time") === "time";
}

/**
 * Whether it knows more than one kernel. The microbenchmark's line does not: it says what a load of
 * local memory costs, and is no champion beside models that forecast kernels.
 */
export function isOfKernels({ kernels }: Pick<ModelSummary, "kernels">): boolean {
  return kernels > 1;
}

/** The errors of the hold-out that judges the model; absent where it is not validated. */
export function judgingErrors(model: ModelSummary): Errors | null | undefined {
  switch (model.judged_by) {
    case "row":
      return model.leave_one_row_out;
    case "kernel":
      return model.leave_one_kernel_out;
    case "family":
      return model.leave_one_family_out;
    default:
      // A summary has no errors of regions.
      return undefined;
  }
}

/** Models by device; the champion first, then by name. */
export function byDevice(models: ModelSummary[]): { device: Device; models: ModelSummary[] }[] {
  return groups(models, (model) => model.specification.device)
    .flatMap(([, own]) =>
      own[0] ? [{ device: own[0].device, models: own.sort(championFirst) }] : [],
    )
    .sort((a, b) => a.device.name.localeCompare(b.device.name));
}

function championFirst(a: ModelSummary, b: ModelSummary): number {
  return Number(b.champion) - Number(a.champion) || name(a).localeCompare(name(b));
}

/**
 * The model to show when the address names none: the one shown before or its successor, so that the
 * page does not jump under a reader; at first the champion with the least error, else any.
 */
export function preferredModel(
  models: ModelSummary[],
  previous?: ModelSummary,
): ModelSummary | undefined {
  const successor = previous && models.find((model) => sameSpecification(model, previous));
  const error = (model: ModelSummary) => model.leave_one_kernel_out?.mean_ape ?? Infinity;
  return (
    successor ??
    least(models, (a, b) => Number(b.champion) - Number(a.champion) || error(a) - error(b))
  );
}

function sameSpecification(a: ModelSummary, b: ModelSummary): boolean {
  return JSON.stringify(a.specification) === JSON.stringify(b.specification);
}

export interface Parts {
  detail: ModelDetail;
  validation: Validation;
}

const fetched = new Map<string, Promise<Parts>>();

/** Removes a model from the cache, after an admin has accepted it. */
export function forgetModel(id: string) {
  fetched.delete(id);
}

/** A model and its validation, cached; failures are not. */
export function fetchModel(id: string): Promise<Parts> {
  const cached = fetched.get(id);
  if (cached) return cached;
  const path = { params: { path: { id } } };
  const parts = Promise.all([
    body(api.GET("/v1/models/{id}", path)),
    body(api.GET("/v1/models/{id}/validation", path)),
  ]).then(([detail, validation]) => ({ detail, validation }));
  fetched.set(id, parts);
  parts.catch(() => fetched.delete(id));
  return parts;
}

/** The model that has replaced `old`: the listed one of the same specification. */
export function replacement(old: ModelSummary, listed: ModelSummary[]): ModelSummary | undefined {
  if (listed.some(({ id }) => id === old.id)) return undefined;
  return listed.find((model) => model.held == null && sameSpecification(model, old));
}
