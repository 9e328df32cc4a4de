/** The pages by the first part of their path; each is loaded when it is first shown. */
import type { Component } from "svelte";

type Page = () => Promise<{ default: Component }>;

export const PAGES: Record<string, Page> = {
  "": () => import("./Overview.svelte"),
  models: () => import("./Models.svelte"),
  devices: () => import("./Devices.svelte"),
  kernels: () => import("./Kernels.svelte"),
  across: () => import("./Across.svelte"),
  forecast: () => import("./Forecast.svelte"),
  gpus: () => import("./Gpus.svelte"),
  offload: () => import("./Offload.svelte"),
  samples: () => import("./Samples.svelte"),
  compare: () => import("./Compare.svelte"),
  agents: () => import("./Agents.svelte"),
  quarantine: () => import("./Quarantine.svelte"),
  access: () => import("./Access.svelte"),
};

export const MISSING: Page = () => import("./NotFound.svelte");

/** The pages in the navigation, in its order. */
export const NAVIGATION = [
  "",
  "models",
  "across",
  "forecast",
  "gpus",
  "offload",
  "kernels",
  "samples",
  "devices",
  "agents",
] as const;

/** The pages among the settings, which few readers need. */
export const ADMINISTRATION = ["quarantine", "access"] as const;
