import { expect, test } from "vitest";
import type { SpeedupForecast } from "../api/client";
import { paysOff, whyNot } from "./paysOff";

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
const no = (cannot_tell: string, rest: Partial<SpeedupForecast> = {}) =>
  whyNot({ ...forecast, pays_off: null, cannot_tell, ...rest });

test("the verdict is the server's", () => {
  expect(paysOff(forecast)).toBe("yes");
  expect(paysOff({ ...forecast, pays_off: false })).toBe("no");
  expect(paysOff({ ...forecast, pays_off: null, cannot_tell: "by chance" })).toBe("cannotTell");
  expect(whyNot(forecast)).toBeNull();
});

test("why there is none is known by the answer's fields", () => {
  const signs = { right: 0.6, pays_off: 0.3, better: 9, worse: 7 };
  expect(no("2 of the model's counters are missing", { missing: ["a", "b"] })).toEqual({
    kind: "missing",
    n: 2,
  });
  expect(no("of kernels … (sign test)", { signs })).toEqual({
    kind: "chance",
    right: 0.6,
    always: 0.7,
    better: 9,
    worse: 7,
  });
  expect(no("it lies between", { signs, interval: { level: 0.9, low: 0.8, high: 2 } })).toEqual({
    kind: "straddles",
    level: 0.9,
    low: 0.8,
    high: 2,
  });
  const outside = [{ counter: "ncu:x", value: 9, min: 0, max: 1, times: 9 }];
  expect(no("ncu:x is 9, outside the 0 to 1", { outside })).toEqual({ kind: "outside", n: 1 });
  const already =
    "launch:local_bytes is 2052: these are counters of a variant that uses local memory already";
  expect(no(already)).toEqual({ kind: "already" });
  const text = "how far off the speedup may be is not known: too few kernels";
  expect(no(text)).toEqual({ kind: "said", text });
});
