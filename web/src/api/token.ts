/** The reader's token, where one was given: in this tab only, until it is closed. */

const KEY = "kerncast-token";

// What is tested without a browser has none.
const storage: Storage | undefined = globalThis.sessionStorage;

let token = storage?.getItem(KEY) ?? null;

/** The token. */
export function current(): string | null {
  return token;
}

/** What every request says of it. */
export function authorization(): Record<string, string> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

/** Keeps a token, or (null) forgets it. */
export function saveToken(next: string | null) {
  token = next;
  if (next === null) storage?.removeItem(KEY);
  else storage?.setItem(KEY, next);
}
