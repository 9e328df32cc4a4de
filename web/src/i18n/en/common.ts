/** Words that several pages use. */
import { plural } from "./plural";

export const common = {
  skip: "Skip to content",
  loading: "Loading…",
  all: "all",
  copy: "Copy",
  copied: "Copied",
  command: "Command",
  yesNo: (yes: boolean): string => (yes ? "yes" : "no"),
  of: (part: string, whole: string) => `${part} of ${whole}`,
  samples: (n: number) => plural(n, "sample"),
  samplesOfKernels: (samples: number, kernels: number) =>
    `${plural(samples, "sample")} of ${plural(kernels, "kernel")}`,
  origins: { measured: "measured", imported: "imported", shipped: "came with Kerncast" },
  standings: {
    unjudged: "not judged yet",
    sound: "sound",
    quarantined: "quarantined",
    rejected: "rejected",
    accepted: "accepted",
  },
  flags: {
    throttled: "The device ran below its clocks: its times are doubtful.",
    shared: "Another process held the device: its times are doubtful.",
    outliers: "Some repetitions are outliers: its times are doubtful.",
  },
  /** Who counts, and how. */
  providers: {
    analysis: "read from the source, without a run",
    launch: "sizes of the launch",
    ncu: "counted by NVIDIA’s hardware",
    oclgrind: "instructions of a simulated run",
    rocprofv3: "counted by AMD’s hardware",
  } as Record<string, string>,
  flagNames: { throttled: "throttled", shared: "device shared", outliers: "outliers" },
  scopes: {
    full: "The whole launch was counted.",
    first_and_last_group: "The first and the last work-group were counted, and scaled to all.",
    sampled_groups: "Counted in some work-groups, which stand for the others.",
    reduced_size: "Counted at a smaller size.",
  },
  missing: { title: "There is no such page", text: "Its address may have been cut short." },
  trouble: {
    again: "Try again now",
    notShown: "This can’t be shown",
    noAnswer: "The server does not answer.",
    stale: "This page could not be loaded. The server may be newer than the page: load it again.",
    server: "The server answers with an error",
    serverText: "The server’s log says more. This page tries again every few seconds.",
    away: "The server does not answer",
    awayText:
      "Check that kerncast-server is running and that this machine can reach it. This page tries again every few seconds.",
  },
  empty: {
    fitting: "The first models are being fitted",
    fittingText: (n: number) =>
      `${plural(n, "sample")} arrived. This page shows the models as they come.`,
    noModel: "Samples, but no model yet",
    noModelText: (n: number) =>
      `${plural(n, "sample")} arrived, and no fit is under way. A model needs samples with counters: run the suite again, and look at its table for providers that refused.`,
    noSamples: "No samples yet",
    noSamplesText:
      "On a machine with an OpenCL device, run the suite. It takes times and counters, uploads them to this server, and the models appear here.",
    whichDevices: "Which devices are there?",
  },
  figure: {
    numbers: "The numbers as a table",
    saveSvg: (label: string) => `Save as SVG: ${label}`,
    saveCsv: (label: string) => `Save as CSV: ${label}`,
  },
};
