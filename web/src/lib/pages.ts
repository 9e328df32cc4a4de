/** Reads all pages of a listing. */

interface Page<T> {
  items: T[];
  next?: string | null;
}

/** All items of a listing, up to `most`: a figure with more marks than that shows nothing. */
export async function allPages<T>(
  ask: (cursor: { cursor?: string }) => Promise<Page<T>>,
  most = 5000,
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await ask(cursor === undefined ? {} : { cursor });
    items.push(...page.items);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined && items.length < most);
  return items;
}
