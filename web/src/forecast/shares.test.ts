import { sum } from "d3-array";
import { expect, test } from "vitest";
import { partOf, partsOf, steady, total } from "./shares";

test("the parts add up, whichever are named", () => {
  const shares = [5, -3, 2, 1, 1].map((time_s, index) => ({
    counter: `x:${index.toString()}`,
    time_s,
  }));
  const explanation = { form: "linear" as const, rest_s: 4, shares };
  for (const most of [1, 3, 9]) {
    expect(sum(partsOf(explanation, most), ({ time_s }) => time_s)).toBe(10);
  }
  expect(partsOf(explanation, 3).map(({ what, counters }) => [what, counters])).toEqual([
    ["counter", 1],
    ["rest", 0],
    ["counter", 1],
    ["counter", 1],
    ["others", 2],
  ]);
  expect(partsOf(explanation, 3).map(({ time_s }) => time_s)).toEqual([5, 4, -3, 2, 2]);
  expect(partsOf({ form: "costs", rest_s: 0, shares: [] })).toEqual([]);
});

test("a counter keeps its colour when the order changes, and shares none", () => {
  const first = steady(["x:a", "x:b", "x:c"], new Map());
  expect([...first.values()]).toEqual([0, 1, 2]);
  const next = steady(["x:d", "x:c", "x:a"], first);
  expect(next).toEqual(
    new Map([
      ["x:c", 2],
      ["x:a", 0],
      ["x:d", 1],
    ]),
  );
  const many = steady(
    ["x:a", "x:b", "x:c"],
    new Map([
      ["x:a", 1],
      ["x:b", 1],
    ]),
    3,
  );
  expect(new Set(many.values()).size).toBe(3);
});

test("what a part was before is found by its counter, also among the others", () => {
  const shares = [
    { counter: "x:a", time_s: 5 },
    { counter: "x:b", time_s: 2 },
    { counter: "x:c", time_s: 1 },
  ];
  const before = { form: "costs" as const, rest_s: 3, shares };
  const now = partsOf({ ...before, shares: shares.slice(1) }, 1);
  expect(total(before)).toBe(11);
  expect(now.map((part) => [part.what, partOf(before, part, now)])).toEqual([
    ["rest", 3],
    ["counter", 2],
    ["others", 6],
  ]);
});
