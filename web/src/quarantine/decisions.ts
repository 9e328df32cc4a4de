/** Decisions of admins on samples and on held models. */
import { api, body, type Decided, type Decision, type SampleSelection } from "../api/client";

export function decide(
  decision: Decision,
  samples: SampleSelection,
  reason: string,
  dry_run = false,
): Promise<Decided> {
  return body(api.POST("/v1/decisions", { body: { decision, samples, reason, dry_run } }));
}

export function accept(model: string, reason: string) {
  const path = { id: model };
  return body(api.POST("/v1/models/{id}/acceptance", { params: { path }, body: { reason } }));
}
