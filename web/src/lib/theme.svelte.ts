/** Light or dark: as the system is, unless the reader switched. */

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** `index.html` reads it too, before anything is drawn. */
const KEY = "kerncast-theme";
const { dataset } = document.documentElement;

let theme = $state(THEMES.find((one) => one === dataset["theme"]) ?? "system");

/** The reader's choice, reactive. */
export function chosen(): Theme {
  return theme;
}

export function choose(next: Theme) {
  theme = next;
  dataset["theme"] = next;
  localStorage.setItem(KEY, next);
}
