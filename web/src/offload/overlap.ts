/** Who works when, as a trip's forecast has it: chunks go to the device, are worked on, and come back, each part one at a time. */
import type { PlannedTrip } from "../api/client";

export const PARTS = ["to_device", "device", "from_device"] as const;
export type Part = (typeof PARTS)[number];

export interface Span {
  part: Part;
  /** From 0. */
  chunk: number;
  /** Seconds from the trip's beginning. */
  from: number;
  to: number;
}

/** More are no longer told apart. */
const MOST = 12;

/**
 * The first chunks of a trip; none where it is not forecast. `serial`: the device is the host's processor, and copies and
 * launches take turns.
 */
export function spans({ plan, forecast }: PlannedTrip, serial: boolean): Span[] {
  if (!forecast) return [];
  const chunks = Math.max(plan.chunks, 1);
  // Both ways at once take longer than the longer one alone.
  const crowded = Math.max(forecast.to_device, forecast.from_device);
  const slower = crowded > 0 ? Math.max(forecast.both / crowded, 1) : 1;
  const takes: Record<Part, number> = {
    to_device: (forecast.to_device * slower) / chunks,
    device: forecast.device / chunks,
    from_device: (forecast.from_device * slower) / chunks,
  };
  const parts = PARTS.filter((part) => takes[part] > 0);
  const free: Record<Part, number> = { to_device: 0, device: 0, from_device: 0 };
  const left: number[] = [];
  const all: Span[] = [];
  let last = 0;
  for (let chunk = 0; chunk < Math.min(chunks, MOST); chunk++) {
    // A slot is free when the chunk before has left it.
    let at = plan.slots > 0 && chunk >= plan.slots ? (left[chunk - plan.slots] ?? 0) : 0;
    for (const part of parts) {
      const from = Math.max(at, serial ? last : free[part]);
      at = last = free[part] = from + takes[part];
      all.push({ part, chunk, from, to: at });
    }
    left.push(at);
  }
  return all;
}
