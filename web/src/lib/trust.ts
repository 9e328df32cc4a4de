/**
 * How far to believe an answer: the server's word, with a reason that can be said in any language. Only a time that the
 * server was not told of makes it another.
 */
import type { Forecast, Prediction } from "../api/client";
import { isOutside } from "./forecast";

export type Word = Prediction["trust"]["word"];

/** Why not a better one. */
export type Reason =
  | { kind: "refused" | "impossible" | "measured" }
  | { kind: "noInterval"; why: Warned | null; missing: number }
  | { kind: "pending"; fits: number }
  | { kind: "warning"; first: Warned; more: number }
  | { kind: "within"; level: number; factor: number };

export interface Trust {
  word: Word;
  why: Reason;
}

/** The reason is what is worst. `measured`: seconds, where they are known. */
export function trust(prediction: Prediction, measured: number | null): Trust {
  if ("refusal" in prediction) return { word: "none", why: { kind: "refused" } };
  if (prediction.time_s <= 0) return { word: "none", why: { kind: "impossible" } };
  const { time_s, interval, missing, no_interval } = prediction;
  if (!interval) {
    const why = no_interval ? warned(no_interval, prediction) : null;
    return { word: "none", why: { kind: "noInterval", why, missing: missing.length } };
  }
  if (isWrong(prediction, measured)) return { word: "none", why: { kind: "measured" } };
  const { word } = prediction.trust;
  const fits = prediction.pending?.length ?? 0;
  if (fits > 0) return { word, why: { kind: "pending", fits } };
  const [first, ...others] = prediction.warnings.map((warning) => warned(warning, prediction));
  if (first) return { word, why: { kind: "warning", first, more: others.length } };
  // Where models disagree, it is wider on one side.
  const factor = Math.max(time_s / interval.low_s, interval.high_s / time_s);
  return { word, why: { kind: "within", level: interval.level, factor } };
}

/** Whether a measured time lies outside the interval, as the server says, or as is plain to see. */
export function isWrong(
  { measured_lies, ...answer }: Forecast & Pick<Prediction, "measured_lies">,
  measured: number | null,
): boolean {
  return measured_lies ? measured_lies !== "within" : isOutside(answer.interval, measured);
}

/** A warning: of those that the answer's fields tell too which, and how many it is about. */
export interface Warned {
  kind:
    | "outside"
    | "missing"
    | "pending"
    | "disagree"
    | "measured"
    | "impossible"
    | "geometry"
    | "floor"
    | null;
  n: number;
  text: string;
}

export function warned(text: string, answer: Forecast): Warned {
  const { outside, missing, others, time_s, floor } = answer;
  const told = (kind: Warned["kind"], n: number): Warned => ({ kind, n, text });
  if (text.startsWith("the time measured, ")) return told("measured", 1);
  if (text.startsWith("fits from counters of ")) return told("pending", 1);
  const disagree = others.filter(({ disagrees }) => disagrees).length;
  if (disagree > 0 && text.startsWith("models disagree ")) return told("disagree", disagree);
  if (missing.length > 0 && text.startsWith("lacks ")) return told("missing", missing.length);
  if (time_s <= 0 && text.includes(" is no time: ")) return told("impossible", 1);
  if (text.startsWith("the forecast knows only the launch's geometry")) return told("geometry", 1);
  if (floor && text.includes("the device's measured ceilings ")) return told("floor", 1);
  if (outside.some(({ counter }) => text.startsWith(`${counter} is `)))
    return told("outside", outside.length);
  return told(null, 1);
}
