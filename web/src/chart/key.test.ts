import { expect, test } from "vitest";
import { keyHeight, placeKey, ROW } from "./key";
import { width } from "./textWidth";

const names = ["global", "local", "local_padded", "vector4"].map((name, kind) => ({ name, kind }));

test("where there is room all stand in one row, ending at the plot’s end", () => {
  const all = placeKey(names, 900, "↑ predicted");
  expect(all.map(({ row }) => row)).toEqual([0, 0, 0, 0]);
  expect(keyHeight(all)).toBe(0);
  expect(all.map(({ name, x }) => x + width(name)).at(0)).toBeCloseTo(900);
});

test("on a phone none is cut off, none covers another, and none the axis’ title", () => {
  const title = "↑ predicted time";
  const all = placeKey(names, 260, title);
  expect(keyHeight(all)).toBeGreaterThanOrEqual(ROW);
  for (const { name, x, row } of all) {
    expect(x - 20).toBeGreaterThanOrEqual(-44);
    expect(x + width(name)).toBeLessThanOrEqual(260);
    if (row === 0) expect(x - 20).toBeGreaterThan(width(title) - 52);
    const beside = all.filter((other) => other.row === row && other.x > x);
    for (const other of beside) expect(other.x - 20).toBeGreaterThanOrEqual(x + width(name));
  }
});
