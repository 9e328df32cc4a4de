import { expect, test } from "vitest";
import type { Forecast, Prediction } from "../api/client";
import { isWrong, trust, warned } from "./trust";

const forecast: Forecast & Pick<Prediction, "counter_set" | "device" | "trust"> = {
  counter_set: 0,
  device: 1,
  trust: { word: "fair", why: "" },
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
const said = (rest: Partial<Prediction>, measured: number | null = null) =>
  trust({ ...forecast, ...rest } as Prediction, measured);

test("the word is the server's, and the reason what is worst", () => {
  const job = { device: 1, provider: "ncu", requested_at: "", attempts: 0, given_up: false };
  expect(said({})).toEqual({ word: "fair", why: { kind: "within", level: 0.9, factor: 1.25 } });
  expect(said({ pending: [job] }).why).toEqual({ kind: "pending", fits: 1 });
  expect(said({ warnings: ["it could not be validated"] }).why.kind).toBe("warning");
  expect(said({ measured_lies: "below", pending: [job] }, 1).why.kind).toBe("measured");
  expect(said({ time_s: 0 }).why.kind).toBe("impossible");
  expect(said({ interval: null, no_interval: "counters are missing" }).why.kind).toBe("noInterval");
  const refused = { ...forecast, refusal: "no counters" } as Prediction;
  expect(trust(refused, null)).toEqual({ word: "none", why: { kind: "refused" } });
});

test("a time that the server was not told of is held against the interval here", () => {
  expect(said({}, 1.3).word).toBe("none");
  expect(said({}, 1.2).word).toBe("fair");
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
  expect(kind("the forecast knows only the launch's geometry: how much")).toBe("geometry");
  const least = { time_s: 2, ceiling: "copy_bytes_per_s", raised: "time" as const };
  const raised = { ...answer, floor: least };
  const below = "the model says 1 s, and the device's measured ceilings allow nothing below 2 s";
  expect(warned(below, raised).kind).toBe("floor");
  expect(kind("no counter of ncu is used")).toBeNull();
});
