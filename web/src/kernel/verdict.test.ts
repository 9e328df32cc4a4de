import { expect, test } from "vitest";
import { verdict } from "./verdict";

const kind = (speedups: number[]) => verdict(speedups)?.kind;

test("sizes that agree make a verdict, others say that it depends", () => {
  expect(kind([1.2, 1.3, 1.01])).toBe("faster");
  expect(kind([0.8, 0.99])).toBe("slower");
  expect(kind([0.97, 1.02, 1.04])).toBe("same");
  expect(kind([0.8, 1.3])).toBe("depends");
  expect(verdict([])).toBeNull();
  expect(verdict([1, 4, 2])).toEqual({ kind: "faster", typical: 2, low: 1, high: 4, sizes: 3 });
});
