/** The reader's token as reactive state: pages update when it changes. */
import { current, saveToken } from "../api/token";

let token = $state(current());

/** The token, reactive. */
export function readerToken(): string | null {
  return token;
}

/** Sets the token; null forgets it. */
export function setReaderToken(next: string | null) {
  saveToken(next);
  token = next;
}
