/** The job of an offload forecast, as the page's address has it. */
import type { MeasuredStreams, OffloadQuestion } from "../api/client";

export const WORKS = ["transform", "sine", "reduce", "scan", "sort", "scatter"] as const;
export const TYPES = ["u32", "u64", "f32", "f64"] as const;
export const UNITS = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 } as const;
export type Unit = keyof typeof UNITS;

/** Element types of an operation: `sine` needs floating point. */
export function typesOf(work: OffloadQuestion["work"]): (typeof TYPES)[number][] {
  return TYPES.filter((type) => work !== "sine" || type.startsWith("f"));
}

/** A length with the largest unit of which it is a whole number, or else has few digits: 1536 MiB, not 1.5 GiB. */
export function splitLength(bytes: number): [number: number, unit: Unit] {
  const units = Object.entries(UNITS).reverse() as [Unit, number][];
  const [unit, size] = units.find(([, size]) => bytes % size === 0) ?? ["KiB", UNITS.KiB];
  return [bytes / size, unit];
}

/** A length as people read it: 1,249,280 → "1.19 MiB". */
export function formatLength(bytes: number): string {
  const units = Object.entries(UNITS).reverse();
  const [unit, size] = units.find(([, size]) => bytes >= size) ?? ["KiB", UNITS.KiB];
  const value = bytes / size;
  const digits = value >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
  return `${digits.toString()}\u00a0${unit}`;
}

/** The job in an address, with defaults for missing or invalid parts. */
export function jobFromAddress(
  parameter: (name: string) => string | null,
  measured: MeasuredStreams[],
): OffloadQuestion | null {
  const device =
    measured.find((one) => one.device.toString() === parameter("device")) ??
    measured.find((one) => !one.is_host) ??
    measured[0];
  if (!device) return null;
  const work = WORKS.find((one) => one === parameter("work")) ?? "sort";
  const types = typesOf(work);
  const element = types.find((one) => one === parameter("type")) ?? types[0] ?? "f64";
  const bytes = Number(parameter("bytes") ?? UNITS.GiB);
  const memory = Number(parameter("memory") ?? Number.NaN);
  return {
    device: device.device,
    work,
    element,
    bytes: Number.isSafeInteger(bytes) && bytes > 0 ? bytes : UNITS.GiB,
    ...(Number.isSafeInteger(memory) && memory > 0 ? { device_memory: memory } : {}),
  };
}
