/** Devices on which a kernel is forecast from its source alone. */
import type { ModelSummary } from "../api/client";
import { isOfTime } from "../lib/models";

/** The provider of counters from the source. */
const PROVIDER = "analysis";

type Counters = Record<string, Record<string, number>>;

/**
 * Ids of the devices whose champion of such counters takes only ones that these have: an analysis says what a GPU would
 * count, which no CPU's model knows.
 */
export function devicesFromSource(
  models: ModelSummary[],
  counters: Counters | null | undefined,
): number[] {
  if (!counters) return [];
  const counterNames = new Set(
    Object.entries(counters).flatMap(([provider, own]) =>
      Object.keys(own).map((name) => `${provider}:${name}`),
    ),
  );
  return models
    .filter(({ champion, held, specification: it }) => {
      const own = it.provider === PROVIDER && it.counted_on == null;
      return (
        champion && held == null && own && (it.counters ?? []).every((one) => counterNames.has(one))
      );
    })
    .filter(isOfTime)
    .map(({ specification }) => specification.device);
}
