/** Costs of the accesses in a kernel's source. */
import { rollup, sum } from "d3-array";
import type { Explanation, SourceAccess } from "../api/client";

/** Shares of a forecast are by `PROVIDER:NAME`; those of accesses by the name alone. */
const PROVIDER = "analysis:";

/**
 * Seconds of a forecast that come from each access: what each counter costs, shared out by how much of the counter
 * comes from it. All together are less than the forecast: what is computed is in no access.
 */
export function costs(accesses: SourceAccess[], explanation: Explanation): number[] {
  const seconds = new Map(
    explanation.shares
      .filter(({ counter, time_s }) => counter.startsWith(PROVIDER) && time_s > 0)
      .map(({ counter, time_s }) => [counter.slice(PROVIDER.length), time_s]),
  );
  return accesses.map(({ shares }) =>
    sum(Object.entries(shares ?? {}), ([counter, share]) => share * (seconds.get(counter) ?? 0)),
  );
}

/** The cost of all accesses in each line of a file. */
export function byLine(accesses: SourceAccess[], costs: number[], file: string) {
  const own = accesses
    .map((access, place) => ({ access, cost: costs[place] ?? 0 }))
    .filter(({ access }) => access.file === file);
  return rollup(
    own,
    (accesses) => sum(accesses, ({ cost }) => cost),
    ({ access }) => access.line,
  );
}
