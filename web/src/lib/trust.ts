/**
 * How far to believe an answer: the server's word, with a reason that can be said in any language. Only a time that the
 * server was not told of makes it another.
 */
import type { Forecast, Prediction } from "../api/client";
import { isOutside } from "./forecast";
import { reason, type ServerWarning, serverWarnings } from "./warnings";

export type Word = Prediction["trust"]["word"];

/** The reason for the trust level. */
export type Reason =
  | { kind: "refused" | "impossible" | "measured" }
  | { kind: "noInterval"; why: ServerWarning | null; missing: number }
  | { kind: "pending"; fits: number }
  | { kind: "warning"; first: ServerWarning; more: number }
  | { kind: "within"; level: number; factor: number };

export interface Trust {
  word: Word;
  why: Reason;
}

/** Trust with the worst reason. `measured` is in seconds, null where unknown. */
export function trust(prediction: Prediction, measured: number | null): Trust {
  if ("refusal" in prediction) return { word: "none", why: { kind: "refused" } };
  if (prediction.time_s <= 0) return { word: "none", why: { kind: "impossible" } };
  const { time_s, interval, missing, no_interval, no_interval_kind } = prediction;
  if (!interval) {
    const why = reason(no_interval_kind, no_interval);
    return { word: "none", why: { kind: "noInterval", why, missing: missing.length } };
  }
  if (isWrong(prediction, measured)) return { word: "none", why: { kind: "measured" } };
  const { word } = prediction.trust;
  const fits = prediction.pending?.length ?? 0;
  if (fits > 0) return { word, why: { kind: "pending", fits } };
  const [first, ...others] = serverWarnings(prediction);
  if (first) return { word, why: { kind: "warning", first, more: others.length } };
  // Where models disagree, the interval is wider on one side.
  const factor = Math.max(time_s / interval.low_s, interval.high_s / time_s);
  return { word, why: { kind: "within", level: interval.level, factor } };
}

/** Whether the measured time lies outside the interval, by the server's answer or by comparison. */
export function isWrong(
  { measured_lies, ...answer }: Forecast & Pick<Prediction, "measured_lies">,
  measured: number | null,
): boolean {
  return measured_lies ? measured_lies !== "within" : isOutside(answer.interval, measured);
}
