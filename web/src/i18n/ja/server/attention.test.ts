import { expect, test } from "vitest";
import type { Because } from "../../../api/client";
import { because } from "./attention";

type Kind = Because["kind"];
const since = "2026-11-20T03:04:00Z";
const uploads = [
  { agent: "lab-1", samples: 3 },
  { agent: "lab-2", samples: 1 },
];
const device = (id: number) => `Device ${id.toString()}`;

/** One of each kind, and what its text has to hold; the compiler sees to it that none is missing. */
const ALL: { [One in Kind]: [Extract<Because, { kind: One }>, string[]] } = {
  agent_failing: [
    { kind: "agent_failing", failed: 3, of: 40, error: "no such device", refused: 7 },
    ["40 件中 3 件", "「no such device」", "7 件"],
  ],
  agent_silent: [{ kind: "agent_silent", last_seen_at: since }, ["2026/11/20"]],
  error_rose: [
    { kind: "error_rose", left_out: "family", before: 1.204, now: 1.5 },
    ["系統", "1.204 から 1.500"],
  ],
  coverage_off: [
    { kind: "coverage_off", level: 0.9, covered: 0.8012 },
    ["90\u00a0% 区間", "80.1\u00a0%"],
  ],
  no_model: [
    { kind: "no_model", why: { kind: "too_few_kernels", found: 2, needed: 3 } },
    ["2 個", "3 個"],
  ],
  fits_pending: [
    { kind: "fits_pending", since, providers: ["ncu", "oclgrind"], across: 4, first: true },
    ["ncu、oclgrind", "4 件", "モデルがなく"],
  ],
  ceiling_beaten: [
    {
      kind: "ceiling_beaten",
      ceiling: "fp32_flop_per_s",
      says: 1.77e9,
      per_second: 6.58e10,
      kernel: "n_body",
      provider: "oclgrind",
    },
    ["n_body", "65.8\u00a0GFLOP/s", "単精度の上限 1.77\u00a0GFLOP/s", "37 倍", "oclgrind"],
  ],
  job_failing: [
    { kind: "job_failing", error: "out of memory", given_up: true, attempts: 5 },
    ["「out of memory」", "5 回試みて打ち切り"],
  ],
  disk_low: [
    {
      kind: "disk_low",
      folder: "/data",
      free_bytes: 2e8,
      full_bytes: 3e8,
    },
    ["/data", "200\u00a0MB", "300\u00a0MB", "断って"],
  ],
  samples_quarantined: [
    { kind: "samples_quarantined", samples: 12, why: [{ kind: "no_time", time_s: 0 }] },
    ["12 件", "時間ではありません"],
  ],
  model_held: [
    { kind: "model_held", response: "time", counted_on: 3, why: [{ kind: "no_fit" }], uploads },
    ["Device 3", "時間", "当てはめ", "lab-1 3 件、lab-2 1 件"],
  ],
  forecasts_moved: [
    {
      kind: "forecasts_moved",
      since,
      response: "time",
      counted_on: null,
      median: 0.062,
      worst: 41,
      kernel: "sobel_filter",
      uploads: [],
      others: 2,
    },
    ["2026/11/20", "6.2\u00a0%", "41 倍（sobel_filter）", "2 個", "届いたサンプルはありません"],
  ],
};

test("what needs attention is said in Japanese with its numbers, whatever its kind", () => {
  for (const [it, parts] of Object.values(ALL)) {
    const text = because({ because: it }, device);
    for (const part of parts) expect(text, it.kind).toContain(part);
    expect(text, it.kind).toMatch(/[。」]$/);
  }
});

test("what is absent is not said", () => {
  const said = (it: Because) => because({ because: it }, device);
  expect(said({ kind: "agent_failing", failed: 0, of: 9, refused: 1 })).toBe(
    "スプールのファイル 1 件が受け付けられませんでした。",
  );
});
