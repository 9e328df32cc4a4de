import { expect, test } from "vitest";
import type { Forecast, Prediction } from "../api/client";
import { isWrong, trust } from "./trust";

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
  warned: [],
};
const trusted = (rest: Partial<Prediction>, measured: number | null = null) =>
  trust({ ...forecast, ...rest } as Prediction, measured);

test("the word is the server's, and the reason what is worst", () => {
  const job = { device: 1, provider: "ncu", requested_at: "", attempts: 0, given_up: false };
  expect(trusted({})).toEqual({ word: "fair", why: { kind: "within", level: 0.9, factor: 1.25 } });
  expect(trusted({ pending: [job] }).why).toEqual({ kind: "pending", fits: 1 });
  const [first, other] = [{ kind: "not_validated" }, { kind: "no_time", time_s: -1 }] as const;
  const warned = { warned: [first, other], warnings: ["not validated", "no time"] };
  expect(trusted(warned).why).toEqual({
    kind: "warning",
    first: { warning: first, text: "not validated" },
    more: 1,
  });
  expect(trusted({ measured_lies: "below", pending: [job] }, 1).why.kind).toBe("measured");
  expect(trusted({ time_s: 0 }).why.kind).toBe("impossible");
  const none = { interval: null, no_interval: "why", no_interval_kind: { kind: "too_far_off" } };
  expect(trusted(none as Partial<Prediction>).why).toEqual({
    kind: "noInterval",
    why: { warning: { kind: "too_far_off" }, text: "why" },
    missing: 0,
  });
  const refused = { ...forecast, refusal: "no counters" } as Prediction;
  expect(trust(refused, null)).toEqual({ word: "none", why: { kind: "refused" } });
});

test("a time that the server was not told of is held against the interval here", () => {
  expect(trusted({}, 1.3).word).toBe("none");
  expect(trusted({}, 1.2).word).toBe("fair");
});

test("what the server says of a measured time is heard before its own", () => {
  expect(isWrong({ ...forecast, measured_lies: "within" }, 9)).toBe(false);
  expect(isWrong({ ...forecast, measured_lies: "above" }, null)).toBe(true);
});
