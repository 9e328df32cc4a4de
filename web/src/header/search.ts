/** Entries of the search box. */

export interface Entry {
  kind: "page" | "kernel" | "device" | "model" | "sample";
  /** The entry's name. */
  name: string;
  /** More words to search by, shown in a softer colour. */
  more: string;
  href: string;
}

/** Entries that have every word, those whose name begins with the text first; at most `most`. */
export function find(entries: Entry[], wanted: string, most = 12): Entry[] {
  const text = wanted.trim().toLowerCase();
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries.filter(({ kind }) => kind === "page").slice(0, most);
  const matches = entries.filter(({ name, more }) => {
    const all = `${name} ${more}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const rank = ({ name }: Entry) =>
    name.toLowerCase().startsWith(text) ? 0 : name.toLowerCase().includes(text) ? 1 : 2;
  return matches
    .map((entry) => ({ entry, rank: rank(entry) }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ entry }) => entry);
}

/** Whether the text may be a sample's or a model's id. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text.trim());
}
