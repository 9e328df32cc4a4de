/** サーバーの言葉。英語はサーバーの文をそのまま使う。 */
import type { server as English } from "../../en/server";
import { because } from "./attention";
import { complaint, refusal } from "./problems";
import { doubts, fitRefusal, heldBecause } from "./reasons";
import { warning } from "./warnings";

export const server: typeof English = {
  refusal,
  complaint,
  warning,
  because,
  setAside: ({ standing_reason, standing_doubts = [] }) =>
    standing_doubts.length > 0 ? doubts(standing_doubts) : (standing_reason ?? ""),
  fitRefusal: ({ refusal, refused }) => (refused == null ? (refusal ?? null) : fitRefusal(refused)),
  heldBecause: ({ held, held_because }) =>
    held_because.length > 0 ? heldBecause(held_because) : (held ?? ""),
};
