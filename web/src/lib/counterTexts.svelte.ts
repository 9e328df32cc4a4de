/** The texts typed into the forecast's fields, kept while the reader goes from model to model. */
import type { CounterTexts } from "./forecast";

let texts = $state<CounterTexts>({});

export const counterTexts = {
  get texts() {
    return texts;
  },
  set texts(next: CounterTexts) {
    texts = next;
  },
  /** Only these counters' texts. */
  of(counters: string[]): CounterTexts {
    return Object.fromEntries(counters.map((counter) => [counter, texts[counter] ?? ""]));
  },
};
