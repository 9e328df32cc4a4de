/** 日本語の画面。ファイルと項目は `en/` と同じ。 */
import type { Messages } from "../en";
import { access } from "./access";
import { across } from "./across";
import { agents } from "./agents";
import { common } from "./common";
import { devices } from "./devices";
import { forecast } from "./forecast";
import { gpus } from "./gpus";
import { kernels } from "./kernels";
import { models } from "./models";
import { navigation } from "./navigation";
import { offload } from "./offload";
import { overview } from "./overview";
import { quarantine } from "./quarantine";
import { samples } from "./samples";
import { server } from "./server";

export const ja: Messages = {
  ...common,
  ...server,
  ...navigation,
  ...overview,
  ...models,
  ...across,
  ...devices,
  ...forecast,
  ...gpus,
  ...offload,
  ...kernels,
  ...samples,
  ...agents,
  ...access,
  ...quarantine,
};
