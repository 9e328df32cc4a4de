/** Whether local memory would pay off, as the server says it. */
import type { SpeedupForecast } from "../api/client";
import { reason, type Told } from "./warnings";

export type PaysOff = "yes" | "no" | "cannotTell";

export function paysOff({ pays_off }: SpeedupForecast): PaysOff {
  if (pays_off == null) return "cannotTell";
  return pays_off ? "yes" : "no";
}

/** Why there is no verdict. */
export function whyNot({ cannot_tell, cannot_tell_kind }: SpeedupForecast): Told | null {
  return reason(cannot_tell_kind, cannot_tell);
}

/** Where a forecast without a verdict leans, and the odds of that; null: nowhere. */
export function leaning({
  pays_off,
  odds,
}: SpeedupForecast): { says: "yes" | "no"; odds: number } | null {
  if (pays_off != null || odds == null) return null;
  return odds > 0.5 ? { says: "yes", odds } : { says: "no", odds: 1 - odds };
}
