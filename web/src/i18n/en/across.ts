/** Forecasts across devices. */
export const across = {
  across: {
    matrix: "One device’s counters, another’s time",
    lead: "Rows: the device where kernels were counted and timed. Columns: the device that is forecast. Each cell: the smallest of three mean errors on unseen kernels (so slightly optimistic), and how it is reached: from the counters and the time on the row’s device, by the column’s own model from the kernel’s source, or by the baseline. Below it: the baseline’s error. The baseline is the time on the row’s device × the median ratio of both devices’ times.",
    from: "Counted on",
    to: "forecast",
    plain: "baseline",
    routes: {
      pair: "from counters and time there",
      source: "from the kernel’s source",
      plain: "by the baseline",
    },
    routeHere: (route: string, error: string) => `Smallest error: ${route}, ${error} on average.`,
    nothing: "no common workloads",
    none: "No pair of devices yet",
    noneText:
      "Devices that have run the same workloads are forecast from each other. Upload samples of a second device.",
    pair: (countedOn: string, target: string) => `${target} forecast from ${countedOn}`,
    all: "All pairs",
    uses: "Uses",
    counters: "counters",
    countersAndTime: "counters and time",
    workloads: "Workloads",
  },
};
