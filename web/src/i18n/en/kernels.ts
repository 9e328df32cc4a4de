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
    noneFound: "No kernel has such a name.",
    noFamily: "without family",
    family: "Family",
    generated: "generated",
    verdicts: {
      faster: (device: string, typical: string, range: string) =>
        `On ${device} local memory pays off: typically ${typical} as fast (${range}).`,
      slower: (device: string, typical: string, range: string) =>
        `On ${device} local memory does not pay off: typically ${typical} as fast (${range}).`,
      same: (device: string, typical: string, range: string) =>
        `On ${device} local memory makes hardly any difference: typically ${typical} as fast (${range}).`,
      depends: (device: string, typical: string, range: string) =>
        `On ${device} it depends on the size whether local memory pays off: typically ${typical} as fast (${range}).`,
    },
    /** Of variants that may be different algorithms. */
    fastest: (
      clear: boolean,
      device: string,
      variant: string,
      than: string,
      typical: string,
      range: string,
    ) =>
      clear
        ? `On ${device} variant ${variant} is the fastest: typically ${typical} as fast as ${than} (${range}).`
        : `On ${device} no variant is always faster: ${variant} is typically ${typical} as fast as ${than} (${range}).`,
    ofSizes: (n: number, low: string, high: string) =>
      n === 1 ? "one size" : `${count(n)} sizes, ${low} to ${high}`,
    notMeasured: (device: string) => `Not measured on ${device}.`,
    elsewhere: "Forecast from the source alone on:",
    generatedToo: "generated ones too, which train models and do not judge them",
    timeBySize: "Time against size",
    source: "Source",
    file: "File",
    dates: "Time over dates",
    datesLead: (device: string) =>
      `Workloads that were measured more than once on ${device}; a dashed line marks a new driver.`,
  },
  accesses: {
    title: "Memory accesses",
    lead: (sizes: string) =>
      `What each access does, from the source alone, at ${sizes}: requests are a warp’s of 32 work-items.`,
    forecast: (device: string, time: string, trust: string) =>
      `The costs are shares of a forecast from the source alone for ${device}: ${time} (trust: ${trust}). What is computed is in no access.`,
    noForecast: (device: string) =>
      `No model of ${device} forecasts from the source alone, so what accesses cost is not known there.`,
    notNow: (device: string) => `The server gives no forecast from the source alone for ${device}.`,
    uncounted: (why: string) => `What a GPU would count is not known: ${why}.`,
    line: "Line",
    access: "Access",
    memory: "Memory",
    memories: { global: "global", constant: "constant", local: "local", private: "private" },
    index: "Index",
    classes: {
      affine: "affine",
      quasi_affine: "quasi-affine",
      data_dependent: "depends on data",
      unknown: "unknown",
    },
    request: "A request",
    sectors: (n: string) => `${n} sectors`,
    passes: (n: string) => `${n} passes`,
    reuse: "Reuse",
    reuseWords:
      "How often a work-item accesses an element that it accesses × how many work-items of its work-group do",
    group: "Work-group",
    groupWords: "Different elements that a work-group accesses",
    cost: "Costs",
    notes: (n: number) => `${plural(n, "note")} on what is not known, or depends on data`,
  },
  speedup: {
    title: "How much faster is local memory?",
    lead: "Time without local memory ÷ time with it. Above the line, local memory is faster. Filled marks are measured; hollow ones are forecast, by models that had not seen the kernel.",
    speedup: "speedup",
    measured: "measured",
    forecast: "forecast",
    forecasts: "Forecasts by models that had not seen this kernel",
    from: (device: string) => `from ${device}`,
    model: "By",
    typical: "Typically off",
    verdict: "verdict",
    verdicts: {
      pays_off: "pays off",
      does_not: "does not pay off",
      too_close: "too close to call",
      depends: "depends on the size",
    },
    noVerdict: "no verdict",
    sizes: (n: number, all: number) => `at ${count(n)} of ${plural(all, "size")}`,
    right: "Verdicts right",
    rightOf: (right: number, given: number) => `${count(right)} of ${count(given)}`,
    trust:
      "How far off forecasts are, and how often verdicts are right: over all kernels, each left out in turn. No verdict: such verdicts on kernels left out were not right often enough, or a second model disagrees. Too close to call: so near 1 that verdicts were wrong too often.",
    yours: "Whether a change pays:",
    without: "time without local memory",
  },
};
