import { sum } from "d3-array";
import { expect, test } from "vitest";
import { partsOf } from "./shares";

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
    ["rest", 0],
    ["counter", 1],
    ["counter", 1],
    ["counter", 1],
    ["others", 2],
  ]);
  expect(partsOf({ form: "costs", rest_s: 0, shares: [] })).toEqual([]);
});
