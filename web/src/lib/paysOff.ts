/** Whether local memory would pay off, as the server says it. */
import type { SpeedupForecast } from "../api/client";

export type PaysOff = "yes" | "no" | "cannotTell";

export function paysOff({ pays_off }: SpeedupForecast): PaysOff {
  if (pays_off == null) return "cannotTell";
  return pays_off ? "yes" : "no";
}

/** Why there is no verdict: what the answer's fields tell can be said in any language, the rest as the server says it. */
export type Reason =
  | { kind: "already" }
  | { kind: "missing" | "outside"; n: number }
  | { kind: "chance"; right: number; always: number; better: number; worse: number }
  | { kind: "straddles"; low: number; high: number }
  | { kind: "said"; text: string };

export function whyNot(forecast: SpeedupForecast): Reason | null {
  const { cannot_tell, missing, outside, signs, interval } = forecast;
  if (cannot_tell == null) return null;
  if (cannot_tell.includes("uses local memory already")) return { kind: "already" };
  if (missing.length > 0) return { kind: "missing", n: missing.length };
  if (outside.some(({ counter }) => cannot_tell.startsWith(`${counter} is `)))
    return { kind: "outside", n: outside.length };
  if (cannot_tell.includes("(sign test)") && signs?.better != null && signs.worse != null) {
    const { right, pays_off, better, worse } = signs;
    return { kind: "chance", right, always: Math.max(pays_off, 1 - pays_off), better, worse };
  }
  if (interval && interval.low < 1 && interval.high > 1) return { kind: "straddles", ...interval };
  return { kind: "said", text: cannot_tell };
}
