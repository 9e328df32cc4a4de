/** Pixels that a text of the smallest size takes, about: nothing is drawn yet that could be measured. */
export function width(text: string): number {
  return [...text].reduce((sum, letter) => sum + (letter >= FIRST_WIDE ? WIDE : NARROW), 0);
}

const NARROW = 6.6;
/** Kana, kanji and what else is as wide as high. */
const WIDE = 12;
const FIRST_WIDE = "\u2e80";
