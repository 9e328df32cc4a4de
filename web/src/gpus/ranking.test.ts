import { expect, test } from "vitest";
import { speed } from "./ranking";

test("a GPU is as fast as the geometric mean of its workloads says", () => {
  expect(speed([1, 4], [2, 2])).toBeCloseTo(1);
  expect(speed([0.5], [2])).toBeCloseTo(4);
});

test("a GPU that lacks a forecast is in no order", () => {
  expect(speed([1, undefined], [1, 1])).toBeUndefined();
});
