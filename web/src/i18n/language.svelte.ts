/** The interface's language: the browser's, unless the reader, or the sender of a link, switched. */
import { prefer, preference } from "../lib/address.svelte";
import { en, type Messages } from "./en";

export const LANGUAGES = { en: "English", ja: "日本語" } as const;
export type Language = keyof typeof LANGUAGES;

/** English is part of the first page; other languages are loaded when needed. */
const LOADERS: Record<Language, () => Messages | Promise<Messages>> = {
  en: () => en,
  ja: async () => (await import("./ja")).ja,
};
/** Dates: numbers look the same in both. */
const LOCALES: Record<Language, string> = { en: "en-GB", ja: "ja-JP" };

function isLanguage(code: string | null | undefined): code is Language {
  return code != null && code in LOADERS;
}

/** The first of the wanted languages that there is: ["ja-JP", "en"] → "ja". */
export function choose(wanted: readonly string[]): Language {
  return wanted.map((tag) => tag.split("-")[0]).find(isLanguage) ?? "en";
}

let language = $state<Language>("en");
let messages = $state.raw<Messages>(en);

async function load(next: Language) {
  messages = await LOADERS[next]();
  language = next;
  document.documentElement.lang = next;
}

function wanted(): Language {
  const chosen = preference("language");
  return isLanguage(chosen) ? chosen : choose(navigator.languages);
}

/** Resolves when the texts are loaded: nothing is shown before. If a language fails to load, it is English. */
export const ready: Promise<void> = load(wanted()).catch(() => load("en"));

/** Follows the language in the address; call it in an effect. */
export function listen() {
  if (wanted() !== language) void load(wanted());
}

export function current(): Language {
  return language;
}

export function speak(next: Language) {
  prefer("language", next);
}

/** The texts in the reader's language, reactive. */
export function t(): Messages {
  return messages;
}

/** For Intl, reactive. */
export function locale(): string {
  return LOCALES[language];
}
