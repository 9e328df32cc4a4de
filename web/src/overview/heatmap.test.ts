import { expect, test } from "vitest";
import { heatOf } from "./heatmap";

test("colours run from 5 % to 150 %, and tell 42 % from 82 %", () => {
  expect([0.01, 0.05, 1.5, 9].map(heatOf)).toEqual([0, 0, 1, 1]);
  expect(heatOf(0.82) - heatOf(0.42)).toBeGreaterThan(0.15);
});
