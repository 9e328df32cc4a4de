import { expect, test } from "vitest";
import { applyChanges, counterChanges, nestChanges } from "./counterChanges";

const before = { ncu: { a: 1, b: 2 }, launch: { work_items: 64 } };

test("what was changed, added and taken away is told", () => {
  const now = { ncu: { a: 1, b: 3, c: 4 }, launch: {} };
  expect(counterChanges(before, now)).toEqual([
    { counter: "ncu:b", before: 2, now: 3 },
    { counter: "launch:work_items", before: 64, now: null },
    { counter: "ncu:c", before: null, now: 4 },
  ]);
  expect(counterChanges(before, before)).toEqual([]);
  expect(nestChanges([])).toBeNull();
});

test("changes made to what was before are what is now", () => {
  const now = { ncu: { a: 1, b: 3, c: 4 }, launch: {}, other: { "x:y": "much" } };
  expect(applyChanges(before, nestChanges(counterChanges(before, now)) ?? {})).toEqual(now);
  expect(before.ncu).toEqual({ a: 1, b: 2 });
});
