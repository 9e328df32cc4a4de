import { expect, test } from "vitest";
import type { Coefficient, Fit } from "../api/client";
import { ranked } from "./coefficients";

function fit(coefficients: Partial<Coefficient>[]): Fit {
  return {
    unit: "s",
    form: "costs",
    dropped: [],
    coefficients: coefficients.map((one) => ({ counter: "a:b", mean: 1, min: 0, max: 9, ...one })),
  };
}

test("costs count by what they come to at the mean, shared out where they are", () => {
  const shown = ranked(
    fit([
      { counter: "x:free", per_event: 0, mean: 5 },
      { counter: "x:workers", per_event: 1, mean: 4 },
      { counter: "x:shared", per_event: 6, mean: 10, over: "x:workers" },
    ]),
  );
  expect(shown.map(({ coefficient, size }) => [coefficient.counter, size])).toEqual([
    ["x:shared", 15],
    ["x:workers", 4],
  ]);
});

test("weights count by their size either way; a forest has none", () => {
  const sizes = (coefficients: Partial<Coefficient>[]) =>
    ranked(fit(coefficients)).map(({ size }) => size);
  expect(sizes([{ weight: 1 }, { weight: -2 }])).toEqual([-2, 1]);
  expect(sizes([{}, {}])).toEqual([null, null]);
});
