import { expect, test } from "vitest";
import { byFamily } from "./families";

test("families stand by name, and what has none last", () => {
  const kernel = (name: string, family: string | null = null) => ({ name, family });
  const families = byFamily([
    kernel("a", "sort"),
    kernel("b"),
    kernel("c", "hash"),
    kernel("d", "sort"),
  ]);
  expect(families.map(([family, own]) => [family, own.map(({ name }) => name)])).toEqual([
    ["hash", ["c"]],
    ["sort", ["a", "d"]],
    ["", ["b"]],
  ]);
});
