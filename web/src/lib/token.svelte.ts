/** The reader's token, where one was given: in this tab only, until it is closed. */

const KEY = "kerncast-token";

let token = $state(sessionStorage.getItem(KEY));

/** The token, reactive. */
export function held(): string | null {
  return token;
}

/** What every request says of it. */
export function authorization(): Record<string, string> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

/** Keeps a token, or (null) forgets it. */
export function hold(next: string | null) {
  token = next;
  if (next === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, next);
}
