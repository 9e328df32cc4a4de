/** Times without local memory, with what was made, and with what somebody wrote by hand. */
import { groups } from "d3-array";
import type { Forecast, KernelTime } from "../api/client";
import { sizeOf } from "./workloads";

/** The variant that `kerncast localize --write` adds. */
const GENERATED = "local_generated";
/** The variant that somebody wrote by hand. */
const BY_HAND = "local";

export interface Times {
  size: string;
  before: KernelTime;
  generated: KernelTime | null;
  byHand: KernelTime | null;
}

/** Of one device's times those at which anything with local memory was measured beside the variant `of`. */
export function beside(times: KernelTime[], of: string): Times[] {
  return groups(times, sizeOf).flatMap(([size, own]) => {
    const variant = (name: string) => own.find((time) => time.variant === name) ?? null;
    const [before, generated, byHand] = [variant(of), variant(GENERATED), variant(BY_HAND)];
    return before && (generated ?? byHand) ? [{ size, before, generated, byHand }] : [];
  });
}

/** Whether it pays off by two forecasts: null where their intervals overlap, or are not known. */
export function paysOff(before: Forecast, after: Forecast): boolean | null {
  const [one, other] = [before.interval, after.interval];
  if (!one || !other) return null;
  if (other.high_s < one.low_s) return true;
  return other.low_s > one.high_s ? false : null;
}
