/** The reader's token. Only this tab keeps it, until it is closed. */

const KEY = "kerncast-token";

// Absent in tests without a browser.
const storage: Storage | undefined = globalThis.sessionStorage;

let token = storage?.getItem(KEY) ?? null;

/** The token. */
export function current(): string | null {
  return token;
}

/** The header that sends the token with a request. */
export function authorization(): Record<string, string> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

/** Sets the token; null forgets it. */
export function saveToken(next: string | null) {
  token = next;
  if (next === null) storage?.removeItem(KEY);
  else storage?.setItem(KEY, next);
}
