/** The listing of samples: searched and sorted among those that are loaded. */
import type { Sample } from "../api/client";
import { sizes } from "../lib/format";

export const COLUMNS = ["kernel", "sizes", "device", "time", "agent", "measured"] as const;
export type Column = (typeof COLUMNS)[number];

/** "time" is ascending, "-time" descending. */
export interface Order {
  column: Column;
  down: boolean;
}

export function orderOf(text: string | null): Order | null {
  const down = text?.startsWith("-") ?? false;
  const column = COLUMNS.find((one) => one === text?.replace(/^-/, ""));
  return column ? { column, down } : null;
}

/** The order after a click on a column's head: ascending, descending, then as the server lists them. */
export function next(order: Order | null, column: Column): string | null {
  if (order?.column !== column) return column;
  return order.down ? null : `-${column}`;
}

function text({ workload, device, agent, id, readings = {} }: Sample): string {
  const { kernel, variant, family, parameters = {} } = workload;
  const words = [kernel, variant, family, sizes(parameters), device.name, agent.name, id];
  return [...words, ...Object.keys(readings)].join(" ").replaceAll("\u00a0", " ").toLowerCase();
}

/** Samples that contain every word of the query. */
export function matching(samples: Sample[], wanted: string): Sample[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return samples;
  return samples.filter((sample) => {
    const all = text(sample);
    return words.every((word) => all.includes(word));
  });
}

/** Sorted by a column; unchanged without an order. */
export function sorted(samples: Sample[], order: Order | null): Sample[] {
  if (!order) return samples;
  const key = KEYS[order.column];
  const sign = order.down ? -1 : 1;
  return samples.toSorted((a, b) => sign * compare(key(a), key(b)));
}

const KEYS: Record<Column, (sample: Sample) => string | number> = {
  kernel: ({ workload }) => `${workload.kernel} ${workload.variant}`,
  sizes: ({ workload }) => Object.values(workload.parameters ?? {}).reduce((a, b) => a * b, 1),
  device: ({ device }) => device.name,
  time: ({ time }) => time.median_s,
  agent: ({ agent }) => agent.name,
  measured: ({ measured_at }) => Date.parse(measured_at),
};

function compare(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return a.toString().localeCompare(b.toString(), "en", { numeric: true });
}
