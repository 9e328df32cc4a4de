import { expect, test } from "vitest";
import type { Warning } from "../../../api/client";
import { warning } from "./warnings";

const said = (it: Warning) => warning({ warning: it });

test("a warning is a Japanese sentence with its numbers", () => {
  expect(said({ kind: "flagged", flag: "outliers", samples: 265, of: 1550 })).toBe(
    "サンプル 1,550 件のうち 265 件は、繰り返しの中に外れ値があります。",
  );
  const named = [{ counter: "ncu:a", value: 2e6 }];
  expect(said({ kind: "missing", counters: 3, of: 40, provider: "ncu", named })).toBe(
    "モデルのカウンタ 40 個のうち 3 個がなく、サンプルの平均で補っています: ncu:a（2M） ほか 2 個",
  );
  const other = { method: "ols", provider: "ncu", time_s: 0.5, ratio: 0.25 };
  expect(said({ kind: "disagree", others: [other] })).toContain("（0.25 倍）");
});

test("what has no end is said too", () => {
  expect(said({ kind: "nearly_collinear", condition: null })).toContain("条件数 ∞");
});
