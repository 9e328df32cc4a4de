import { expect, test } from "vitest";
import { jobFromAddress, formatLength, splitLength, UNITS } from "./job";

const streams = (device: number, is_host: boolean) => ({
  device,
  is_host,
  measured_at: "2026-11-23T12:00:00Z",
  threads: 16,
});

test("a length has the unit that people would say", () => {
  expect(splitLength(1024)).toEqual([1, "KiB"]);
  expect(splitLength(1536 * UNITS.MiB)).toEqual([1536, "MiB"]);
  expect(splitLength(32 * UNITS.GiB)).toEqual([32, "GiB"]);
  expect(splitLength(512)).toEqual([0.5, "KiB"]);
});

test("a length that was measured has three digits", () => {
  const nbsp = "\u00a0";
  expect(formatLength(1_249_280)).toBe(`1.19${nbsp}MiB`);
  expect(formatLength(46_340 * 1024)).toBe(`45.3${nbsp}MiB`);
  expect(formatLength(4096)).toBe(`4${nbsp}KiB`);
  expect(formatLength(100)).toBe(`0.0977${nbsp}KiB`);
});

test("what an address does not say, or says wrongly, is usual", () => {
  const of = (search: string) => {
    const parameters = new URLSearchParams(search);
    return jobFromAddress((name) => parameters.get(name), [streams(3, true), streams(7, false)]);
  };
  const usual = { device: 7, work: "sort", element: "u32", bytes: UNITS.GiB };
  expect(of("")).toEqual(usual);
  expect(of("work=dance&bytes=-3&type=u8&device=99&memory=x")).toEqual(usual);
  expect(of("work=sine&type=u32&device=3&bytes=4096&memory=8192")).toEqual({
    device: 3,
    work: "sine",
    element: "f32",
    bytes: 4096,
    device_memory: 8192,
  });
  expect(jobFromAddress(() => null, [])).toBeNull();
});
