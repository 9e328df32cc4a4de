/** Which colour and shape is what, in rows above a plot. */
import { width as textWidth } from "./textWidth";

export interface KeyEntry {
  name: string;
  kind: number;
}
/** With its place, pixels: `x` from the plot's left, `row` from below. */
export type PlacedKeyEntry = KeyEntry & { x: number; row: number };

/** The gap between two names, which holds the second one's shape. */
const GAP = 30;
/** A row's height, pixels. */
export const ROW = 18;
/** How far left of the plot the key may begin. */
const LEFT = 44;

/**
 * The names from the right, as many in a row as fit into the plot's width; the last ones are in the lowest row, beside
 * `title`, the text that stands at its left.
 */
export function placeKey(names: KeyEntry[], width: number, title: string): PlacedKeyEntry[] {
  const least = (row: number) => (row === 0 ? textWidth(title) - LEFT + GAP : 20 - LEFT);
  let [row, end] = [0, width];
  return names.toReversed().map((one) => {
    let x = end - textWidth(one.name);
    // A row's first name stands there, however long it is.
    if (x < least(row) && (end < width || row === 0)) {
      row += 1;
      x = width - textWidth(one.name);
    }
    end = x - GAP;
    return { ...one, x, row };
  });
}

/** The key's height above its lowest row, in pixels. */
export function keyHeight(keyed: PlacedKeyEntry[]): number {
  return ROW * Math.max(0, ...keyed.map(({ row }) => row));
}
