import { expect, test } from "vitest";
import { geometryFixes } from "./geometry";

const set = (work_items: number, work_groups: number, work_group_size: number) => ({
  launch: { work_items, work_groups, work_group_size },
});
const before = set(1024, 16, 64);

test("what follows from a changed counter is changed along, and the changed one stays", () => {
  expect(geometryFixes(set(2048, 16, 64), before)).toEqual([
    [{ name: "work_groups", value: 32 }],
    [{ name: "work_group_size", value: 128 }],
  ]);
  expect(geometryFixes(set(1024, 32, 64), before)).toEqual([
    [{ name: "work_items", value: 2048 }],
    [{ name: "work_group_size", value: 32 }],
  ]);
  expect(geometryFixes(set(1024, 16, 128), before)).toEqual([
    [{ name: "work_groups", value: 8 }],
    [{ name: "work_items", value: 2048 }],
  ]);
});

test("work-groups are whole: the last one is filled up", () => {
  expect(geometryFixes(set(1000, 16, 64), before)).toEqual([
    [
      { name: "work_items", value: 1024 },
      { name: "work_groups", value: 16 },
    ],
  ]);
});

test("of typed counters any of the three may be the wrong one", () => {
  expect(geometryFixes(set(2048, 16, 64), null)).toHaveLength(3);
});

test("where nothing contradicts, or is not known, nothing is to be changed", () => {
  expect(geometryFixes(before, null)).toEqual([]);
  expect(geometryFixes({ launch: { work_items: 5, work_groups: 1 } }, null)).toEqual([]);
  expect(geometryFixes({ launch: { ...set(5, 1, 3).launch, work_items: "x" } }, null)).toEqual([]);
});
