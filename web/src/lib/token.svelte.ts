/** The reader's token for what is drawn: pages follow when it changes. */
import { current, saveToken } from "../api/token";

let token = $state(current());

/** The token, reactive. */
export function readerToken(): string | null {
  return token;
}

/** Keeps a token, or (null) forgets it. */
export function setReaderToken(next: string | null) {
  saveToken(next);
  token = next;
}
