import { expect, test } from "vitest";
import { sideBySide } from "./diff";

const BEFORE = "a\nb\nc\nd\ne\nf\n";
const AFTER = "a\nB\nbb\nc\nd\nf\ng\n";
const DIFF = `--- k.cl
+++ k.cl
@@ -2 +2,2 @@
-b
+B
+bb
@@ -5 +5,0 @@
-e
@@ -6,0 +7 @@
+g
`;

const text = (blocks: ReturnType<typeof sideBySide>, side: "before" | "after") =>
  blocks.flatMap(({ rows }) => rows.flatMap((row) => row[side] ?? []));

test("both texts are whole, and their lines numbered", () => {
  const blocks = sideBySide(BEFORE, DIFF);
  for (const [side, whole] of [
    ["before", BEFORE],
    ["after", AFTER],
  ] as const) {
    const own = text(blocks, side);
    expect(own.map(({ text }) => text).join("\n") + "\n").toBe(whole);
    expect(own.map(({ number }) => number)).toEqual(own.map((_, index) => index + 1));
  }
});

test("changed lines stand beside what they replace", () => {
  const [first, changed] = sideBySide(BEFORE, DIFF);
  expect(first).toEqual({
    rows: [
      {
        before: { number: 1, text: "a", changed: false },
        after: { number: 1, text: "a", changed: false },
      },
    ],
    same: false,
  });
  expect(changed?.rows).toEqual([
    {
      before: { number: 2, text: "b", changed: true },
      after: { number: 2, text: "B", changed: true },
    },
    { before: null, after: { number: 3, text: "bb", changed: true } },
  ]);
});

test("many lines without a change may be folded", () => {
  const same = Array.from({ length: 9 }, (_, line) => line.toString()).join("\n");
  const blocks = sideBySide(`${same}\nx\n`, "--- k\n+++ k\n@@ -10 +10 @@\n-x\n+y\n");
  expect(blocks.map(({ rows, same }) => [rows.length, same])).toEqual([
    [9, true],
    [1, false],
  ]);
});

test("a line of the text that looks like a diff's head is a line", () => {
  const blocks = sideBySide(
    "x\n-- y\nz\n",
    "--- k\n+++ k\n@@ -1,3 +1,3 @@\n x\n--- y\n+++ y\n z\n",
  );
  expect(text(blocks, "before").map(({ text }) => text)).toEqual(["x", "-- y", "z"]);
  expect(text(blocks, "after").map(({ text }) => text)).toEqual(["x", "++ y", "z"]);
});
