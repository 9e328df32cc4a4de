/** The text for an error. */
import { Refusal } from "../api/client";
import { t } from "./language.svelte";

/** In the reader's language, where the refusal has a translation. */
export function trouble(error: unknown): string {
  if (error instanceof Refusal) return t().refusal(error.problem);
  // `fetch` throws it where there is no answer.
  if (error instanceof TypeError) return t().trouble.noAnswer;
  return error instanceof Error ? error.message : String(error);
}
