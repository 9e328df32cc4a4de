import { expect, test } from "vitest";
import type { Forecast, KernelTime } from "../api/client";
import { beside, paysOff } from "./localized";

const time = (variant: string, n: number, median_s: number) =>
  ({ device: 1, variant, parameters: { n }, median_s }) as unknown as KernelTime;

test("times stand side by side where local memory was measured too", () => {
  const times = [
    time("global", 8, 4),
    time("local_generated", 8, 2),
    time("local", 8, 1),
    time("global", 16, 8),
    time("local_generated", 32, 8),
  ];
  const [only, ...others] = beside(times, "global");
  expect(others).toEqual([]);
  expect([only?.before.median_s, only?.generated?.median_s, only?.byHand?.median_s]).toEqual([
    4, 2, 1,
  ]);
});

test("nobody can tell where intervals overlap", () => {
  const forecast = (low_s: number, high_s: number) =>
    ({ interval: { low_s, high_s, level: 0.9 } }) as unknown as Forecast;
  expect(paysOff(forecast(3, 4), forecast(1, 2))).toBe(true);
  expect(paysOff(forecast(1, 2), forecast(3, 4))).toBe(false);
  expect(paysOff(forecast(1, 3), forecast(2, 4))).toBeNull();
  expect(paysOff({ interval: null } as unknown as Forecast, forecast(1, 2))).toBeNull();
});
