/** The forecast, and wherever one is shown. */
import { count } from "../../lib/format";
import { plural } from "./plural";

export const forecast = {
  forecast: {
    title: "How long will it take?",
    countedOn: "Counted on",
    itself: "the device itself",
    timeOn: (device: string) => `Time on ${device}, in seconds`,
    timeUnused: "This model does not use it.",
    lead: "From a kernel’s counters, the time on a device, and how far to trust it.",
    counters: "Counters",
    model: "Model",
    also: "Forecast also, by its champion",
    how: "How to give the counters",
    ways: { kernel: "Measured kernel", file: "File", fields: "Fields", json: "JSON" },
    countersOf: "Counters of",
    isOutside: "The measured time lies outside the interval: do not trust this forecast.",
    best: "the best model for the counters",
    noTime: "no time (it forecasts one at or below 0)",
    fields: (n: number) => plural(n, "counter"),
    ask: "Forecast",
    asking: "Asking…",
    means: "Fill in the means",
    clear: "Clear",
    curl: "The same by curl",
    curlLabel: "curl command",
    outside: "outside what was seen:",
    seen: "seen",
    json: "Counters as JSON, by provider and name",
    notJson: (why: string) => `Not a JSON object: ${why}`,
    noJson:
      'The field is empty. It needs counters, such as {"oclgrind": {"load_global": 2097152}}.',
    unvalidated: "This model could not be validated: its error is unknown.",
    error: (error: string) => `On kernels it had not seen, it was off by ${error} on average.`,
    better: (provider: string, factor: string) =>
      `${provider}’s counters would be answered more surely (typically off by ${factor}):`,
    interval: (level: string, low: string, high: string) => `${level}: ${low} – ${high}`,
    raised: {
      low: (time: string) =>
        `The lower end is raised to ${time}: the device’s measured ceilings allow no less.`,
      time: (time: string) =>
        `The time is raised to ${time}: the device’s measured ceilings allow no less.`,
    },
    paper: "The paper’s method",
    times: "Forecast, interval and measured time",
    low: "from",
    high: "to",
    unseen: (n: number) => `${plural(n, "counter")} outside what the model has seen`,
    farInterval: (low: string, high: string) =>
      `${low} – ${high} if what was seen goes on so: no probability is known here`,
    noProbability: "interval, of no known probability",
    onlyZero: "only 0 was seen",
    above: (times: string) => `${times} times the largest seen`,
    below: (times: string) => `${times} times the smallest seen`,
    missing: "Missing, so the model’s mean stood in:",
    unused: (n: number) => `${plural(n, "counter")} not used by this model`,
    file: "A profiler’s file",
    choose: "Choose what a profiler printed, or drop it here",
    fileHint:
      "ncu, nvprof, rocprof, rocprofv3, oneprof, unitrace or Oclgrind, or a table of your own: every launch in it is forecast. Nothing is stored.",
    askingAbout: (name: string) => `Asking about ${name}…`,
    launches: (n: number, file: string) => `${plural(n, "launch", "launches")} of ${file}`,
    fileForecasts: "Forecasts of the file’s launches",
    launch: "Launch",
    forecast: "Forecast",
    inFile: "In the file",
    warnings: (n: number) => plural(n, "warning"),
    showAll: (n: number) => `Show all ${count(n)}`,
    leftOut: (n: number) => `Left out of the file: ${plural(n, "note")}`,
    line: (n: number) => `line ${count(n)}`,
  },
  trust: {
    trust: "Trust",
    is: (word: string) => `Trust: ${word}`,
    words: { high: "high", fair: "fair", low: "low", none: "none" },
    why: {
      refused: "There is no forecast.",
      impossible: "A time at or below 0 is no time.",
      measured:
        "The measured time lies outside the interval: the model is wrong about this kernel.",
    },
    noInterval: (why: string) => `No interval: ${why}`,
    unsaid: "the server does not say how far off it may be",
    pending: (n: number) =>
      `${plural(n, "fit")} that may change the answer ${n === 1 ? "is" : "are"} pending`,
    within: (level: string, factor: string) =>
      `${level} of kernels unlike those of the fit lie within ×/÷ ${factor} of their forecast.`,
    warned: {
      outside: (n: number) => `${plural(n, "counter")} outside what the model has seen`,
      missing: (n: number) => `the model’s means stand in for ${plural(n, "missing counter")}`,
      geometry: "only the launch’s geometry is known: how much each work-item does is not counted",
      floor:
        "the model says less than the device’s measured ceilings allow: the time may be much longer",
      disagree: (n: number) =>
        n === 1
          ? "another model disagrees by more than the intervals say"
          : `${count(n)} other models disagree by more than the intervals say`,
    },
    more: (n: number) => ` (and ${plural(n, "more warning")})`,
  },
  others: {
    title: "What other models say",
    beside: "Beside the answer",
    ends: "Interval or error",
    disagrees: "disagrees",
    impossible: "faster than the device’s ceilings allow: not compared",
    extrapolates: "far beyond what it has seen",
    alarm: (n: number) =>
      `${n === 1 ? "Another model disagrees" : `${count(n)} other models disagree`} by more than the intervals say. The answer’s interval is widened to hold what they say: measure before you rely on it.`,
  },
  change: {
    title: "What the change makes of it:",
    none: "no difference",
    model: (before: string, now: string) => `Another model answers: ${now} in place of ${before}.`,
    interval: (level: string, before: string, now: string) => `${level}: ${before}, now ${now}`,
    right: (share: string) => `Right for ${share} of pairs left out that lie as far from 1.`,
    noVerdict: {
      no_forecast: "No verdict: one of the two has no forecast.",
      doubtful: "No verdict: something speaks against one of the two forecasts.",
      not_validated: "No verdict: how often verdicts are right here is not known.",
      not_right_enough:
        "No verdict: such verdicts on kernels left out were not right often enough.",
      not_seconded: "No verdict: a second model does not say the same.",
    },
    more: (n: number) => `and ${count(n)} more`,
    changed: "changed",
    restore: "As measured",
    together:
      "A launch’s work_items are its work_groups × work_group_size. Change along with it, and ask:",
    kept: "All other counters stay as they are.",
  },
  pick: {
    title: "A measured kernel",
    lead: (device: string) =>
      `Its counters on ${device}, and the time it took there beside the forecast.`,
    kernel: "choose a kernel…",
    workload: "Variant, sizes, measured time",
    choose: "choose one…",
    none: "not measured there",
    example: (what: string) => `An example: ${what}`,
    file: "A profiler’s file of your own kernel",
    box: "Forecast a measured kernel",
    ownKernel:
      "A kernel of your own, not measured here: DIR is the folder of its OpenCL C and launch file.",
    ownCommand: "Command that forecasts a kernel of your own",
    noModel: (from: string, to: string) =>
      `No model forecasts ${to} from what was counted on ${from}.`,
    boxLead: "How long will it take on another device, and how far is that to be trusted?",
    on: "on",
    go: "Forecast",
    ownFile: "A profiler’s file",
    ownCounters: "Counters by hand",
  },
  shares: {
    title: "Where the time goes",
    rest: {
      costs: "every launch",
      waves: "every launch",
      corrected: "every launch",
      linear: "intercept",
      forest: "a typical launch",
      across: "what no counter explains",
    },
    others: (n: number) => `${plural(n, "other counter")}`,
    part: "Part",
    time: "Time",
    share: "Share",
    sum: "together",
    change: "Change",
    restWords: {
      costs: "what starting it costs, whatever it does",
      waves: "what starting it costs, whatever it does",
      corrected: "what starting it costs, whatever it does",
      linear: "what the fit adds, whatever was counted",
      forest: "where the model begins: the counters lead from there to this time",
      across: "what the fit adds, whatever was counted",
    },
  },
};
