/** Something asked of the server, again whenever what it is asked by changes. */
import { readerToken } from "./token.svelte";

export class Resource<T> {
  /** The last good answer; it stays while a newer one is on its way. */
  value = $state.raw<T>();
  /** Why the last asking failed. */
  trouble = $state.raw<Error>();
  #attempt = $state(0);

  /** In a component's beginning: `ask` runs anew when the state that it reads changes. */
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
