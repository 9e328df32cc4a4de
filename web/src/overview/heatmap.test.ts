import { expect, test } from "vitest";
import { heat } from "./heatmap";

test("colours run from 5 % to 150 %, and tell 42 % from 82 %", () => {
  expect([0.01, 0.05, 1.5, 9].map(heat)).toEqual([0, 0, 1, 1]);
  expect(heat(0.82) - heat(0.42)).toBeGreaterThan(0.15);
});
