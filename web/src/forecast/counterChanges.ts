/** The input of a forecast, and the changes to its counters. */
import { type CounterSet, split } from "../lib/forecast";

/** A counter before and after a change; null where it is absent. */
export interface CounterChange {
  counter: string;
  before: number | string | null;
  now: number | string | null;
}

export interface ForecastInput {
  counters: CounterSet;
  /** The device counted on; null where it is the one forecast. */
  countedOn: number | null;
  /** Seconds on the device counted on; null where unknown. */
  time_s: number | null;
  /** Measured seconds by device. */
  measured: ReadonlyMap<number, number>;
  /** The counters of the forecast to compare with. */
  before: CounterSet;
  /** The changes from `before` to `counters`. */
  changes: CounterChange[];
}

/** Without a measured time. */
export const UNMEASURED: ForecastInput["measured"] = new Map();

/** The counters that differ between two sets. */
export function counterChanges(before: CounterSet, now: CounterSet): CounterChange[] {
  const byCounter = (set: CounterSet) =>
    new Map(
      Object.entries(set).flatMap(([provider, counters]) =>
        Object.entries(counters).map(([name, value]) => [`${provider}:${name}`, value] as const),
      ),
    );
  const [old, young] = [byCounter(before), byCounter(now)];
  return [...new Set([...old.keys(), ...young.keys()])]
    .map((counter) => ({
      counter,
      before: old.get(counter) ?? null,
      now: young.get(counter) ?? null,
    }))
    .filter(({ before, now }) => before !== now);
}

/** New values by provider and name; null removes a counter. */
export type ChangeSet = Record<string, Record<string, number | string | null>>;

/** Changes as stored in the address; null where there are none. */
export function nestChanges(changes: CounterChange[]): ChangeSet | null {
  const set: ChangeSet = {};
  for (const { counter, now } of changes) {
    const { provider, name } = split(counter);
    (set[provider] ??= {})[name] = now;
  }
  return changes.length > 0 ? set : null;
}

/** The set after the changes. */
export function applyChanges(before: CounterSet, changes: ChangeSet): CounterSet {
  const providers = new Map(
    Object.entries(before).map(([name, counters]) => [name, { ...counters }]),
  );
  for (const [provider, values] of Object.entries(changes)) {
    const merged = { ...providers.get(provider), ...values };
    const present = Object.entries(merged).filter(([, value]) => value !== null);
    providers.set(provider, Object.fromEntries(present) as Record<string, number | string>);
  }
  return Object.fromEntries(providers);
}
