/** A colour and a shape for each kind of thing, so that colours alone need not be told apart. */
import {
  symbol,
  symbolCircle,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolCross,
  symbolWye,
} from "d3-shape";

const COLOURS = 8;
const SHAPES = [
  symbolCircle,
  symbolSquare,
  symbolTriangle,
  symbolDiamond,
  symbolStar,
  symbolCross,
  symbolWye,
];

/** A kind's colour by its place. */
export function colour(kind: number): string {
  return `var(--kind-${((kind % COLOURS) + 1).toString()})`;
}

/** A kind's shape of about 8 pixels, around 0. */
export function shape(kind: number, area = 48): string {
  return symbol(SHAPES[kind % SHAPES.length], area)() ?? "";
}

const USUAL = ["global", "local"];

/** A variant's place: `global` and `local` have the same everywhere, others follow by name. */
export function kinds(variants: Iterable<string>): (variant: string) => number {
  const others = [...new Set(variants)].filter((variant) => !USUAL.includes(variant));
  const order = [...USUAL, ...others.sort(byName)];
  return (variant) => Math.max(order.indexOf(variant), 0);
}

/** "float2" before "float16". */
export function byName(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
