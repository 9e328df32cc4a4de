import { expect, test } from "vitest";
import type { SpeedupForecast } from "../api/client";
import { paysOff, usesLocalMemory } from "./paysOff";

const forecast: SpeedupForecast = {
  device: 1,
  speedup: 1.4,
  pays_off: true,
  model: "m",
  method: "forest",
  provider: "ncu",
  outside: [],
  missing: [],
  warnings: [],
};
const between = (low: number, high: number) => ({ interval: { level: 0.9, low, high } });

test("a verdict needs a model that can tell, and an interval on one side of 1", () => {
  expect(paysOff({ ...forecast, ...between(1.1, 1.8) })).toBe("yes");
  expect(paysOff(forecast)).toBe("yes");
  expect(paysOff({ ...forecast, speedup: 0.7, pays_off: false, ...between(0.5, 0.9) })).toBe("no");
  expect(paysOff({ ...forecast, ...between(0.9, 1.8) })).toBe("cannotTell");
  expect(paysOff({ ...forecast, pays_off: null, cannot_tell: "by chance" })).toBe("cannotTell");
});

test("who uses local memory already is not asked", () => {
  expect(usesLocalMemory({ launch: { local_bytes: 2048 } })).toBe(true);
  expect(usesLocalMemory({ launch: { local_bytes: 1 } })).toBe(false);
  expect(usesLocalMemory({ ncu: {} })).toBe(false);
});
