/** Forecasts across devices. */
export const across = {
  across: {
    matrix: "One device’s counters, another’s time",
    lead: "The least mean error on unseen kernels of what another device has run, and how it comes: by the counters and the time there, by the target’s own model from the kernel’s source, or by the plain baseline, which is below it: the time there × the median ratio of both devices’ times.",
    from: "Counted on",
    to: "forecast",
    plain: "by the median ratio",
    routes: {
      pair: "by counters and time there",
      source: "from its own source",
      plain: "by the median ratio",
    },
    routeHere: (route: string, error: string) => `Off the least: ${route}, ${error} on average.`,
    nothing: "no common workloads",
    none: "No pair of devices yet",
    noneText:
      "Devices that have run the same workloads are forecast from each other; a second device’s samples are needed.",
    pair: (countedOn: string, target: string) => `${target} forecast from ${countedOn}`,
    all: "All pairs",
    knows: "Uses",
    counters: "counters",
    countersAndTime: "counters and time",
    workloads: "Workloads",
  },
};
