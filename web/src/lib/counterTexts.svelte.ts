/** What was typed into the forecast's fields; it stays while the reader goes from model to model. */
import type { Typed } from "./forecast";

let texts = $state<Typed>({});

export const typed = {
  get texts() {
    return texts;
  },
  set texts(next: Typed) {
    texts = next;
  },
  /** Only these counters' texts. */
  of(counters: string[]): Typed {
    return Object.fromEntries(counters.map((counter) => [counter, texts[counter] ?? ""]));
  },
};
