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
    covers: (share: string) => `holds for ${share}`,
    negative: "Negative",
    unpredicted: "Without forecast",
  },
  models: {
    title: "Models",
    lead: "Error of the forecast on kernels that the fit had not seen, all variants and sizes of a kernel left out together. Single rows left out look better, because other sizes of the same kernel stay in.",
    paper:
      "For comparison, the paper’s method in the paper (ten kernels, leave one out): GTX 480 4.6 % without local memory and 5.0 % with it; GTX 285 38.9 % and 21.8 %. Shimada, Endo, Maruyama and Matsuoka, 2010.",
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
    heldTitle: "This model waits for an admin",
    heldText: "The model before it answers in its place until then.",
    heldMore: "Accept it, or reject samples",
    notFitted: "not fitted",
    forecast: "Forecast with this model",
    fitted: (when: string) => `Fitted ${when} to`,
    replaced: "Newer samples have replaced this model.",
    newer: "Show the newer one",
    noFit: "There is no fit",
    noReason: "The server gives no reason.",
    moreSamples: "More samples may help; a new fit follows by itself.",
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
    notDrawn: (n: number) => `${plural(n, "forecast")} at or below 0 or missing: not drawn here.`,
    perKernel: "Error per kernel, worst first",
    methods: "Methods and hold-outs side by side",
    methodsLead:
      "All models from these counters: mean error where kernels, families of kernels, and single rows were left out.",
    judgedBy: (leftOut: string) => `Judged by ${leftOut}:`,
    judgedWords:
      "the typical factor between forecast and measured time, each kernel counting once. The model with the least is the champion, or the simplest that ties with it.",
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
    version: "Revision of the method",
    validationJson: "validation as JSON",
  },
  ratio: {
    label: "Predicted ÷ measured, one bar a sample, by kernel",
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
      "Above the line: predicted too long. Below: too short. Shaded: within 25 %. Under a kernel’s name: its mean error. ▼ at or below 0, no possible time; × no forecast. A click leads to the sample.",
    whiskers: (level: string) => `Thin lines: the typical ${level} interval.`,
  },
  coefficients: {
    title: "What an event costs",
    lead: (intercept: string) =>
      `Forecast = ${intercept} with every counter at its mean, and for each counter its cost times what it is above the mean.`,
    costs: (intercept: string, exponent: number) =>
      `Forecast = ${intercept} for every launch, and for each counter its cost times its events` +
      (exponent === 1
        ? "."
        : `, put together by the ${exponent}-norm: what is small hides behind what is large.`),
    waves: (intercept: string) =>
      `Forecast = ${intercept} for every launch, and what warps wait for, once for each wave of work-groups, put together with what keeps the device busy: what is small hides behind what is large.`,
    corrected: (intercept: string, trees: number) =>
      `Costs, times what ${plural(trees, "tree")} correct them by. Costs = ${intercept} for every launch, and what warps wait for, once for each wave of work-groups, put together with what keeps the device busy: what is small hides behind what is large.`,
    forest: (trees: number) =>
      `The mean of ${plural(trees, "tree")} on logarithms: no counter has a cost of its own.`,
    across:
      "Forecast from another device's counters, and its time where counted_on_time is among them. Costs are those of what work-items do together and of what one does after the other.",
    over: "for each of",
    counter: "Counter",
    perEvent: "Per event",
    perEventOn: { multiprocessors: "Per event, where it happens", cores: "Per event, on one core" },
    /** What the costs are of, and what a forecast is charged. */
    place: (on: "multiprocessors" | "cores", units: string | null): string => {
      const has = ` (${units === null ? "" : `the device has ${units}; `}where no counter tells them, as many as explain the times best)`;
      return on === "cores"
        ? `Each cost is the time that one core takes for an event. Cores work at the same time, so a forecast is charged this ÷ the cores at work${has} for each event. Only what the busiest core has counted is charged in full.`
        : `Each cost is the time that one multiprocessor takes for an event. Multiprocessors work at the same time, so a forecast is charged this ÷ the multiprocessors at work${has} for each event, and less where it hides behind what is larger. What they share (L2 and DRAM) and what the busiest unit has counted is charged in full. Where it says “for each of”, a cost is what one warp waits for each of its own events.`;
    },
    perDeviation: "Per standard deviation",
    atMean: "Of a typical launch",
    atMeanOfAll: "Of a typical launch, not shared out",
    all: (n: number) => `Show all ${count(n)}`,
    free: (n: number) =>
      `${plural(n, "coefficient")} at 0: what they count costs nothing of its own.`,
    mean: "Mean",
    negative:
      "A negative cost has no physical meaning: the fit has split costs between counters that rise together.",
    dropped: (n: number) => `${plural(n, "counter")} not in the fit, with reasons`,
  },
};
