/** Ceilings that a workload exceeds by more than a fifth, from the overview's attention. */
import { api, type Because, body } from "../api/client";
import { watchChanges } from "../lib/live.svelte";
import { Resource } from "../lib/resource.svelte";

export type BeatenCeiling = Extract<Because, { kind: "ceiling_beaten" }> & { device: number };

/** The ceilings of all devices that workloads exceed. */
export function beatenCeilings(): Resource<BeatenCeiling[]> {
  return new Resource(async () => {
    watchChanges("samples", "ceilings");
    const { attention } = await body(api.GET("/v1/overview"));
    return attention.flatMap(({ because, device }) =>
      because.kind === "ceiling_beaten" && device != null ? [{ ...because, device }] : [],
    );
  });
}
