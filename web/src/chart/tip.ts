/** What a mark says: to the pointer as a tooltip, to a screen reader as one sentence. */
import { createContext } from "svelte";

export interface Tip {
  title: string;
  /** Beside the title, softer: sizes, a variant. */
  soft?: string;
  /** Labels with exact numbers and units. */
  facts: [label: string, value: string][];
  /** What else must be known. */
  remark?: string | null;
}

export function tipText({ title, soft, facts, remark }: Tip): string {
  const head = [title, soft].filter(Boolean).join(" ");
  const body = facts.map(([label, value]) => `${label} ${value}`).join(", ");
  return [`${head}: ${body}`, remark].filter(Boolean).join(". ");
}

/** Ties a mark's element to its tip, for as long as it is there. */
export const [registerTip, setTipRegistry] = createContext<(element: Element, tip: Tip) => void>();
