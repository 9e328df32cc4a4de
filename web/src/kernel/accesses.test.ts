import { expect, test } from "vitest";
import type { SourceAccess } from "../api/client";
import { byLine, costs } from "./accesses";

const access = (line: number, shares: Record<string, number>): SourceAccess => ({
  file: "a.cl",
  line,
  column: 1,
  access: "a[gid0]",
  does: "load",
  memory: "global",
  class: "affine",
  shares,
});

const accesses = [
  access(3, { global_load_sectors: 0.75, chain_l2: 0.5 }),
  access(3, { global_load_sectors: 0.25, chain_l2: 0.5 }),
  access(7, { global_store_sectors: 1 }),
];
const explanation = {
  form: "costs" as const,
  rest_s: 1,
  shares: [
    { counter: "analysis:global_load_sectors", time_s: 8 },
    { counter: "analysis:chain_l2", time_s: 2 },
    { counter: "analysis:global_store_sectors", time_s: -1 },
    { counter: "launch:global_load_sectors", time_s: 100 },
    { counter: "analysis:instructions", time_s: 4 },
  ],
};

test("each access has its share of what its counters cost", () => {
  expect(costs(accesses, explanation)).toEqual([7, 3, 0]);
});

test("a line has what all of its accesses cost", () => {
  const lines = byLine(accesses, costs(accesses, explanation), "a.cl");
  expect([...lines]).toEqual([
    [3, 10],
    [7, 0],
  ]);
  expect(byLine(accesses, [1, 1, 1], "b.cl").size).toBe(0);
});
