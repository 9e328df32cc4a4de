import { expect, test } from "vitest";
import { byName, colour, kinds, shape } from "./marks";

test("local has its colour also where it is alone", () => {
  expect(kinds(["local"])("local")).toBe(kinds(["global", "local"])("local"));
});

test("six variants have six colours and six shapes", () => {
  const variants = ["float16", "float2", "float4", "float8", "global", "local"];
  const kind = kinds(variants);
  expect(new Set(variants.map((variant) => colour(kind(variant)))).size).toBe(6);
  expect(new Set(variants.map((variant) => shape(kind(variant)))).size).toBe(6);
});

test("numbers in names count as numbers", () => {
  expect(["float16", "float2"].sort(byName)).toEqual(["float2", "float16"]);
});
