/** The dashboard in English: a file of texts for each page. `ja/` has the same files, and each has the same keys. */
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

export const en = {
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

/** All texts of the dashboard, in one language. */
export type Messages = typeof en;
