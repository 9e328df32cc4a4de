import { expect, test } from "vitest";
import type { Sample } from "../api/client";
import { loads } from "./localMemory";

function sample(id: string, counters: Record<string, number>, standing = "sound"): Sample {
  const readings = { local_memory: { counters } };
  return { id, readings, standing, time: { median_s: 3 } } as unknown as Sample;
}

test("a load is of its newest sample that nobody has set aside", () => {
  const one = { instructions: 2, warps: 2, congestion: 8 };
  const all = [
    sample("wrong", { ...one, cycles: 9 }, "rejected"),
    sample("new", { ...one, cycles: 40 }),
    sample("old", { ...one, cycles: 41 }),
    sample("other", { ...one, warps: 4 }),
    sample("lacks", { warps: 4 }),
  ];
  expect(loads(all)).toEqual([
    { ...one, cycles: 40, time_s: 3, sample: "new" },
    { ...one, warps: 4, cycles: undefined, time_s: 3, sample: "other" },
  ]);
});
