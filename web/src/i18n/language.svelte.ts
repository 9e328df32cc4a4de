/** The interface's language: the browser's, unless the reader switched. */
import { en } from "./en";
import { ja } from "./ja";

/** Every text of the interface, in one language. */
export type Messages = typeof en;

export const LANGUAGES = { en: "English", ja: "日本語" } as const;
export type Language = keyof typeof LANGUAGES;

const MESSAGES: Record<Language, Messages> = { en, ja };
/** Dates: numbers look the same in both. */
const LOCALES: Record<Language, string> = { en: "en-GB", ja: "ja-JP" };
const KEY = "kerncast-language";

function isLanguage(code: string | null | undefined): code is Language {
  return code != null && code in MESSAGES;
}

/** The first of the wanted languages that there is: ["ja-JP", "en"] → "ja". */
export function choose(wanted: readonly string[]): Language {
  return wanted.map((tag) => tag.split("-")[0]).find(isLanguage) ?? "en";
}

const stored = localStorage.getItem(KEY);
let language = $state<Language>(isLanguage(stored) ? stored : choose(navigator.languages));
document.documentElement.lang = language;

export function current(): Language {
  return language;
}

export function speak(next: Language) {
  language = next;
  localStorage.setItem(KEY, next);
  document.documentElement.lang = next;
}

/** The texts in the reader's language, reactive. */
export function t(): Messages {
  return MESSAGES[language];
}

/** For Intl, reactive. */
export function locale(): string {
  return LOCALES[language];
}
