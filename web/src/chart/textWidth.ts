/** The approximate width of a small text in pixels, before it is drawn. */
export function width(text: string): number {
  return [...text].reduce((sum, letter) => sum + (letter >= FIRST_WIDE ? WIDE : NARROW), 0);
}

const NARROW = 6.6;
/** Kana, kanji and other full-width letters. */
const WIDE = 12;
const FIRST_WIDE = "\u2e80";
