import type { Messages } from "../i18n/language.svelte";

/** Who did it, for people: a way to the device or the host's cores, and devices that took chunks beside it. */
export function whoDid(by: string, words: Messages["offload"]): string {
  const at = by.indexOf(WITH);
  const way = at < 0 ? by : by.slice(0, at);
  const named = (words.ways as Record<string, string | undefined>)[way] ?? way;
  return at < 0 ? named : words.beside(named, by.slice(at + WITH.length));
}

/** Between a way and the other devices, as the server has it. */
const WITH = ", with ";
