/** A launch has work_items = work_groups × work_group_size: fixes for sets that contradict this. */
import type { CounterSet } from "../lib/forecast";

const NAMES = ["work_items", "work_groups", "work_group_size"] as const;
type Name = (typeof NAMES)[number];

/** Changes that remove the contradiction. */
export type GeometryFix = { name: Name; value: number }[];

/** The smallest fixes first that keep what was changed since `before`; none where nothing contradicts. */
export function geometryFixes(set: CounterSet, before: CounterSet | null): GeometryFix[] {
  const value = (name: Name) => {
    const value = set["launch"]?.[name];
    return typeof value === "number" && value > 0 ? value : null;
  };
  const [items, groups, size] = [
    value("work_items"),
    value("work_groups"),
    value("work_group_size"),
  ];
  if (items === null || groups === null || size === null) return [];
  if (Math.abs(items - groups * size) <= 0.5) return [];
  const filled = Math.ceil(items / size);
  const one = (name: Name, value: number): GeometryFix => [{ name, value }];
  const all: GeometryFix[] = [
    // Work-groups are whole: the last one is filled up.
    filled * size === items
      ? one("work_groups", filled)
      : [...one("work_items", filled * size), ...one("work_groups", filled)],
    one("work_items", groups * size),
    ...(items % groups === 0 ? [one("work_group_size", items / groups)] : []),
  ];
  const changedNames = NAMES.filter(
    (name) => before !== null && set["launch"]?.[name] !== before["launch"]?.[name],
  );
  const keeps = all.filter(
    (mend) => mend.length > 1 || !mend.some(({ name }) => changedNames.includes(name)),
  );
  return keeps.length > 0 ? keeps : all;
}
