/** A request to the server that is repeated when the state it reads changes. */
import { readerToken } from "./token.svelte";

export class Resource<T> {
  /** The last successful answer, kept while the next is loading. */
  value = $state.raw<T>();
  /** Why the last request failed. */
  trouble = $state.raw<Error>();
  #attempt = $state(0);

  /** Create it when the component starts: `ask` runs again when the state that it reads changes. */
  constructor(ask: () => Promise<T>) {
    $effect(() => {
      void this.#attempt;
      void readerToken();
      let stale = false;
      ask().then(
        (value) => {
          if (stale) return;
          this.value = value;
          this.trouble = undefined;
        },
        (error: unknown) => {
          if (stale) return;
          this.value = undefined;
          this.trouble = error instanceof Error ? error : new Error(String(error));
        },
      );
      return () => (stale = true);
    });
  }

  retry = () => void this.#attempt++;
}
