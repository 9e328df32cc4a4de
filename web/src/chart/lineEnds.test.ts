import { expect, test } from "vitest";
import { spreadEnds, shorten, nameRoom } from "./lineEnds";

test("names that would cover each other move down, others stay", () => {
  const ends = [
    { name: "lower", kind: 0, x: 100, y: 52 },
    { name: "upper", kind: 1, x: 100, y: 50 },
    { name: "elsewhere", kind: 2, x: 300, y: 51 },
  ];
  expect(spreadEnds(ends).map(({ name, at }) => [name, at])).toEqual([
    ["upper", 50],
    ["elsewhere", 51],
    ["lower", 64],
  ]);
});

test("names get room for the longest, up to a third, and are cut where that is not enough", () => {
  expect(nameRoom(["推移"], 900)).toBe(40);
  expect(nameRoom([], 900)).toBe(12);
  expect(nameRoom(["a".repeat(10), "b"], 900)).toBeCloseTo(82);
  expect(nameRoom(["a".repeat(100)], 300)).toBe(100);
  expect(shorten("a".repeat(10), nameRoom(["a".repeat(10)], 900))).toBe("a".repeat(10));
  expect(shorten("a".repeat(100), 100)).toBe(`${"a".repeat(11)}…`);
  expect(shorten("時間の推移を見る", 60)).toBe("時間の…");
});
