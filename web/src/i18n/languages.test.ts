import { expect, test } from "vitest";
import { en } from "./en";
import { ja } from "./ja";

/** Every key with the words behind it: "nav.pages.models" → "Models". */
function leaves(messages: object, path = ""): [string, unknown][] {
  return Object.entries(messages).flatMap(([key, value]): [string, unknown][] =>
    typeof value === "object" && value !== null
      ? leaves(value as object, `${path}${key}.`)
      : [[path + key, value]],
  );
}

test("no key is missing in either language", () => {
  expect(leaves(ja).map(([key]) => key)).toEqual(leaves(en).map(([key]) => key));
});

test("no text is empty", () => {
  for (const [key, words] of [...leaves(en), ...leaves(ja)]) {
    if (typeof words === "string") expect(words.trim(), key).not.toBe("");
  }
});

test("what has letters in English is Japanese in Japanese", () => {
  const same = new Map(leaves(en));
  const untranslated = leaves(ja).filter(
    ([key, words]) => typeof words === "string" && words === same.get(key),
  );
  // Names that are the same in both.
  expect(untranslated.map(([key]) => key)).toEqual([
    "device.kinds.cpu",
    "device.kinds.gpu",
    "forecast.ways.json",
  ]);
});

test("Japanese has the field's words", () => {
  // Texts with numbers in them are functions: their source has the words.
  const all = leaves(ja).map(([, words]) => String(words));
  const found = ["変種", "付属", "外れます", "分の 1", "得でない"].filter((word) =>
    all.some((text) => text.includes(word)),
  );
  expect(found).toEqual([]);
});
