import { expect, test } from "vitest";
import type { SpeedupForecast } from "../api/client";
import { leaning, paysOff, whyNot } from "./paysOff";

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
  warned: [],
};

test("the verdict is the server's", () => {
  expect(paysOff(forecast)).toBe("yes");
  expect(paysOff({ ...forecast, pays_off: false })).toBe("no");
  expect(paysOff({ ...forecast, pays_off: null, cannot_tell: "by chance" })).toBe("cannotTell");
});

test("why there is none is the server's too, as a kind with its words", () => {
  expect(whyNot(forecast)).toBeNull();
  const warning = { kind: "counters_missing", counters: 2 } as const;
  const text = "2 of the model's counters are missing";
  const unsure = { ...forecast, pays_off: null, cannot_tell: text, cannot_tell_kind: warning };
  expect(whyNot(unsure)).toEqual({ warning, text });
});

test("without a verdict it leans to where the odds are", () => {
  expect(leaning({ ...forecast, odds: 0.9 })).toBeNull();
  const unsure = { ...forecast, pays_off: null };
  expect(leaning(unsure)).toBeNull();
  expect(leaning({ ...unsure, odds: 0.8 })).toEqual({ says: "yes", odds: 0.8 });
  expect(leaning({ ...unsure, odds: 0.25 })).toEqual({ says: "no", odds: 0.75 });
});
