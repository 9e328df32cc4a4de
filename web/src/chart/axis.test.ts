import { expect, test } from "vitest";
import { placeAxis } from "./axis";

const axis = { title: "time", scale: "linear" as const, tick: (value: number) => value.toString() };

test("a single value has an axis around it, which does not begin below 0", () => {
  for (const value of [0.00123, 0.5, 40]) {
    const { ticks, at } = placeAxis(axis, [value], [100, 0], 4);
    expect(Math.min(...ticks.map((tick) => tick.value))).toBeGreaterThan(0);
    expect(at(value)).toBeCloseTo(50);
  }
});
