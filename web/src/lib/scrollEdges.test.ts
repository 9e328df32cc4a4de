import { expect, test } from "vitest";
import { hidden } from "./scrollEdges";

test("what scrolls says on which side there is more", () => {
  const clientWidth = 300;
  expect(hidden({ scrollLeft: 0, scrollWidth: 300, clientWidth })).toBe("");
  expect(hidden({ scrollLeft: 0, scrollWidth: 300.6, clientWidth })).toBe("");
  expect(hidden({ scrollLeft: 0, scrollWidth: 500, clientWidth })).toBe("right");
  expect(hidden({ scrollLeft: 100, scrollWidth: 500, clientWidth })).toBe("left right");
  expect(hidden({ scrollLeft: 200, scrollWidth: 500, clientWidth })).toBe("left");
});
