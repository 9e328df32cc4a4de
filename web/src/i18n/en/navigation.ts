/** The header, and the search in it. */
import { plural } from "./plural";

export const navigation = {
  nav: {
    label: "Pages",
    language: "Language",
    theme: "Theme",
    settings: "Settings",
    themes: { system: "System", light: "Light", dark: "Dark" },
    fitting: (n: number) => `${plural(n, "fit")} pending…`,
    /** The short form for narrow places. */
    fits: (n: number) => `${plural(n, "fit")}…`,
    pages: {
      "": "Overview",
      models: "Models",
      across: "Across devices",
      forecast: "Forecast",
      gpus: "GPUs",
      offload: "Offload",
      kernels: "Kernels",
      samples: "Samples",
      devices: "Devices",
      agents: "Agents and jobs",
      quarantine: "Quarantine",
      access: "Access",
    },
  },
  search: {
    title: "Search",
    placeholder: "Kernel, device, model, sample…",
    results: "Results",
    none: "No matches.",
    kinds: { page: "page", kernel: "kernel", device: "device", model: "model", sample: "samples" },
  },
};
