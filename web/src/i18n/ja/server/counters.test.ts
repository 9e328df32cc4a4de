import { readFileSync } from "node:fs";
import { csvParse } from "d3-dsv";
import { expect, test } from "vitest";
import { COUNTERS, inJapanese, UNITS } from "./counters";

/** The one table of counters; lines that begin with # are remarks. */
const text = readFileSync(
  new URL("../../../../../profilers/src/catalogue/counters.csv", import.meta.url),
  "utf8",
);
const catalogue = csvParse(text.replaceAll(/^#.*\n/gm, ""));

test("every counter of the catalogue has its words, and no other", () => {
  const known = catalogue.map(({ provider, name }) => `${provider ?? ""}:${name ?? ""}`);
  expect(known.length).toBeGreaterThan(200);
  const described = Object.entries(COUNTERS).flatMap(([provider, counters]) =>
    Object.keys(counters).map((name) => `${provider}:${name}`),
  );
  expect(described.sort()).toEqual([...new Set(known)].sort());
});

test("the words are Japanese", () => {
  for (const [name, words] of Object.values(COUNTERS).flatMap(Object.entries<string>)) {
    expect(words, name).toMatch(/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u);
  }
});

test("every unit is known", () => {
  const units = new Set(catalogue.map(({ unit }) => unit ?? ""));
  expect(Object.keys(UNITS).sort()).toEqual([...units].sort());
});

test("instructions and calls have words too", () => {
  expect(inJapanese("LLVM instructions `add`")).toBe("LLVM の `add` 命令");
  expect(inJapanese("calls of get_global_id")).toBe("get_global_id の呼び出し");
  expect(inJapanese("something else")).toBe("something else");
});
