/** Axes of a plot: scales with ticks that fit. */
import { extent, range } from "d3-array";
import {
  type ScaleContinuousNumeric,
  scaleLinear,
  scaleLog,
  type ScaleLogarithmic,
  scaleTime,
} from "d3-scale";

export interface Axis {
  /** With its unit: "measured time". */
  title: string;
  scale: "log" | "linear" | "time";
  /** A tick's text. */
  tick: (value: number) => string;
  /** Values that the axis must include. */
  domain?: [number, number];
  /** Ticks of the caller's choice. */
  ticks?: number[];
}

export interface PlacedAxis {
  at: (value: number) => number;
  ticks: { value: number; at: number; text: string }[];
}

/** The axis over `values`, from pixel `range[0]` to `range[1]`, with about `most` ticks. */
export function placeAxis(
  axis: Axis,
  values: number[],
  range: [number, number],
  most: number,
): PlacedAxis {
  const scale = scaled(axis, values, range);
  const ticks = axis.ticks ?? ticksOf(axis, scale, Math.max(2, most));
  return {
    at: (value) => scale(value),
    ticks: ticks.map((value) => ({ value, at: scale(value), text: axis.tick(value) })),
  };
}

type Scale = ScaleContinuousNumeric<number, number>;

function scaled({ scale, domain }: Axis, values: number[], range: [number, number]): Scale {
  const usable = scale === "log" ? values.filter((value) => value > 0) : values;
  const [low = 1, high = 1] = extent([...usable, ...(domain ?? [])]);
  if (scale === "log") {
    // A margin, so that no mark lies on the frame.
    const room = Math.max((high / low) ** 0.04, 1.15);
    return scaleLog([low / room, high * room], range);
  }
  if (scale === "time") {
    const room = Math.max((high - low) * 0.04, 3_600_000);
    return scaleTime([low - room, high + room], range) as unknown as Scale;
  }
  // For a single value the margin is relative, so that a time does not get an axis below 0.
  const room = (high - low || Math.abs(high) || 1) * 0.04;
  return scaleLinear([Math.min(low, domain?.[0] ?? low - room), high + room], range);
}

function ticksOf({ scale: kind }: Axis, scale: Scale, most: number): number[] {
  if (kind === "time") return scale.ticks(most).map(Number);
  if (kind === "linear") return scale.ticks(most);
  const [low = 1, high = 1] = scale.domain();
  if (high / low >= 50)
    return powersOfTen(scale as ReturnType<typeof scaleLog<number, number>>, most);
  return scale.ticks().filter((value) => /^[125]/.test(value.toExponential()));
}

/** The powers of ten on a scale, thinned evenly around 1 to at most `most`. */
export function powersOfTen(scale: ScaleLogarithmic<number, number>, most: number): number[] {
  const [low = 1, high = 1] = scale.domain();
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const step = Math.ceil((last - first + 1) / most);
  return range(first, last + 1)
    .filter((power) => power % step === 0)
    .map((power) => 10 ** power);
}
