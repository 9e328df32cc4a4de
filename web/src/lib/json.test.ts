import { expect, test } from "vitest";
import { broken, isNotFinite } from "./json";

test("objects are whole, whatever they hold", () => {
  for (const text of [
    "{}",
    ' {"a": {"b": -1.5e-3, "c": [1, [], {}, null, true], "\\u00e9\\"": "x"}} ',
    '{"oclgrind":{"load_global":2097152}}\n',
  ]) {
    expect(broken(text), text).toBeNull();
    expect(() => void JSON.parse(text)).not.toThrow();
  }
});

test("numbers that are not finite are told from other words", () => {
  expect(["NaN", "-Infinity", "inf"].every(isNotFinite)).toBe(true);
  expect(["nano", "True", ""].some(isNotFinite)).toBe(false);
});

test("what is none is said with its place and what may stand there", () => {
  const said = (text: string) => {
    const found = broken(text);
    return found && [found.line, found.column, found.wanted, found.found];
  };
  expect(said('{"a": {\n  "b": NaN}}')).toEqual([2, 8, "value", "NaN"]);
  expect(said('{"a": {"b": -Infinity}}')).toEqual([1, 13, "value", "-Infinity"]);
  expect(said('{"a": {"b": 12')).toEqual([1, 15, "comma", ""]);
  expect(said('{"a": {"b":')).toEqual([1, 12, "value", ""]);
  expect(said('{"a": 1 "b": 2}')).toEqual([1, 9, "comma", '"b"']);
  expect(said('{"a": 1,}')).toEqual([1, 9, "name", "}"]);
  expect(said('{"a": [1,]}')).toEqual([1, 10, "value", "]"]);
  expect(said("{'a': 1}")).toEqual([1, 2, "name", "'a'"]);
  expect(said('{"a" 1}')).toEqual([1, 6, "colon", "1"]);
  expect(said('{"a": "b')).toEqual([1, 7, "value", '"b']);
  expect(said('{"a": 01}')).toEqual([1, 7, "value", "01"]);
  expect(said('{"a": 1}}')).toEqual([1, 9, "end", "}"]);
  expect(said('{"a": [1}')).toEqual([1, 9, "comma", "}"]);
  expect(said('{"a": True}')).toEqual([1, 7, "value", "True"]);
  expect(said("[1]")).toEqual([1, 1, "object", "["]);
  expect(said("null")).toEqual([1, 1, "object", "null"]);
  expect(said("")).toEqual([1, 1, "object", ""]);
});
