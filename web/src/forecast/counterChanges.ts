/** What was asked, beside what was answered. */
import { type CounterSet, split } from "../lib/forecast";

/** A counter that was changed; null: it is not there. */
export interface CounterChange {
  counter: string;
  before: number | string | null;
  now: number | string | null;
}

export interface ForecastInput {
  counters: CounterSet;
  /** The device counted on, where it is another than the one forecast. */
  countedOn: number | null;
  /** Seconds there, where they are known. */
  time_s: number | null;
  /** Seconds by device, where they were measured. */
  measured: ReadonlyMap<number, number>;
  /** The counters that it is held against. */
  before: CounterSet;
  /** What was changed since the answer that this one is held against. */
  changes: CounterChange[];
}

/** No device's time is known. */
export const UNMEASURED: ForecastInput["measured"] = new Map();

/** What of a set differs from another. */
export function counterChanges(before: CounterSet, now: CounterSet): CounterChange[] {
  const of = (set: CounterSet) =>
    new Map(
      Object.entries(set).flatMap(([provider, counters]) =>
        Object.entries(counters).map(([name, value]) => [`${provider}:${name}`, value] as const),
      ),
    );
  const [old, young] = [of(before), of(now)];
  return [...new Set([...old.keys(), ...young.keys()])]
    .map((counter) => ({
      counter,
      before: old.get(counter) ?? null,
      now: young.get(counter) ?? null,
    }))
    .filter(({ before, now }) => before !== now);
}

/** By provider and name; null: it was taken away. */
export type ChangeSet = Record<string, Record<string, number | string | null>>;

/** Changes as an address holds them; null where there are none. */
export function nestChanges(changes: CounterChange[]): ChangeSet | null {
  const set: ChangeSet = {};
  for (const { counter, now } of changes) {
    const { provider, name } = split(counter);
    (set[provider] ??= {})[name] = now;
  }
  return changes.length > 0 ? set : null;
}

/** The set with such changes made. */
export function applyChanges(before: CounterSet, changes: ChangeSet): CounterSet {
  const providers = new Map(Object.entries(before).map(([name, of]) => [name, { ...of }]));
  for (const [provider, values] of Object.entries(changes)) {
    const merged = { ...providers.get(provider), ...values };
    const there = Object.entries(merged).filter(([, value]) => value !== null);
    providers.set(provider, Object.fromEntries(there) as Record<string, number | string>);
  }
  return Object.fromEntries(providers);
}
