/** What lies in local memory, element by element: where it is drawn, in which bank it lies, and who asks for it. */
import { groups, max, range } from "d3-array";
import type { PlacedArray } from "../api/client";

export const BANKS = 32;
/** Bytes of a bank's word. */
const WORD = 4;
/** Elements of one dimension are broken into lines of all banks, or of so many. */
const WIDEST = 32;
/** More lines are not drawn: what a warp asks for is among the first. */
const MOST_LINES = 40;

/** What an element is: the work-group's own, of the halo, or there for the banks alone. */
export type Zone = "own" | "halo" | "padding";

export interface Cell {
  /** Where it is drawn: plane, line and place in it. */
  plane: number;
  line: number;
  place: number;
  /** By dimension, outermost first. */
  index: number[];
  zone: Zone;
  /** Of its first word. */
  bank: number;
}

/** A cell that a warp asks for. */
export interface Asked {
  cell: Cell;
  lanes: number[];
  /** Passes that its bank needs: the different words that are asked of it at once. */
  passes: number;
}

/** Of a plane, the cells from line and place to line and place: both included. */
export interface Box {
  plane: number;
  from: Cell;
  to: Cell;
}

export interface Drawing {
  cells: Cell[];
  /** The work-group's own of each plane, where a halo is around it and lines are none that were broken. */
  own: Box[];
  asked: Asked[];
  /** Of a line; lines of a plane; planes. */
  places: number;
  lines: number;
  planes: number;
  /** Lines of each plane that are not drawn. */
  left: number;
}

/** As it is declared, with padding; as it is filled where that is not known. */
const lengths = ({ sides }: PlacedArray) => sides.map(({ length, extent }) => length ?? extent);

/** "[16][17]": sides of one element are not declared. */
export function declared(placed: PlacedArray): string {
  const wide = lengths(placed).filter((length) => length > 1 || placed.sides.length === 1);
  return `${placed.name ?? placed.array}${wide.map((length) => `[${length.toString()}]`).join("")}`;
}

export function drawing(placed: PlacedArray): Drawing {
  const all = lengths(placed);
  const wide = placed.sides.map((_, side) => side).filter((side) => (all[side] ?? 1) > 1);
  const flat = wide.length <= 1;
  const last = placed.sides.length - 1;
  const [y, x] = [wide.at(-2) ?? last, wide.at(-1) ?? last];
  const whole = all.reduce((product, length) => product * length, 1);
  const places = flat ? Math.min(WIDEST, whole, broken(placed)) : (all[x] ?? 1);
  const lines = flat ? Math.ceil(whole / places) : (all[y] ?? 1);
  const drawn = Math.min(lines, MOST_LINES);
  const planes = whole / (flat ? whole : places * lines);
  const cells = range(whole).flatMap((element) => {
    const [plane, within] = flat
      ? [0, element]
      : [Math.floor(element / (places * lines)), element % (places * lines)];
    const line = Math.floor(within / places);
    if (line >= drawn) return [];
    const index = indexOf(element, all);
    const bank = bankOf(element * placed.element_bytes);
    return [{ plane, line, place: within % places, index, zone: zoneOf(index, placed), bank }];
  });
  const own = cells.filter(({ zone }) => zone === "own");
  const isWhole = flat || !cells.some(({ zone }) => zone === "halo");
  return {
    cells,
    own: isWhole ? [] : boxes(own),
    asked: asked(placed, cells, all),
    places,
    lines: drawn,
    planes,
    left: lines - drawn,
  };
}

/** Cells of a plane are in order: the first and the last are its corners. */
function boxes(own: Cell[]): Box[] {
  return groups(own, ({ plane }) => plane).flatMap(([plane, cells]) => {
    const [from, to] = [cells[0], cells.at(-1)];
    return from && to ? [{ plane, from, to }] : [];
  });
}

/** Elements that all banks hold once. */
const broken = ({ element_bytes }: PlacedArray) =>
  Math.max(1, Math.floor((BANKS * WORD) / element_bytes));

const bankOf = (byte: number) => Math.floor(byte / WORD) % BANKS;

function indexOf(element: number, lengths: number[]): number[] {
  let rest = element;
  return lengths
    .toReversed()
    .map((length) => {
      const own = rest % length;
      rest = Math.floor(rest / length);
      return own;
    })
    .toReversed();
}

function zoneOf(index: number[], { sides }: PlacedArray): Zone {
  const of = sides.map(({ extent, before, behind }, side): Zone => {
    const at = index[side] ?? 0;
    if (at >= extent) return "padding";
    return at < before || at >= extent - behind ? "halo" : "own";
  });
  if (of.includes("padding")) return "padding";
  return of.includes("halo") ? "halo" : "own";
}

/** Of 8 bytes half a warp is served at once, of 16 and more a quarter. */
const atOnce = (bytes: number) => (bytes <= WORD ? 32 : bytes <= 2 * WORD ? 16 : 8);

function asked({ request, element_bytes }: PlacedArray, cells: Cell[], lengths: number[]): Asked[] {
  if (!request) return [];
  const { lanes, bytes } = request;
  const words = (offset: number) =>
    range(Math.floor(offset / WORD), Math.floor((offset + Math.max(bytes, 1) - 1) / WORD) + 1);
  // What is asked of a bank by those that are served at once.
  const wanted = new Map<string, Set<number>>();
  const key = (lane: number, word: number) =>
    `${Math.floor(lane / atOnce(bytes)).toString()} ${(word % BANKS).toString()}`;
  for (const { lane, offset } of lanes)
    for (const word of words(offset)) {
      const of = key(lane, word);
      wanted.set(of, (wanted.get(of) ?? new Set()).add(word));
    }
  const byElement = new Map<number, { lanes: number[]; passes: number }>();
  for (const { lane, offset } of lanes) {
    const element = Math.floor(offset / element_bytes);
    const passes = max(words(offset), (word) => wanted.get(key(lane, word))?.size ?? 1) ?? 1;
    const own = byElement.get(element) ?? { lanes: [], passes: 0 };
    byElement.set(element, {
      lanes: [...own.lanes, lane],
      passes: Math.max(own.passes, passes),
    });
  }
  return cells.flatMap((cell) => {
    const element = cell.index.reduce((at, own, side) => at * (lengths[side] ?? 1) + own, 0);
    const own = byElement.get(element);
    return own ? [{ cell, ...own }] : [];
  });
}
