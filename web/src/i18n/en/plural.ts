import { count } from "../../lib/format";

/** "1 sample", "2 samples". */
export function plural(n: number, noun: string, many = `${noun}s`): string {
  return `${count(n)} ${n === 1 ? noun : many}`;
}
