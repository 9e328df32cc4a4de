import { expect, test } from "vitest";
import type { Warning } from "../api/client";
import { modelWarnings } from "./warnings";

test("what speaks against a model’s forecasts stands before what is said of its samples", () => {
  const warned: Warning[] = [
    { kind: "launches_left_out", samples: 1 },
    { kind: "flagged", samples: 1, of: 9, flag: "outliers" },
    { kind: "negative_times", samples: 1, of: 9 },
  ];
  const first = modelWarnings({ warned, warnings: ["a", "b", "c"] });
  expect(first.map(({ text }) => text)).toEqual(["c", "b", "a"]);
});
