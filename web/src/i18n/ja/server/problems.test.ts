import { expect, test } from "vitest";
import type { Problem } from "../../../api/client";
import { en } from "../../en";
import { complaint, refusal } from "./problems";

const problem = (detail: string, errors: Problem["errors"] = []): Problem => ({
  type: "about:blank",
  title: "Bad Request",
  status: 400,
  detail,
  errors,
});
const ofField = (field: string, value: string, expected: string) =>
  problem(`${field} is ${value}; expected ${expected}`, [{ field, value, expected }]);

test("refusals of few forms are in Japanese", () => {
  expect(refusal(ofField("id", "hello", "a UUID"))).toBe(
    "id の値「hello」は使えません。必要なもの: UUID",
  );
  expect(refusal(ofField("/counters", "empty", "counters of a provider with a model: ncu"))).toBe(
    "/counters の値「空」は使えません。必要なもの: モデルのあるプロバイダのカウンタ（ncu）",
  );
  expect(refusal(problem("there are no samples of a kernel nope"))).toBe(
    "カーネル nope のサンプルはありません。",
  );
  expect(refusal(problem("there is no device 99"))).toBe("デバイス 99 はありません。");
});

test("what has no translation is said to be English", () => {
  expect(refusal(problem("the moon is full"))).toBe("サーバーの説明（英語）: the moon is full");
  expect(refusal(ofField("/x", "1", "a moon"))).toBe(
    "/x の値「1」は使えません。必要なもの（英語）: a moon",
  );
});

test("complaints say what was expected and what was there", () => {
  const at = { field: "/x", value: '"12x"', expected: "a number" };
  expect(complaint(at)).toBe('「"12x"」は使えません。必要なもの: 数');
  expect(en.complaint(at)).toBe('expected a number, not "12x"');
  expect(en.complaint({ field: "/x", expected: "a number" })).toBe("expected a number");
});
