/** What the server says, in its own words. */
import type { Attention, FieldProblem, ModelSummary, Problem, Sample } from "../../api/client";
import type { ServerWarning } from "../../lib/warnings";

export const server = {
  /** Why the server refused a request. */
  refusal: ({ title, detail }: Problem): string => detail ?? title,
  /** What a field needs, in one line that a reader can act on. */
  complaint: ({ value, expected }: FieldProblem): string =>
    `expected ${expected}` + (value == null ? "" : `, not ${value}`),
  warning: ({ text }: ServerWarning) => text,
  /** Why something needs attention. */
  because: ({ detail }: Attention, _device: (id: number) => string): string => detail,
  /** Why the gate or an admin set a sample aside. */
  setAside: ({ standing_reason }: Pick<Sample, "standing_reason" | "standing_doubts">): string =>
    standing_reason ?? "",
  /** Why there is no fit; null where there is one. */
  fitRefusal: ({ refusal }: Pick<ModelSummary, "refusal" | "refused">): string | null =>
    refusal ?? null,
  /** Why a model waits for an admin. */
  heldBecause: ({ held }: Pick<ModelSummary, "held" | "held_because">): string => held ?? "",
};
