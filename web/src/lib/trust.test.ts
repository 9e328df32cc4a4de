import { expect, test } from "vitest";
import type { Forecast, Prediction } from "../api/client";
import { isWrong, trust, warned } from "./trust";

const forecast: Forecast & { counter_set: number; device: number } = {
  counter_set: 0,
  device: 1,
  time_s: 1,
  interval: { level: 0.9, low_s: 0.8, high_s: 1.25 },
  others: [],
  explanation: { form: "costs", rest_s: 1, shares: [] },
  model: "m",
  method: "waves",
  provider: "ncu",
  outside: [],
  missing: [],
  unknown: [],
  warnings: [],
};
const word = (rest: Partial<Prediction>, measured: number | null = null) =>
  trust({ ...forecast, ...rest } as Prediction, measured).word;
const reach = (factor: number) => ({
  interval: { level: 0.9, low_s: 1 / factor, high_s: factor },
});

test("the interval's wider side decides where nothing else does", () => {
  expect(word(reach(1.5))).toBe("high");
  expect(word(reach(1.51))).toBe("fair");
  expect(word(reach(2.5))).toBe("fair");
  expect(word(reach(2.51))).toBe("low");
  expect(word({ interval: { level: 0.9, low_s: 0.9, high_s: 3 } })).toBe("low");
  const { why } = trust({ ...forecast, ...reach(2) }, 1);
  expect(why).toEqual({ kind: "within", level: 0.9, factor: 2 });
});

test("what is worst decides", () => {
  const job = { device: 1, provider: "ncu", requested_at: "", attempts: 0, given_up: false };
  expect(word({ pending: [job] })).toBe("low");
  expect(word({ warnings: ["the model could not be validated"] })).toBe("low");
  expect(word({}, 1.3)).toBe("none");
  expect(word({}, 1.2)).toBe("high");
  expect(word({ measured_lies: "below", pending: [job] }, 1)).toBe("none");
  expect(word({ time_s: 0 })).toBe("none");
  expect(word({ interval: null, no_interval: "counters are missing" })).toBe("none");
  const refused = { counter_set: 0, device: 1, refusal: "no counters" };
  expect(trust(refused, null)).toEqual({ word: "none", why: { kind: "refused" } });
});

test("what the server says of a measured time is heard before its own", () => {
  expect(isWrong({ ...forecast, measured_lies: "within" }, 9)).toBe(false);
  expect(isWrong({ ...forecast, measured_lies: "above" }, null)).toBe(true);
});

test("a warning that fields tell too is known for it", () => {
  const outside = [{ counter: "ncu:x", value: 9, min: 0, max: 1, times: 9 }];
  const other = {
    model: "o",
    method: "ols",
    provider: "ncu",
    time_s: 9,
    interval: forecast.interval,
  };
  const others = [{ ...other, disagrees: true }] as Forecast["others"];
  const answer: Forecast = { ...forecast, outside, others, missing: ["ncu:y", "ncu:z"] };
  const kind = (text: string) => warned(text, answer).kind;
  expect(kind("ncu:x is 9, outside the 0 to 1 that the model has seen")).toBe("outside");
  expect(kind("lacks 2 of the model's 4 counters")).toBe("missing");
  expect(warned("lacks 2 of the model's 4 counters", answer).n).toBe(2);
  expect(kind("models disagree by more than their intervals say")).toBe("disagree");
  expect(kind("fits from counters of ncu are pending since noon")).toBe("pending");
  expect(kind("the time measured, 9 s, lies outside the 90 % interval")).toBe("measured");
  expect(kind("no counter of ncu is used")).toBeNull();
});
