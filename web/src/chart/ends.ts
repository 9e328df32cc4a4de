/** Names at the ends of lines, moved apart where they would cover each other. */

export interface End {
  name: string;
  kind: number;
  x: number;
  y: number;
}

const LETTER = 6.6;
/** A name's height with a little air. */
const HEIGHT = 14;

/** The ends with the y of their names: from top to bottom, each as high as those before it let it. */
export function apart(ends: End[]): (End & { at: number })[] {
  const placed: (End & { at: number })[] = [];
  for (const end of ends.toSorted((a, b) => a.y - b.y)) {
    const above = placed.filter((one) => beside(one, end)).map(({ at }) => at + HEIGHT);
    placed.push({ ...end, at: Math.max(end.y, ...above) });
  }
  return placed;
}

function beside(a: End, b: End): boolean {
  const [left, right] = a.x < b.x ? [a, b] : [b, a];
  return left.x + left.name.length * LETTER + 12 > right.x;
}
