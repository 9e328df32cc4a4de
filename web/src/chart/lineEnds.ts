/** Names at the ends of lines, moved apart where they would cover each other. */
import { width as textWidth } from "./textWidth";

export interface End {
  name: string;
  kind: number;
  x: number;
  y: number;
}

/** A name's height with a little air. */
const HEIGHT = 14;

/** Pixels that names need beside the ends, at most a third of the figure's width. */
export function nameRoom(names: string[], width: number): number {
  const longest = Math.max(0, ...names.map(textWidth));
  return longest === 0 ? 12 : Math.min(16 + longest, width / 3);
}

/** The name, cut with "…" to fit `width` pixels. */
export function shorten(name: string, width: number): string {
  if (textWidth(name) <= width - 16) return name;
  let cut = name;
  while (cut !== "" && textWidth(`${cut}…`) > width - 16) cut = cut.slice(0, -1);
  return `${cut}…`;
}

/** The ends with the y of their names: from top to bottom, each as high as the earlier ones allow. */
export function spreadEnds(ends: End[]): (End & { at: number })[] {
  const placed: (End & { at: number })[] = [];
  for (const end of ends.toSorted((a, b) => a.y - b.y)) {
    const above = placed.filter((one) => beside(one, end)).map(({ at }) => at + HEIGHT);
    placed.push({ ...end, at: Math.max(end.y, ...above) });
  }
  return placed;
}

function beside(a: End, b: End): boolean {
  const [left, right] = a.x < b.x ? [a, b] : [b, a];
  return left.x + textWidth(left.name) + 12 > right.x;
}
