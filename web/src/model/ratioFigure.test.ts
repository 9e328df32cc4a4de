import { expect, test } from "vitest";
import type { HeldOut } from "../api/client";
import { groups, label, mark, ratioScale, ticks, wrap } from "./ratioFigure";

function held(kernel: string, variant: string, measured: number, predicted?: number): HeldOut {
  const sample = "0193a5b0-0000-7000-8000-000000000000";
  return {
    sample,
    kernel,
    variant,
    parameters: {},
    measured,
    ...(predicted !== undefined && { predicted }),
  };
}

test("a forecast at or below 0 is negative, a missing one absent; neither has a ratio", () => {
  expect(mark(held("k", "global", 2, 3))).toMatchObject({ fate: "forecast", ratio: 1.5 });
  expect(mark(held("k", "global", 2, 0))).toMatchObject({ fate: "negative", ratio: null });
  expect(mark(held("k", "global", 2, -1))).toMatchObject({ fate: "negative", ratio: null });
  expect(mark(held("k", "global", 2))).toMatchObject({ fate: "absent", ratio: null });
});

test("bars stand by kernel, then variant, then measured time", () => {
  const rows = [
    held("b", "local", 1, 1),
    held("a", "local", 2, 1),
    held("a", "local", 1, 1),
    held("a", "global", 9, 1),
  ];
  const order = groups(rows).map((g) => [
    g.kernel,
    g.marks.map((m) => m.held.variant + m.held.measured.toString()),
  ]);
  expect(order).toEqual([
    ["a", ["global9", "local1", "local2"]],
    ["b", ["local1"]],
  ]);
});

test("the scale holds every ratio and always shows 1/2 to 2", () => {
  const wide = ratioScale([mark(held("k", "v", 1, 2000)), mark(held("k", "v", 1, -5))], 100, 0);
  expect(wide(2000)).toBeGreaterThanOrEqual(0);
  expect(wide(0.5)).toBe(100);
  expect(ticks(wide)).toEqual([1, 10, 100, 1000]);
  expect(ticks(ratioScale([], 100, 0))).toEqual([0.5, 1, 2]);
});

test("twelve decades get at most nine ticks, 1 among them", () => {
  const labels = ticks(
    ratioScale([mark(held("k", "v", 1, 1e-6)), mark(held("k", "v", 1, 1e6))], 100, 0),
  );
  expect(labels.length).toBeLessThanOrEqual(9);
  expect(labels).toContain(1);
});

test("groups wrap into lines that fit, with bars as wide as the lines allow", () => {
  const all = groups(
    Array.from({ length: 100 }, (_, i) => held(`k${Math.floor(i / 10).toString()}`, "v", i + 1, 1)),
  );
  expect(wrap(all, 1200).lines).toHaveLength(1);
  const narrow = wrap(all, 320);
  expect(narrow.lines.flat()).toHaveLength(10);
  for (const line of narrow.lines) {
    const last = line.at(-1);
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(320);
  }
});

test("labels break at underscores only", () => {
  expect(label("matrix_mul_float4", 10)).toEqual(["matrix_", "mul_float4"]);
  expect(label("sobel", 3)).toEqual(["sobel"]);
});
