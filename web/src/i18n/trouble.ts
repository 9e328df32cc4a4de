/** What something that failed tells its reader. */
import { Refusal } from "../api/client";
import { t } from "./language.svelte";

/** In the reader's language, as far as that is known of a refusal. */
export function trouble(error: unknown): string {
  if (error instanceof Refusal) return t().refusal(error.problem);
  // What fetch throws where no answer comes.
  if (error instanceof TypeError) return t().trouble.noAnswer;
  return error instanceof Error ? error.message : String(error);
}
