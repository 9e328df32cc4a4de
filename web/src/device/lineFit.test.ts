import { expect, test } from "vitest";
import { holdsFrom } from "./lineFit";

const points = [
  { x: 1, y: 1 },
  { x: 1, y: 2 },
  { x: 1, y: 3 },
  { x: 10, y: 10 },
  { x: 100, y: 100 },
];

test("a line holds from where it is near the medians to the end", () => {
  expect(holdsFrom(points, (x) => x + 20)).toBe(100);
  expect(holdsFrom(points, (x) => x + 5)).toBe(10);
  expect(holdsFrom(points, (x) => x + 1)).toBe(1);
  expect(holdsFrom(points, (x) => 3 * x)).toBeNull();
  expect(holdsFrom([], (x) => x)).toBeNull();
});
