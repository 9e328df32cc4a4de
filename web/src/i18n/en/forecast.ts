/** The forecast, and wherever one is shown. */
import { count } from "../../lib/format";
import { plural } from "./plural";

export const forecast = {
  forecast: {
    title: "How long will it take?",
    countedOn: "Counted on",
    itself: "the device itself",
    timeOn: (device: string) => `Time on ${device}, in seconds`,
    timeUnused: "This model does not use the time.",
    lead: "Give a kernel’s counters to get its time on a device, and how far to trust it.",
    counters: "Counters",
    model: "Model",
    also: "Also forecast, each by its champion",
    how: "How to give the counters",
    ways: { kernel: "Measured kernel", file: "File", fields: "Fields", json: "JSON" },
    countersOf: "Counters of",
    isOutside: "The measured time lies outside the interval: do not trust this forecast.",
    best: "the best model for these counters",
    noTime: "no time (forecast at or below 0)",
    fields: (n: number) => plural(n, "counter"),
    ask: "Forecast",
    pending: "Forecasting…",
    means: "Fill in the means",
    clear: "Clear",
    curl: "The same request with curl",
    curlLabel: "curl command",
    outsideRange: "outside the range seen:",
    rangeSeen: "range seen:",
    json: "Counters as JSON, by provider and name",
    notJson: (why: string) => `Not a JSON object: ${why}`,
    noJson:
      'The field is empty. Enter all counters of a launch, by provider and name, such as {"oclgrind": {"load_global": 2097152, …}}.',
    unvalidated: "not validated: its error is unknown",
    error: (error: string) => `mean error on unseen kernels: ${error}`,
    better: (provider: string, factor: string) =>
      `Counters of ${provider} would give a more certain forecast (typical error ${factor}). To count them:`,
    interval: (level: string, low: string, high: string) => `${level}: ${low} – ${high}`,
    raised: {
      low: (time: string) =>
        `The interval’s lower end was raised to ${time}: the device’s measured ceilings allow no shorter time.`,
      time: (time: string) =>
        `The time was raised to ${time}: the device’s measured ceilings allow no shorter one.`,
    },
    paper: "The paper’s method",
    times: "Forecast, interval and measured time",
    low: "Interval from",
    high: "Interval to",
    outsideCounters: (n: number) =>
      `${plural(n, "counter")} outside the range that the model has seen`,
    farInterval: (low: string, high: string) =>
      `${low} – ${high}, extrapolated beyond the range seen: its probability is unknown`,
    noProbability: "interval of unknown probability",
    onlyZero: "only 0 was seen",
    above: (times: string) => `${times} times the largest seen`,
    below: (times: string) => `${times} times the smallest seen`,
    missing: "Missing, and replaced by the model’s means:",
    unused: (n: number) => `${plural(n, "counter")} not used by this model`,
    file: "A profiler’s file",
    choose: "Choose a profiler’s output, or drop it here",
    fileHint:
      "Output of ncu, nvprof, rocprof, rocprofv3, oneprof, unitrace or Oclgrind, or a table of your own. Every launch in it is forecast. Nothing is stored.",
    pendingFile: (name: string) => `Forecasting ${name}…`,
    launches: (n: number, file: string) => `${plural(n, "launch", "launches")} in ${file}`,
    fileForecasts: "Forecasts of the file’s launches",
    launch: "Launch",
    forecast: "Forecast",
    timeInFile: "Time in the file",
    warnings: (n: number) => plural(n, "warning"),
    showAll: (n: number) => `Show all ${count(n)}`,
    leftOut: (n: number) => `${plural(n, "note")} on what was left out`,
    line: (n: number) => `line ${count(n)}`,
  },
  trust: {
    trust: "Trust",
    is: (word: string) => `Trust: ${word}`,
    words: { high: "high", fair: "fair", low: "low", none: "none" },
    why: {
      refused: "There is no forecast.",
      impossible: "A time can’t be at or below 0.",
      measured:
        "The measured time lies outside the interval: the model is wrong about this kernel.",
    },
    noInterval: (why: string) => `No interval: ${why}`,
    errorUnknown: "the server does not say how far off the forecast may be",
    pending: (n: number) =>
      `${plural(n, "fit")} that may change the answer ${n === 1 ? "is" : "are"} pending`,
    within: (level: string, factor: string) =>
      `${level} of forecasts like this one, for kernels unlike those of the fit, are within ×/÷ ${factor}.`,
    warned: {
      outside: (n: number) => `${plural(n, "counter")} outside the range that the model has seen`,
      missing: (n: number) => `${plural(n, "missing counter")} replaced by the model’s means`,
      geometry: "only the launch’s geometry is known: the work of each work-item was not counted",
      floor:
        "the model forecasts a shorter time than the device’s measured ceilings allow: the real time may be much longer",
      disagree: (n: number) =>
        n === 1
          ? "another model disagrees by more than the intervals allow"
          : `${count(n)} other models disagree by more than the intervals allow`,
    },
    more: (n: number) => ` (and ${plural(n, "more warning")})`,
  },
  others: {
    title: "Forecasts of other models",
    ratio: "÷ this forecast",
    intervalOrError: "Interval or error",
    disagrees: "disagrees",
    impossible: "faster than the device’s ceilings allow: not compared",
    extrapolates: "far outside the range it has seen",
    alarm: (n: number) =>
      `${n === 1 ? "Another model disagrees" : `${count(n)} other models disagree`} by more than the intervals allow. The interval above has been widened to include ${n === 1 ? "its forecast" : "their forecasts"}. Measure before you rely on it.`,
  },
  change: {
    title: "Effect of the change:",
    none: "no difference",
    model: (before: string, now: string) => `Another model answers: ${now} instead of ${before}.`,
    interval: (level: string, before: string, now: string) =>
      `${level} interval: ${before} before, ${now} now`,
    correct: (share: string) =>
      `Such verdicts were right for ${share} of left-out pairs as far from 1.`,
    noVerdict: {
      no_forecast: "No verdict: one of the two has no forecast.",
      doubtful: "No verdict: one of the two forecasts is doubtful.",
      not_validated: "No verdict: it is not known how often verdicts are right here.",
      not_right_enough:
        "No verdict: such verdicts on left-out kernels were not right often enough.",
      not_seconded: "No verdict: the second opinion does not agree.",
    },
    more: (n: number) => `and ${count(n)} more`,
    changed: "changed",
    restore: "Reset to measured",
    mustMatch:
      "A launch’s work_items are its work_groups × work_group_size. To match, also change:",
    othersUnchanged: "All other counters stay as they are.",
  },
  pick: {
    title: "A measured kernel",
    lead: (device: string) =>
      `Forecast from its counters on ${device}, beside its measured time there.`,
    kernel: "choose a kernel…",
    workload: "Variant, sizes, measured time",
    choose: "choose one…",
    none: "not measured there",
    example: (what: string) => `Example: ${what}`,
    file: "A profiler’s file of your own kernel",
    box: "Forecast a measured kernel",
    ownKernel:
      "For a kernel of your own, which need not be measured, run this. DIR is the folder with its OpenCL C and its launch file.",
    ownCommand: "Command that forecasts a kernel of your own",
    noModel: (from: string, to: string) => `No model forecasts ${to} from counters of ${from}.`,
    boxLead: "How long will it take on another device, and how far can you trust the forecast?",
    on: "on",
    go: "Forecast",
    ownFile: "A profiler’s file",
    ownCounters: "Counters by hand",
  },
  shares: {
    title: "Where the time goes",
    rest: {
      costs: "fixed cost per launch",
      waves: "fixed cost per launch",
      corrected: "fixed cost per launch",
      linear: "intercept",
      forest: "a typical launch",
      across: "not explained by counters",
    },
    others: (n: number) => `${plural(n, "other counter")}`,
    part: "Part",
    time: "Time",
    share: "Share",
    sum: "total",
    change: "Change",
    restWords: {
      costs: "for starting the launch, whatever it does",
      waves: "for starting the launch, whatever it does",
      corrected: "for starting the launch, whatever it does",
      linear: "added by the fit, whatever was counted",
      forest: "where the model starts; the counters lead from there to this time",
      across: "added by the fit, whatever was counted",
    },
  },
};
