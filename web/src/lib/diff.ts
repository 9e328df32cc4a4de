/** Two texts side by side, from a unified diff. */

export interface Line {
  /** From 1. */
  number: number;
  text: string;
  changed: boolean;
}

/** What stands beside each other; null where the other text has more lines. */
export interface Row {
  before: Line | null;
  after: Line | null;
}

/** Rows with changes and a few around them, or so many that are the same in both texts that they may be folded. */
export interface Block {
  rows: Row[];
  same: boolean;
}

/** Fewer are shown: a fold takes a line itself. */
const FOLDED = 4;

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const lines = (text: string) => text.replace(/\n$/, "").split("\n");

/** All lines of both texts in order: what the diff leaves out is the same. */
export function sideBySide(before: string, diff: string): Block[] {
  const left = lines(before);
  const blocks: Block[] = [];
  let [at, to] = [0, 0];
  function same(until: number) {
    const rows = left.slice(at, until).map((text, index) => ({
      before: { number: at + index + 1, text, changed: false },
      after: { number: to + index + 1, text, changed: false },
    }));
    if (rows.length > 0) blocks.push({ rows, same: rows.length >= FOLDED });
    [at, to] = [at + rows.length, to + rows.length];
  }
  let [gone, made]: [Line[], Line[]] = [[], []];
  let rows: Row[] = [];
  let begun = false;
  function pair() {
    for (let index = 0; index < Math.max(gone.length, made.length); index++)
      rows.push({ before: gone[index] ?? null, after: made[index] ?? null });
    [gone, made] = [[], []];
  }
  for (const line of lines(diff)) {
    const hunk = HUNK.exec(line);
    if (hunk) {
      pair();
      const [from, length] = [Number(hunk[1]), hunk[2] === undefined ? 1 : Number(hunk[2])];
      // Of no lines the one before is named.
      same(length === 0 ? from : from - 1);
      begun = true;
      rows = [];
      blocks.push({ rows, same: false });
      continue;
    }
    // What stands before the first hunk names the files.
    if (!begun) continue;
    const [sign, text] = [line[0], line.slice(1)];
    if (sign === "-") gone.push({ number: ++at, text, changed: true });
    else if (sign === "+") made.push({ number: ++to, text, changed: true });
    else if (sign !== "\\") {
      pair();
      const changed = false;
      rows.push({
        before: { number: ++at, text, changed },
        after: { number: ++to, text, changed },
      });
    }
  }
  pair();
  same(left.length);
  return blocks;
}
