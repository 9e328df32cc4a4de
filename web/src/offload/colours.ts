/** Colours of the device and the host, the same in every figure. */
import type { OffloadAnswer } from "../api/client";

export type Who = OffloadAnswer["fastest"];

export const KINDS: Record<Who, number> = {
  device: 0,
  device_pinned: 2,
  one_core: 7,
  all_cores: 1,
};
