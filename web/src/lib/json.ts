/** Where a text stops being a JSON object, the same in every browser and without a browser's English. */

/** What may stand at a place. */
export type Wanted = "object" | "name" | "colon" | "value" | "comma" | "end";

export interface Broken {
  /** From 1. */
  line: number;
  column: number;
  wanted: Wanted;
  /** What stands there; empty: the text ends. */
  found: string;
}

const TOKEN =
  /[{}[\]:,]|"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/uy;
const SPACE = /[ \t\r\n]*/y;
/** What is shown of what is no JSON. */
const PIECE = /[^\s,:{}[\]]{1,20}|\S/uy;

/** Whether that is a number elsewhere: JSON has none that is not finite. */
export function isNotFinite(found: string): boolean {
  return /^[+-]?(nan|inf(inity)?)$/i.test(found);
}

/** The first place where the text is no JSON object; null: it is one. */
export function broken(text: string): Broken | null {
  const open: string[] = [];
  let wanted: Wanted = "object";
  /** Whether a list or an object has just begun, and so may end. */
  let begun = false;
  let at = 0;
  for (;;) {
    at += matched(SPACE, text, at).length;
    const token = matched(TOKEN, text, at);
    const closes = open.at(-1) === "{" ? "}" : "]";
    if (token === "" && at === text.length && wanted === "end") return null;
    if (token === closes && open.length > 0 && (begun || wanted === "comma")) {
      open.pop();
      begun = false;
      wanted = open.length > 0 ? "comma" : "end";
    } else if (fits(token, wanted)) {
      begun = token === "{" || token === "[";
      if (begun) open.push(token);
      wanted = after(token, wanted, open.at(-1));
    } else {
      return { ...place(text, at), wanted, found: matched(PIECE, text, at) };
    }
    at += token.length;
  }
}

function fits(token: string, wanted: Wanted): boolean {
  switch (wanted) {
    case "object":
      return token === "{";
    case "name":
      return token.startsWith('"');
    case "colon":
      return token === ":";
    case "value":
      return token !== "" && !"]}:,".includes(token);
    case "comma":
      return token === ",";
    case "end":
      return false;
  }
}

function after(token: string, wanted: Wanted, within: string | undefined): Wanted {
  if (token === "{") return "name";
  if (token === "[") return "value";
  if (wanted === "name") return "colon";
  if (wanted === "colon") return "value";
  return wanted === "comma" ? (within === "{" ? "name" : "value") : "comma";
}

function matched(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

function place(text: string, at: number) {
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
