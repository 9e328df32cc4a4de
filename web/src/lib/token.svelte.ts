/** The reader's token for what is drawn: pages follow when it changes. */
import { current, keep } from "../api/token";

let token = $state(current());

/** The token, reactive. */
export function held(): string | null {
  return token;
}

/** Keeps a token, or (null) forgets it. */
export function hold(next: string | null) {
  keep(next);
  token = next;
}
