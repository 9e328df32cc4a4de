import { expect, test } from "vitest";
import type { PlacedArray } from "../api/client";
import { declared, drawing } from "./tile";

/** A tile of floats of which each work-item of a warp reads one of a column. */
function column(padded: number): PlacedArray {
  return {
    array: "a",
    name: "a_tile",
    mechanism: "strip",
    sides: [
      { extent: 32, before: 0, behind: 0, length: 32 },
      { extent: 16, before: 0, behind: 0, length: padded },
    ],
    element_bytes: 4,
    bytes: 4 * 32 * padded,
    request: {
      access: "a_tile[lid0][k]",
      line: 9,
      bytes: 4,
      passes: padded % 2 === 0 ? 16 : 1,
      lanes: Array.from({ length: 32 }, (_, lane) => ({ lane, offset: 4 * lane * padded })),
    },
  };
}

test("a column of even length lies in few banks, and one more element parts them", () => {
  const conflicts = (padded: number) => drawing(column(padded)).asked.map(({ passes }) => passes);
  expect(conflicts(16)).toEqual(Array.from({ length: 32 }, () => 16));
  expect(conflicts(17)).toEqual(Array.from({ length: 32 }, () => 1));
  const padding = drawing(column(17)).cells.filter(({ zone }) => zone === "padding");
  expect(padding.map(({ place }) => place)).toEqual(Array.from({ length: 32 }, () => 16));
  expect(declared(column(17))).toBe("a_tile[32][17]");
});

test("a halo lies around what is the work-group's own", () => {
  const tile: PlacedArray = {
    ...column(16),
    sides: [
      { extent: 4, before: 1, behind: 2, length: 4 },
      { extent: 3, before: 0, behind: 1, length: 3 },
    ],
    request: null,
  };
  const { cells, own: boxes } = drawing(tile);
  const own = cells.filter(({ zone }) => zone === "own");
  expect(own.map(({ index }) => index)).toEqual([
    [1, 0],
    [1, 1],
  ]);
  expect(boxes).toEqual([{ plane: 0, from: own[0], to: own[1] }]);
});

test("one dimension is broken into lines of all banks", () => {
  const tile: PlacedArray = {
    ...column(16),
    sides: [{ extent: 66, before: 1, behind: 1, length: 66 }],
    request: null,
  };
  const { cells, places, lines, planes } = drawing(tile);
  expect([places, lines, planes]).toEqual([32, 3, 1]);
  expect(cells.every(({ bank, place }) => bank === place)).toBe(true);
  expect(cells.at(-1)).toMatchObject({ line: 2, place: 1, zone: "halo" });
});

test("three dimensions are planes, and sides of one element none", () => {
  const side = (extent: number) => ({ extent, before: 0, behind: 0, length: extent });
  const tile = { ...column(16), request: null };
  expect(drawing({ ...tile, sides: [side(3), side(4), side(5)] })).toMatchObject({
    planes: 3,
    lines: 4,
    places: 5,
  });
  expect(drawing({ ...tile, sides: [side(4), side(1), side(5)] })).toMatchObject({
    planes: 1,
    lines: 4,
    places: 5,
  });
});

test("of eight bytes half a warp is served at once", () => {
  const tile: PlacedArray = {
    ...column(16),
    element_bytes: 8,
    sides: [{ extent: 32, before: 0, behind: 0, length: 32 }],
    request: {
      access: "a_tile[lid0]",
      line: 1,
      bytes: 8,
      passes: 2,
      lanes: Array.from({ length: 32 }, (_, lane) => ({ lane, offset: 8 * lane })),
    },
  };
  const { asked, places } = drawing(tile);
  expect(places).toBe(16);
  expect(asked.every(({ passes }) => passes === 1)).toBe(true);
});
