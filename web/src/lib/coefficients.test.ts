import { expect, test } from "vitest";
import type { Coefficient, Fit } from "../api/client";
import { fitCounters, onCores, rankCoefficients } from "./coefficients";

function fit(coefficients: Partial<Coefficient>[]): Fit {
  return {
    unit: "s",
    form: "costs",
    dropped: [],
    coefficients: coefficients.map((one) => ({ counter: "a:b", mean: 1, min: 0, max: 9, ...one })),
  };
}

test("costs count by what they come to at the mean, shared out where they are", () => {
  const ranked = rankCoefficients(
    fit([
      { counter: "x:free", per_event: 0, mean: 5 },
      { counter: "x:workers", per_event: 1, mean: 4 },
      { counter: "x:shared", per_event: 6, mean: 10, over: ["x:workers"] },
      { counter: "x:several", per_event: 6, mean: 10, over: ["x:workers", "x:free"] },
      { counter: "x:untold", per_event: 6, mean: 10, over: ["x:workers", "x:others"] },
    ]),
  );
  expect(ranked.map(({ coefficient, size }) => [coefficient.counter, size])).toEqual([
    ["x:shared", 15],
    ["x:several", 60 / 9],
    ["x:workers", 4],
    ["x:untold", null],
  ]);
});

test("weights count by their size either way; a forest has none", () => {
  const sizes = (coefficients: Partial<Coefficient>[]) =>
    rankCoefficients(fit(coefficients)).map(({ size }) => size);
  expect(sizes([{ weight: 1 }, { weight: -2 }])).toEqual([-2, 1]);
  expect(sizes([{}, {}])).toEqual([null, null]);
});

test("on a CPU’s cores events are shared out over no work-items", () => {
  const shared = fit([
    { counter: "x:workers", per_event: 1, mean: 4 },
    { counter: "x:shared", per_event: 6, mean: 10, over: ["x:workers"] },
  ]);
  const sizes = (of: Fit) => rankCoefficients(onCores(of)).map(({ size }) => size);
  expect(sizes({ ...shared, form: "waves" })).toEqual([60, 4]);
  expect(sizes(shared)).toEqual([15, 4]);
});

test("a counter is asked for once, also one that events are only shared out over", () => {
  const shared = [
    { counter: "x:a", per_event: 1, mean: 3 },
    { counter: "x:a", per_event: 2, mean: 3, over: ["x:workers"] },
  ];
  expect(fitCounters(fit(shared))).toEqual([
    { counter: "x:a", seen: { min: 0, max: 9 }, typical: 3 },
    { counter: "x:workers" },
  ]);
});
