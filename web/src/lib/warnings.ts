/** What the server says against an answer or a model: a kind with its numbers, and its words in English. */
import { sort } from "d3-array";
import type { Warning } from "../api/client";

export interface ServerWarning {
  warning: Warning;
  text: string;
}

/** A server's warnings, one by one. */
export function serverWarnings({
  warnings,
  warned,
}: {
  warnings: string[];
  warned: Warning[];
}): ServerWarning[] {
  return warned.map((warning, at) => ({ warning, text: warnings[at] ?? "" }));
}

/** Said of samples, not against forecasts; the worst first. */
const LESSER = ["flagged", "counter_lacking", "borrowed", "counted_in_part", "launches_left_out"];

/** A model's warnings, the worst first. */
export function modelWarnings(model: { warnings: string[]; warned: Warning[] }): ServerWarning[] {
  return sort(serverWarnings(model), ({ warning }) => LESSER.indexOf(warning.kind));
}

/** One that stands alone, such as why there is no interval. */
export function reason(warning: Warning | null | undefined, text: string | null | undefined) {
  return warning == null ? null : { warning, text: text ?? "" };
}

/** Of a forecast: whether its page shows as much elsewhere. */
export function isShownElsewhere({ warning }: ServerWarning): boolean {
  switch (warning.kind) {
    case "outside":
    case "missing":
    case "pending":
    case "disagree":
    case "measured_outside":
    case "only_geometry":
    case "below_ceilings":
      return true;
    default:
      return false;
  }
}
