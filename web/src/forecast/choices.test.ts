import { expect, test } from "vitest";
import type { DevicePair, PairModel } from "../api/client";
import { answering, choicesFrom } from "./choices";

function model(id: string, rest: Partial<PairModel>): PairModel {
  const basics = { method: "across_counters", needs_time: false, champion: false };
  return { model: id, ...basics, workloads: 9, kernels: 9, ...rest };
}

test("only what was fitted from the device counted on can be asked, and its champion answers", () => {
  const pairs: DevicePair[] = [
    {
      counted_on: 1,
      device: 2,
      provider: "ncu",
      models: [
        model("plain", {}),
        model("best", { champion: true }),
        model("timed", { champion: true, needs_time: true }),
        model("none", { champion: true, refusal: "too few" }),
      ],
    },
    { counted_on: 3, device: 2, provider: "ncu", models: [model("other", { champion: true })] },
  ];
  const choices = choicesFrom(pairs, 1);
  expect(choices.map((choice) => choice.model)).toEqual(["timed", "best", "plain"]);
  expect(answering(choices, 2, "ncu")?.model).toBe("timed");
  expect(answering(choices, 2, "oclgrind")).toBeUndefined();
  expect(answering(choices, 1, "ncu")).toBeUndefined();
});
