import { describe, expect, test } from "vitest";
import {
  amount,
  count,
  EQUAL,
  events,
  factor,
  multiple,
  percent,
  prefixed,
  ratio,
  sizes,
  tick,
  time,
  timeTick,
  visible,
} from "./format";

describe("time", () => {
  test.each([
    [3.4e-4, "340\u00a0µs"],
    [0.00123, "1.23\u00a0ms"],
    [1.5, "1.50\u00a0s"],
    [999.6, "1,000\u00a0s"],
    [86400, "86,400\u00a0s"],
    [2.2e-12, "2.20\u00a0ps"],
    [-0.0042, "−4.20\u00a0ms"],
    [0, "0\u00a0s"],
  ])("%d s is %s", (seconds, text) => {
    expect(time(seconds)).toBe(text);
  });
});

test("what is no time has its own unit", () => {
  expect(amount(0.00123, "s")).toBe("1.23\u00a0ms");
  expect(amount(1234, "cycle")).toBe("1.23k\u00a0cycle");
  expect(prefixed(4.3e12, "B/s")).toBe("4.30\u00a0TB/s");
});

test("ticks have no needless digits", () => {
  expect([1e-6, 0, 5e12].map((value) => tick(value, "s"))).toEqual(["1\u00a0µs", "0", "5\u00a0Ts"]);
  expect(tick(20, "")).toBe("20");
});

test("per cents keep one decimal only where it counts", () => {
  expect([0.046, 0.02, 0.0996, 0.1165, 0.9, 0.9996, 15.2194, 2.5e10].map(percent)).toEqual([
    "4.6\u00a0%",
    "2.0\u00a0%",
    "10\u00a0%",
    "11.7\u00a0%",
    "90\u00a0%",
    "100\u00a0%",
    "1,522\u00a0%",
    "2.5e+12\u00a0%",
  ]);
});

test("ratios say which way they are off", () => {
  expect([2, 0.5, 1, 123.4, 0.001].map(ratio)).toEqual([
    "×2.00",
    "÷2.00",
    "×1.00",
    "×123",
    "÷1,000",
  ]);
  // No division by a difference that rounds to 0.
  expect([0.998, 1.002].map(ratio)).toEqual([EQUAL, EQUAL]);
  expect(factor(2.3)).toBe("×/÷\u00a02.30");
});

test("multiples keep two digits, however small", () => {
  expect([0.734, 0.095, 0.00123, 2, 1234].map(multiple)).toEqual([
    "0.73",
    "0.10",
    "0.0012",
    "2.00",
    "1,234",
  ]);
});

test("counters are shortened with SI prefixes, counts are not", () => {
  expect([0, 12.5, 999, 2097152, 8.389e9].map(events)).toEqual([
    "0",
    "12.5",
    "999",
    "2.1M",
    "8.39G",
  ]);
  expect(count(2097152)).toBe("2,097,152");
});

test("sizes name their parameters", () => {
  expect(sizes({ n: 1024, depth: 4 })).toBe("n\u00a0=\u00a01024, depth\u00a0=\u00a04");
});

test("an axis that reaches far has minutes, hours and days", () => {
  const texts = [1e-6, 0.1, 100, 1e3, 1e4, 1e5, 1e6, 1e8].map(timeTick);
  expect(texts.map((text) => text.replace("\u00a0", " "))).toEqual([
    "1 µs",
    "100 ms",
    "100 s",
    "17 min",
    "2.8 h",
    "28 h",
    "12 d",
    "1,157 d",
  ]);
});

test("what turns the direction of writing is seen", () => {
  expect(visible("a\u202eb\u2066 c\td")).toBe("a\\u202eb\\u2066 c\td");
});
