/** What an XY plot shows: points, lines, guides and curves. */
import type { Tip } from "./tip";

export interface Point {
  x: number;
  y: number;
  tip: Tip;
  href?: string | undefined;
}
export interface Series {
  name: string;
  /** Its colour's and shape's place. */
  kind: number;
  points: Point[];
  /** Joined by a line, with its name at the end. */
  line?: boolean;
  /** Marks without a filling, beside the filled ones of the same kind. */
  hollow?: boolean;
}
/** A straight line with its name: a ceiling, a fit, a diagonal. */
export interface Guide {
  name: string;
  from: [x: number, y: number];
  to: [x: number, y: number];
  /** The reference line. */
  strong?: boolean;
  /** The end that has the name. */
  named?: "from" | "to";
}
/** A function with its name, from the axis' start to `to`. */
export interface Curve {
  name: string;
  at: (x: number) => number;
  to: number;
  /** Dashed below this x, where it does not hold. */
  holdsFrom?: number;
}
