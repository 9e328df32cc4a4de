/** The paper's figure: predicted ÷ measured, one bar per sample, grouped by kernel, on a log axis. */
import { extent, groups as groupBy, range } from "d3-array";
import { type ScaleLogarithmic, scaleLog } from "d3-scale";
import type { HeldOut } from "../api/client";
import { powersOfTen } from "../chart/axis";
import { byName } from "../chart/marks";

/** The forecast of a held-out sample: a time, an impossible time (at or below 0), or none. */
export type Fate = "forecast" | "negative" | "absent";

export interface Mark {
  held: HeldOut;
  fate: Fate;
  /** Predicted ÷ measured; null unless the fate is `forecast`. */
  ratio: number | null;
}

export interface Group {
  kernel: string;
  /** Marks by variant, then by measured time. */
  marks: Mark[];
}

export function mark(held: HeldOut): Mark {
  const predicted = held.predicted ?? null;
  if (predicted === null) return { held, fate: "absent", ratio: null };
  if (predicted <= 0) return { held, fate: "negative", ratio: null };
  return { held, fate: "forecast", ratio: predicted / held.measured };
}

/** One group per kernel, ordered by name. */
export function groups(rows: HeldOut[]): Group[] {
  return groupBy(rows, (row) => row.kernel)
    .map(([kernel, held]) => ({ kernel, marks: held.toSorted(byVariantThenTime).map(mark) }))
    .sort((a, b) => a.kernel.localeCompare(b.kernel));
}

function byVariantThenTime(a: HeldOut, b: HeldOut): number {
  return byName(a.variant, b.variant) || a.measured - b.measured;
}

/** A log scale from pixel `bottom` to pixel `top` that holds every ratio, and 1/2 to 2 at least. */
export function ratioScale(marks: Mark[], bottom: number, top: number) {
  const [low = 1, high = 1] = extent(marks, (m) => m.ratio ?? undefined);
  const domain = [Math.min(0.5, low / 1.2), Math.max(2, high * 1.2)];
  return scaleLog(domain, [bottom, top]);
}

/** Ticks for ratios: powers of ten, with 2 and 5 between them where the scale spans little. */
export function ticks(scale: ScaleLogarithmic<number, number>): number[] {
  const [low = 1, high = 1] = scale.domain();
  if (high / low > 2000) return powersOfTen(scale, 9);
  return range(-4, 4)
    .flatMap((power) => [10 ** power, 2 * 10 ** power, 5 * 10 ** power])
    .filter((tick) => tick >= low && tick <= high);
}

const GAP = 16;
const NARROWEST_BAR = 6;
const WIDEST_BAR = 24;
const NARROWEST_GROUP = 66;

/** A group's place: `x` and `width` in pixels from the plot's left edge. */
export interface Placed {
  group: Group;
  x: number;
  width: number;
}

/** Breaks the groups into lines of at most `width` pixels, with bars as wide as fit. */
export function wrap(all: Group[], width: number): { bar: number; lines: Placed[][] } {
  const fewest = place(all, width, NARROWEST_BAR).length;
  let bar = WIDEST_BAR;
  while (bar > NARROWEST_BAR && place(all, width, bar).length > fewest) bar--;
  return { bar, lines: place(all, width, bar) };
}

function place(all: Group[], width: number, bar: number): Placed[][] {
  const lines: Placed[][] = [];
  let end = Infinity;
  for (const group of all) {
    const own = Math.max(group.marks.length * bar, NARROWEST_GROUP);
    if (end + own > width) {
      lines.push([]);
      end = 0;
    }
    lines.at(-1)?.push({ group, x: end, width: own });
    end += own + GAP;
  }
  return lines;
}

/** A kernel's name broken at its underscores into lines of at most `letters`. */
export function label(kernel: string, letters: number): string[] {
  const lines: string[] = [];
  for (const part of kernel.split(/(?<=_)/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length <= letters) {
      lines[lines.length - 1] = last + part;
    } else lines.push(part);
  }
  return lines;
}
