/** Kernels: their list, one kernel, its source, its speedups. */
import { count } from "../../lib/format";
import { plural } from "./plural";

export const kernels = {
  kernel: {
    kernel: "Kernel",
    variant: "Variant",
    variants: "Variants",
    sizes: "Sizes",
    parameters: "Parameters",
    search: "Find",
    noMatch: "No matching kernel.",
    noFamily: "no family",
    family: "Family",
    generated: "generated",
    verdicts: {
      faster: (device: string, typical: string, range: string) =>
        `On ${device}, local memory pays off: median speedup ${typical} (${range}).`,
      slower: (device: string, typical: string, range: string) =>
        `On ${device}, local memory does not pay off: median speedup ${typical} (${range}).`,
      same: (device: string, typical: string, range: string) =>
        `On ${device}, local memory makes hardly any difference: median speedup ${typical} (${range}).`,
      depends: (device: string, typical: string, range: string) =>
        `On ${device}, it depends on the size whether local memory pays off: median speedup ${typical} (${range}).`,
    },
    /** For variants that may be different algorithms. */
    fastest: (
      clear: boolean,
      device: string,
      variant: string,
      than: string,
      typical: string,
      range: string,
    ) =>
      clear
        ? `On ${device}, variant ${variant} is the fastest: median speedup over ${than} ${typical} (${range}).`
        : `On ${device}, no variant is always faster: median speedup of ${variant} over ${than} ${typical} (${range}).`,
    ofSizes: (n: number, low: string, high: string) =>
      n === 1 ? "one size" : `${count(n)} sizes, ${low} to ${high}`,
    notMeasured: (device: string) => `Not measured on ${device}.`,
    elsewhere: "Forecast from the source alone on:",
    generatedToo: "Show generated kernels too (they train models and never judge them)",
    timeBySize: "Time by size",
    source: "Source",
    file: "File",
    dates: "Time by date",
    datesLead: (device: string) =>
      `Workloads that were measured more than once on ${device}; a dashed line marks a new driver.`,
  },
  accesses: {
    title: "Memory accesses",
    lead: (sizes: string) =>
      `What each access does, from the source alone, at ${sizes}. A request is one warp’s, of 32 work-items.`,
    forecast: (device: string, time: string, trust: string) =>
      `Costs are shares of the forecast from the source alone for ${device}: ${time} (trust: ${trust}). Arithmetic belongs to no access.`,
    noForecast: (device: string) =>
      `No model of ${device} forecasts from the source alone, so the cost of accesses is not known there.`,
    notNow: (device: string) => `The server gives no forecast from the source alone for ${device}.`,
    uncounted: (why: string) => `The counters of a GPU can’t be computed: ${why}.`,
    line: "Line",
    access: "Access",
    memory: "Memory",
    memories: { global: "global", constant: "constant", local: "local", private: "private" },
    index: "Index",
    classes: {
      affine: "affine",
      quasi_affine: "quasi-affine",
      data_dependent: "data-dependent",
      unknown: "unknown",
    },
    request: "Per request",
    sectors: (n: string) => `${n} sectors`,
    passes: (n: string) => `${n} passes`,
    reuse: "Reuse",
    reuseWords:
      "How often a work-item accesses the same element × how many work-items of its work-group access it",
    group: "Work-group",
    groupWords: "Distinct elements that a work-group accesses",
    cost: "Cost",
    notes: (n: number) => `${plural(n, "note")} on what is unknown or data-dependent`,
  },
  speedup: {
    title: "How much faster is local memory?",
    lead: "Time without local memory ÷ time with it. Above the line, local memory is faster. Filled marks are measured; hollow ones are forecast, by models that had not seen the kernel.",
    speedup: "speedup",
    measured: "measured",
    forecast: "forecast",
    forecasts: "Forecasts by models that had not seen this kernel",
    from: (device: string) => `from ${device}`,
    model: "Model",
    typical: "Typical error",
    verdict: "verdict",
    verdicts: {
      pays_off: "pays off",
      does_not: "does not pay off",
      too_close: "too close to call",
      depends: "depends on the size",
    },
    noVerdict: "no verdict",
    sizes: (n: number, all: number) => `at ${count(n)} of ${plural(all, "size")}`,
    correct: "Correct verdicts",
    correctOf: (right: number, given: number) => `${count(right)} of ${count(given)}`,
    trust:
      "Typical errors and correct verdicts are over all kernels, each left out in turn. No verdict: such verdicts on left-out kernels were not right often enough, or the second opinion does not agree. Too close to call: the speedup is so near 1 that verdicts were wrong too often.",
    ownChange: "Does a change of yours pay off?",
    without: "time without local memory",
  },
};
