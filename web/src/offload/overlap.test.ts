import { expect, test } from "vitest";
import type { PlannedTrip } from "../api/client";
import { spans } from "./overlap";

const trip = (chunks: number, slots: number): PlannedTrip => ({
  bytes_in: 1,
  bytes_out: 1,
  plan: {
    chunks,
    slots,
    chunk_elements: 4096,
    piece_bytes: 1,
    lanes_in: 1,
    lanes_out: 1,
    ways_in: ["pinned"],
    ways_out: ["pinned"],
  },
  forecast: {
    seconds: 9,
    bound_by: "to_device",
    to_device: 2 * chunks,
    from_device: chunks,
    both: 2 * chunks,
    device: chunks,
    fixed: 0,
  },
});

test("parts of different chunks overlap, and a part has one chunk at a time", () => {
  const all = spans(trip(3, 3), false);
  const at = (part: string, chunk: number) =>
    all.filter((it) => it.part === part && it.chunk === chunk).map(({ from, to }) => [from, to])[0];
  expect(at("to_device", 1)).toEqual([2, 4]);
  expect(at("device", 0)).toEqual([2, 3]);
  expect(at("from_device", 0)).toEqual([3, 4]);
  expect(at("from_device", 2)).toEqual([7, 8]);
});

test("with one slot, and on the host's own processor, nothing overlaps", () => {
  for (const all of [spans(trip(3, 1), false), spans(trip(3, 3), true)]) {
    for (const [index, { from }] of all.entries()) expect(from).toBe(all[index - 1]?.to ?? 0);
  }
});

test("of many chunks the first are shown, and of no forecast none", () => {
  expect(spans(trip(1000, 3), false)).toHaveLength(36);
  expect(spans({ ...trip(3, 3), forecast: null }, false)).toEqual([]);
});
