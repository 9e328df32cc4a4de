import { expect, test } from "vitest";
import {
  counterSet,
  curl,
  curlOfFile,
  isFarAbove,
  isOutside,
  readCounters,
  pointer,
  split,
} from "./forecast";

test("an empty field is absent; what is no number is sent as typed", () => {
  const typed = { "ncu:a": " ", "ncu:b": "1 000_000", "launch:c": "0", "launch:d": "12x" };
  expect(counterSet(typed)).toEqual({ ncu: { b: 1_000_000 }, launch: { c: 0, d: "12x" } });
  expect(counterSet({ "ncu:a": "1e999" })).toEqual({ ncu: { a: "1e999" } });
  expect(counterSet({ counted_on_time: "0.5" })).toEqual({});
});

test("counters split at the first colon and become JSON pointers", () => {
  expect(split("ncu:sm::inst")).toEqual({ provider: "ncu", name: "sm::inst" });
  expect(split("counted_on_time")).toEqual({ provider: "", name: "counted_on_time" });
  expect(pointer("mine:bytes/s~")).toBe("/counters/mine/bytes~1s~0");
});

test("only a JSON object is a set of counters", () => {
  expect(readCounters('{"ncu": {"a": 1}}')).toEqual({ set: { ncu: { a: 1 } }, trouble: null });
  for (const text of ["", "null", "[1]", '{"ncu": {"a": NaN}}', '{"ncu": ']) {
    expect(readCounters(text).set, text).toBeNull();
  }
});

test("the curl command survives quotes", () => {
  expect(curl("http://host", { a: "it's" })).toContain(String.raw`"a": "it'\''s"`);
  expect(curlOfFile("http://host", { model: "id" }, "it's")).toContain(String.raw`'@it'\''s'`);
});

test("a measured time is outside an interval, in it, or nobody knows", () => {
  const interval = { low_s: 1, high_s: 3 };
  expect([0.9, 1, 2, 3, 3.1].map((measured) => isOutside(interval, measured))).toEqual([
    true,
    false,
    false,
    false,
    true,
  ]);
  expect(isOutside(null, 2)).toBe(false);
  expect(isOutside(interval, null)).toBe(false);
});

test("far above all that was seen an interval has no probability", () => {
  const range = { counter: "ncu:a", min: 1, max: 10 };
  expect(isFarAbove([{ ...range, value: 15, times: 1.5 }])).toBe(false);
  expect(isFarAbove([{ ...range, value: 0.1, times: 0.1 }])).toBe(false);
  expect(isFarAbove([{ ...range, value: 25, times: 2.5 }])).toBe(true);
  expect(isFarAbove([{ ...range, min: 0, max: 0, value: 1 }])).toBe(true);
});
