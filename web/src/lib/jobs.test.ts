import { expect, test } from "vitest";
import type { FittingJob } from "../api/client";
import { key } from "./jobs";

function job(device: number, counted_on: number | null): FittingJob {
  const requested_at = "2026-11-23T03:06:37Z";
  return { device, counted_on, provider: "ncu", requested_at, attempts: 0, given_up: false };
}

test("a device's own fit and those from other devices' counters are told apart", () => {
  const keys = [job(1, null), job(1, 2), job(1, 3), job(2, 1)].map(key);
  expect(new Set(keys).size).toBe(4);
});
