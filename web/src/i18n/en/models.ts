/** Models: their table, one model, its errors and its costs. */
import { count } from "../../lib/format";
import { plural } from "./plural";

export const models = {
  errors: {
    mean: "mean",
    median: "median",
    factor: "factor",
    meanError: "Mean error",
    medianError: "Median error",
    factorName: "Typical factor",
    within: "Within 25 %",
    interval: (level: string) => `${level} interval`,
    intervalOfRegions: (level: string) => `${level} interval, regions left out`,
    covers: (share: string) => `covers ${share}`,
    negative: "Negative",
    unpredicted: "No forecast",
  },
  models: {
    title: "Models",
    lead: "Forecast error on kernels that the fit had not seen: all variants and sizes of a kernel are left out together. Errors with single rows left out look better, because other sizes of the same kernel stay in the fit.",
    paper:
      "For comparison, the errors that the paper reports (ten kernels, leave-one-out): GTX 480 4.6 % without local memory and 5.0 % with it; GTX 285 38.9 % and 21.8 %. Shimada, Endo, Maruyama and Matsuoka, 2010.",
    moreWarnings: (n: number) => `and ${count(n)} more`,
    show: "Show",
    champions: "champions",
    model: "Model",
    unseenKernels: "Error on unseen kernels",
    unseenKernelsShort: "Unseen kernels",
    unseenRows: "Unseen rows",
    negative: "Negative forecasts",
    kernels: "Kernels",
    samples: "Samples",
  },
  model: {
    champion: "champion",
    held: "held",
    heldTitle: "This model is held for an admin",
    heldText: "Until an admin accepts it, the earlier model answers.",
    heldMore: "Accept it, or reject samples",
    notFitted: "not fitted",
    forecast: "Forecast with this model",
    fitted: (when: string) => `Fitted ${when} to`,
    replaced: "A newer model has replaced this one.",
    newer: "Show the newer model",
    noFit: "No fit",
    noReason: "The server gives no reason.",
    moreSamples: "More samples may help: they start a new fit automatically.",
    all: "All models",
    holdOut: "Left out together",
    holdOuts: {
      kernel: "kernel",
      row: "row",
      family: "family",
      region: "region",
    },
    allTogether: "All variants together",
    notValidated: "This model could not be validated; its warnings say why.",
    scatter: "Predicted against measured",
    notDrawn: (n: number) => `Not drawn: ${plural(n, "forecast")} missing, or at or below 0.`,
    perKernel: "Error per kernel, worst first",
    methods: "Methods and hold-outs side by side",
    methodsLead:
      "All models of these counters: mean error with kernels, families of kernels and single rows left out.",
    judgedBy: (leftOut: string) => `Judged by ${leftOut}:`,
    judgedWords:
      "(the typical factor between forecast and measured time, each kernel counted once). The champion is the model with the smallest factor, or the simplest that ties with it.",
    leftOut: {
      kernel: "kernels left out",
      row: "rows left out",
      family: "families left out",
      region: "regions left out",
    },
    byKernel: "kernels left out",
    byFamily: "families left out",
    byRow: "rows left out",
    provenance: "Provenance",
    id: "Model",
    when: "Fitted",
    method: "Method",
    provider: "Provider",
    response: "Response",
    version: "Method revision",
    validationJson: "validation as JSON",
  },
  ratio: {
    label: "Predicted ÷ measured, one bar per sample, grouped by kernel",
    ratio: "Predicted ÷ measured",
    measured: "measured",
    predicted: "predicted",
    interval: "interval",
    none: "none",
    negative: "negative",
    everySample: (kernels: number) => `Every sample of ${plural(kernels, "kernel")}`,
    equal: "predicted = measured",
    impossible: "A time can’t be at or below 0.",
    reading:
      "Above the line: predicted too long; below: too short. Shaded: within 25 %. Under a kernel’s name: its mean error. ▼ predicted at or below 0, which no time can be; × no forecast. Click a bar to open its sample.",
    whiskers: (level: string) => `Thin lines: the typical ${level} interval.`,
  },
  coefficients: {
    title: "What each event costs",
    lead: (intercept: string) =>
      `Forecast = ${intercept} with every counter at its mean, plus, for each counter, its cost × its distance above the mean.`,
    costs: (intercept: string, exponent: number) =>
      `Forecast = ${intercept} per launch, plus, for each counter, its cost × its events` +
      (exponent === 1
        ? "."
        : `, combined by the ${exponent}-norm: small terms hide behind large ones.`),
    waves: (intercept: string) =>
      `Forecast = ${intercept} per launch, plus the time that warps wait, once per wave of work-groups, combined with the time that the device is busy: the smaller hides behind the larger.`,
    corrected: (intercept: string, trees: number) =>
      `Forecast = costs × a correction by ${plural(trees, "tree")}. Costs = ${intercept} per launch, plus the time that warps wait, once per wave of work-groups, combined with the time that the device is busy: the smaller hides behind the larger.`,
    forest: (trees: number) =>
      `The mean of ${plural(trees, "tree")}, fitted to logarithms: no counter has a cost of its own.`,
    across:
      "Forecast from another device’s counters, and from its time where counted_on_time is listed. Costs are for the work of all work-items together, and for what one work-item does in sequence.",
    over: "for each of",
    counter: "Counter",
    perEvent: "Per event",
    perEventOn: { multiprocessors: "Per event, in one unit", cores: "Per event, on one core" },
    /** Explains the unit of the costs, and how a forecast adds them. */
    place: (on: "multiprocessors" | "cores", units: string | null): string => {
      const has = ` (${units === null ? "" : `the device has ${units}; `}where no counter gives their number, the number that explains the times best)`;
      return on === "cores"
        ? `Each cost is one core’s time for an event. Cores work in parallel, so each event adds cost ÷ active cores${has} to a forecast. Events counted on the busiest core are charged in full.`
        : `Each cost is one multiprocessor’s time for an event. Multiprocessors work in parallel, so each event adds cost ÷ active multiprocessors${has} to a forecast, or less where it hides behind a larger term. Events of shared units (L2 and DRAM) and of the busiest unit are charged in full. Where it says “for each of”, the cost is how long one warp waits for each of its own events.`;
    },
    perDeviation: "Per standard deviation",
    atMean: "In a typical launch",
    atMeanOfAll: "Mean count × cost, not divided by units",
    all: (n: number) => `Show all ${count(n)}`,
    free: (n: number) => `${plural(n, "coefficient")} at 0: these events add no cost of their own.`,
    mean: "Mean",
    negative:
      "A negative cost has no physical meaning: the fit has split a cost among counters that rise together.",
    dropped: (n: number) => `${plural(n, "counter")} not in the fit, and why`,
  },
};
