/** Light or dark: as the system is, unless the reader, or the sender of a link, switched. */
import { prefer, preference } from "./address.svelte";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** The choice, reactive. `public/theme.js` reads it too, before anything is drawn. */
export function chosenTheme(): Theme {
  const preferred = preference("theme");
  return THEMES.find((one) => one === preferred) ?? "system";
}

export function choose(next: Theme) {
  prefer("theme", next);
}
