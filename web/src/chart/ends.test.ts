import { expect, test } from "vitest";
import { apart } from "./ends";

test("names that would cover each other move down, others stay", () => {
  const ends = [
    { name: "lower", kind: 0, x: 100, y: 52 },
    { name: "upper", kind: 1, x: 100, y: 50 },
    { name: "elsewhere", kind: 2, x: 300, y: 51 },
  ];
  expect(apart(ends).map(({ name, at }) => [name, at])).toEqual([
    ["upper", 50],
    ["elsewhere", 51],
    ["lower", 64],
  ]);
});
