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
    throttled: "The device was throttled, so these times are doubtful.",
    shared: "Another process used the device, so these times are doubtful.",
    outliers: "Some repetitions are outliers, so these times are doubtful.",
  },
  /** How each provider counts. */
  providers: {
    analysis: "computed from the source, without a run",
    launch: "the launch’s sizes",
    ncu: "counted by NVIDIA hardware",
    oclgrind: "instructions, counted in simulation",
    rocprofv3: "counted by AMD hardware",
  } as Record<string, string>,
  flagNames: { throttled: "throttled", shared: "device shared", outliers: "outliers" },
  scopes: {
    full: "Counted over the whole launch.",
    first_and_last_group: "Counted in the first and the last work-group, and scaled to all.",
    sampled_groups: "Counted in some work-groups, and scaled to all.",
    reduced_size: "Counted at a smaller size.",
  },
  missing: { title: "Page not found", text: "The address may be incomplete." },
  trouble: {
    retry: "Try again now",
    notShown: "This can’t be shown",
    noAnswer: "The server does not answer.",
    reload: "This page could not be loaded. The server may have been updated: reload the page.",
    server: "The server returned an error",
    serverText: "See the server’s log for details. This page tries again every few seconds.",
    noAnswerTitle: "The server does not answer",
    noAnswerText:
      "Check that kerncast-server is running and that this machine can reach it. This page tries again every few seconds.",
  },
  empty: {
    fitting: "The first models are being fitted",
    fittingText: (n: number) =>
      `${plural(n, "sample")} arrived. Models appear here as they are fitted.`,
    noModel: "Samples, but no model yet",
    noModelText: (n: number) =>
      `${plural(n, "sample")} arrived, but no fit is pending. A model needs samples with counters. Run the suite again, and check its table for providers that refused to count.`,
    noSamples: "No samples yet",
    noSamplesText:
      "Run the suite on a machine with an OpenCL device. It measures times and counters and uploads them to this server. Models then appear here.",
    whichDevices: "To list the machine’s devices:",
  },
  figure: {
    numbers: "Numbers as a table",
    saveSvg: (label: string) => `Save as SVG: ${label}`,
    saveCsv: (label: string) => `Save as CSV: ${label}`,
  },
};
