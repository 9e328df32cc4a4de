import { expect, test } from "vitest";
import { type Entry, find, isId } from "./search";

const entry = (kind: Entry["kind"], name: string, more = ""): Entry => ({
  kind,
  name,
  more,
  href: `/${name}`,
});
const all = [
  entry("page", "Models"),
  entry("model", "ncu · ols", "NVIDIA H200"),
  entry("device", "H200", "NVIDIA H200"),
  entry("kernel", "sparse_matmul", "algebra"),
  entry("kernel", "matmul_float", "algebra"),
];
const names = (wanted: string, most?: number) => find(all, wanted, most).map(({ name }) => name);

test("what begins with the text leads, then what holds it, then what other words hold", () => {
  expect(names("matmul")).toEqual(["matmul_float", "sparse_matmul"]);
  expect(names("h200")).toEqual(["H200", "ncu · ols"]);
  expect(names("OLS nvidia")).toEqual(["ncu · ols"]);
  expect(names("algebra", 1)).toEqual(["sparse_matmul"]);
  expect(names("nothing")).toEqual([]);
});

test("before anything is typed there are the pages", () => {
  expect(names(" ")).toEqual(["Models"]);
});

test("ids are known by their form", () => {
  expect(isId(" 01A204d0-e769-7761-93a2-a39163c85806 ")).toBe(true);
  expect(isId("01a204d0")).toBe(false);
});
