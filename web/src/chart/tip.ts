/** A mark's text: a tooltip for the pointer, a sentence for screen readers. */
import { createContext } from "svelte";

export interface Tip {
  title: string;
  /** Beside the title, softer: sizes, a variant. */
  soft?: string;
  /** Labels with exact numbers and units. */
  facts: [label: string, value: string][];
  /** A remark below the facts. */
  remark?: string | null;
}

export function tipText({ title, soft, facts, remark }: Tip): string {
  const head = [title, soft].filter(Boolean).join(" ");
  const body = facts.map(([label, value]) => `${label} ${value}`).join(", ");
  return [`${head}: ${body}`, remark].filter(Boolean).join(". ");
}

/** Ties a mark's element to its tip, for as long as it is there. */
export const [registerTip, setTipRegistry] = createContext<(element: Element, tip: Tip) => void>();
