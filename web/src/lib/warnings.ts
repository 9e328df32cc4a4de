/** Warnings of the server about a forecast or a model: a kind with its numbers, and the English text. */
import { sort } from "d3-array";
import type { Warning } from "../api/client";

export interface ServerWarning {
  warning: Warning;
  text: string;
}

/** Pairs each warning with its text. */
export function serverWarnings({
  warnings,
  warned,
}: {
  warnings: string[];
  warned: Warning[];
}): ServerWarning[] {
  return warned.map((warning, at) => ({ warning, text: warnings[at] ?? "" }));
}

/** Kinds that matter less, because they are about samples, in this order. */
const LESSER = ["flagged", "counter_lacking", "borrowed", "counted_in_part", "launches_left_out"];

/** A model's warnings, the worst first. */
export function modelWarnings(model: { warnings: string[]; warned: Warning[] }): ServerWarning[] {
  return sort(serverWarnings(model), ({ warning }) => LESSER.indexOf(warning.kind));
}

/** A single warning, such as why there is no interval. */
export function reason(warning: Warning | null | undefined, text: string | null | undefined) {
  return warning == null ? null : { warning, text: text ?? "" };
}

/** Whether the forecast's page shows this warning elsewhere. */
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
