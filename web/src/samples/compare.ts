/** Two samples side by side, counter by counter. */
import type { Sample } from "../api/client";
import { countersOf } from "../lib/samples";

export interface CounterComparison {
  name: string;
  /** Missing is missing, never 0. */
  a: number | null;
  b: number | null;
  /** b ÷ a; null where either is missing or a is 0. */
  ratio: number | null;
}

export interface ProviderComparison {
  provider: string;
  /** Counters that differ: those without a ratio first, then by ratio, the furthest from 1 first. */
  different: CounterComparison[];
  same: CounterComparison[];
}

/** The comparison for every provider of either sample. */
export function compareCounters(a: Sample, b: Sample): ProviderComparison[] {
  const [first, second] = [countersOf(a), countersOf(b)];
  const providers = [...new Set([...Object.keys(first), ...Object.keys(second)])].sort();
  return providers.map((provider) => {
    const [one, other] = [first[provider] ?? {}, second[provider] ?? {}];
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    const rows = names.map((name) => row(name, one[name] ?? null, other[name] ?? null));
    return {
      provider,
      different: rows.filter(({ a, b }) => a !== b).sort(furthestFirst),
      same: rows.filter(({ a, b }) => a === b),
    };
  });
}

function row(name: string, a: number | null, b: number | null): CounterComparison {
  return { name, a, b, ratio: a === null || b === null || a === 0 ? null : b / a };
}

/** The distance from equal, as the logarithm of the ratio. */
function distance({ ratio }: CounterComparison): number {
  return ratio === null || ratio <= 0 ? Infinity : Math.abs(Math.log(ratio));
}

function furthestFirst(x: CounterComparison, y: CounterComparison): number {
  const [first, second] = [distance(x), distance(y)];
  return first === second ? x.name.localeCompare(y.name) : second - first;
}
