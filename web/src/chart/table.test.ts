import { expect, test } from "vitest";
import { csv } from "./table";

test("names that spreadsheets would run stand behind an apostrophe, numbers do not", () => {
  const columns = [
    { head: "kernel", value: ({ kernel }: { kernel: string }) => kernel },
    { head: "change", value: () => -0.5 },
  ];
  const names = ["matrix_mul", "=cmd|'/C calc'!A0", "@SUM(A1)", "+1+1", "-x", "'=x", "-5"];
  expect(
    csv(
      columns,
      names.map((kernel) => ({ kernel })),
    ).split("\n"),
  ).toEqual([
    "kernel,change",
    "matrix_mul,-0.5",
    "'=cmd|'/C calc'!A0,-0.5",
    "'@SUM(A1),-0.5",
    "'+1+1,-0.5",
    "'-x,-0.5",
    "''=x,-0.5",
    "-5,-0.5",
  ]);
});
