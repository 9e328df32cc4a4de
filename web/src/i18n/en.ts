/** The interface in English. `ja.ts` has the same keys; the compiler and a test see to it. */
import type { Attention, FieldProblem, ModelSummary, Problem, Sample } from "../api/client";
import { count, times } from "../lib/format";
import { type Broken, isNotFinite } from "../lib/json";
import type { Told } from "../lib/warnings";

function plural(n: number, noun: string, many = `${noun}s`): string {
  return `${count(n)} ${n === 1 ? noun : many}`;
}

/** What JSON may go on with. */
const WANTED: Record<Broken["wanted"], string> = {
  object: "an object, which begins with {,",
  name: "a name in double quotes",
  colon: "a colon",
  value: "a value",
  comma: "a comma or the closing bracket",
  end: "nothing",
};

export const en = {
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
  /** Why the server refused something. */
  refusal: ({ title, detail }: Problem): string => detail ?? title,
  /** What a field needs, in one line a reader can act on. */
  complaint: ({ value, expected }: FieldProblem): string =>
    `expected ${expected}` + (value == null ? "" : `, not ${value}`),
  /** As the server says it. */
  warning: ({ text }: Told) => text,
  /** Why something needs attention. */
  because: ({ detail }: Attention, _device: (id: number) => string): string => detail,
  /** Why the gate, or an admin, set a sample aside. */
  setAside: ({ standing_reason }: Pick<Sample, "standing_reason" | "standing_doubts">): string =>
    standing_reason ?? "",
  /** Why there is no fit; null: there is one. */
  fitRefusal: ({ refusal }: Pick<ModelSummary, "refusal" | "refused">): string | null =>
    refusal ?? null,
  /** Why a model waits for an admin. */
  heldBecause: ({ held }: Pick<ModelSummary, "held" | "held_because">): string => held ?? "",
  flagNames: { throttled: "throttled", shared: "device shared", outliers: "outliers" },
  scopes: {
    full: "The whole launch was counted.",
    first_and_last_group: "The first and the last work-group were counted, and scaled to all.",
    sampled_groups: "Counted in some work-groups, which stand for the others.",
    reduced_size: "Counted at a smaller size.",
  },
  nav: {
    label: "Pages",
    language: "Language",
    theme: "Theme",
    settings: "Settings",
    themes: { system: "As the system", light: "Light", dark: "Dark" },
    fitting: (n: number) => `${plural(n, "fit")} under way…`,
    /** The same, where there is little room. */
    fits: (n: number) => `${plural(n, "fit")}…`,
    pages: {
      "": "Overview",
      models: "Models",
      across: "Across devices",
      forecast: "Forecast",
      offload: "Offload",
      kernels: "Kernels",
      samples: "Samples",
      devices: "Devices",
      agents: "Agents and jobs",
      quarantine: "Quarantine",
      access: "Access",
    },
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
    byForeseen: (error: string, factor: string) =>
      `By counters foreseen from the source, in place of counted ones, it was off by ${error} on average (${factor}).`,
    intervalByForeseen: (level: string, factor: string, share: string) =>
      `Its ${level} intervals are then ${factor} wide, and hold for ${share}.`,
  },
  figure: {
    numbers: "The numbers as a table",
    saveSvg: (label: string) => `Save as SVG: ${label}`,
    saveCsv: (label: string) => `Save as CSV: ${label}`,
  },
  overview: {
    worstDevice: "Forecast worst",
    worstKernel: "Its worst kernel",
    worstCounter: "The largest share of its forecast comes from",
    /** `off`: predicted ÷ measured. */
    ofLongest: (share: string, off: number) =>
      `${share} of the forecast for its longest workload, ${times(Math.max(off, 1 / off))} times too ${off > 1 ? "long" : "short"}`,
    off: (error: string) => `off by ${error} on average`,
    worstRule:
      "Of each device the champion with the least mean error on unseen kernels; of these the largest.",
    trust: "How far to trust which device",
    reach: (level: string, factor: string) => `${level} within ${factor}`,
    errors: "Error on unseen kernels",
    lead: "Mean error of each device’s champion model, by provider of counters. All variants and sizes of a kernel are left out together before it is forecast.",
    none: "no counters",
    noFit: "no fit",
    sideways: (providers: string) => `Columns, sideways: ${providers}`,
    unvalidated: "not validated",
    change: (before: string, rose: boolean) => `${rose ? "worse" : "better"}: ${before} before`,
    worst: "worst:",
    scale: "Error:",
    pending: "Until they are done, what follows and forecasts may change.",
    attention: "Needs attention",
    of: (devices: string) => `(${devices})`,
    calm: "Nothing needs attention.",
  },
  attention: {
    agent_failing: "An agent fails",
    agent_silent: "An agent is silent",
    error_rose: "A champion became worse",
    coverage_off: "Intervals do not hold",
    no_model: "No model could be fitted",
    fits_pending: "Fits are pending",
    ceiling_beaten: "A workload beats a ceiling",
    job_failing: "A fitting job fails",
    disk_low: "The server's disk is nearly full",
    samples_quarantined: "Samples are quarantined",
    model_held: "A new champion waits for an admin",
    forecasts_moved: "Forecasts have moved",
  },
  models: {
    title: "Models",
    lead: "Error of the forecast on kernels that the fit had not seen, all variants and sizes of a kernel left out together. Single rows left out look better, because other sizes of the same kernel stay in.",
    paper:
      "For comparison, the paper’s method in the paper (ten kernels, leave one out): GTX 480 4.6 % without local memory and 5.0 % with it; GTX 285 38.9 % and 21.8 %. Shimada, Endo, Maruyama and Matsuoka, 2010.",
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
      device: "device",
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
      device: "devices left out",
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
    validationCsv: "validation as CSV",
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
  sample: {
    on: "Measured on",
    flags: "Doubts",
    forecast: "Forecast from these counters",
    elsewhere: "Forecast on another device",
    times: "Times",
    made: "How it was made",
    median: "Median",
    fastest: "Fastest",
    variation: "Variation",
    repetitions: "Repetitions",
    repetition: "Repetition",
    batch: "Launches each",
    settled: "Median settled",
    warm: "warm",
    cold: "cold",
    state: "Caches",
    warmCold:
      "Warm: the launch before left the buffers in the caches. Cold: they were overwritten.",
    agent: "Agent",
    measured: "Measured",
    origin: "Origin",
    driver: "Driver",
    platform: "Platform",
    options: "Build options",
    source: "Source",
    clock: "Clock",
    memoryClock: "Memory clock",
    temperature: "Temperature",
    power: "Power",
    throttled: "Throttled by",
    counters: "Counters",
    search: "Find a counter",
    noneFound: "No counter has such a name or such words.",
    zeros: (n: number) => `${plural(n, "counter")} at 0`,
  },
  device: {
    device: "Device",
    lead: "The highest rates measured on each device, and how many samples there are of it.",
    missing: "There is no such device",
    kinds: { cpu: "CPU", gpu: "GPU", accelerator: "accelerator" },
    shipped: "shipped",
    shippedWords: "Measured elsewhere: it came with Kerncast",
    measuredOn: "Measured",
    last: "Newest sample",
    computeUnits: "Compute units",
    globalMemory: "Global memory",
    champions: "Champions:",
    ceilingsTitle: "Ceilings",
    noCeilings: "Not measured yet. On its machine, run",
    doubtful: "doubtful",
    /** Behind the kernel's name. */
    beaten: (found: string, ceiling: string, says: string, more: string): string =>
      ` reaches ${found}, ${more} times the ceiling “${ceiling}” of ${says}.`,
    beatenBy: (provider: string): string => `(counted by ${provider})`,
    beatenLead:
      "A workload does more than a ceiling allows, so it was measured too low, perhaps while the device was busy: forecasts from another device, and how near a workload is to the ceiling, are off until it is measured again.",
    again: "Measure again",
    ceilings: {
      copy_bytes_per_s: "Copy",
      local_bytes_per_s: "Local memory",
      fp32_flop_per_s: "fp32",
      fp64_flop_per_s: "fp64",
      int32_op_per_s: "int32",
      host_to_device_bytes_per_s: "To the device",
      device_to_host_bytes_per_s: "From the device",
      launch_latency_s: "Launch",
    },
  },
  roofline: {
    title: "Roofline",
    lead: "Every kernel’s longest workload: floating-point operations per byte against operations per second. The slope is what a copy reaches, the flats are the measured rates.",
    counted: {
      ncu: "Bytes are DRAM traffic (ncu): a kernel that lives in the caches stands far to the right.",
      oclgrind:
        "Bytes are those that loads and stores ask for, of which caches serve a part, and an operation on a vector counts once (Oclgrind): a kernel may stand above the slope.",
    },
    intensity: "operations per byte",
    rate: "operations per second",
    precision: "precision",
    none: "A roofline needs counters of floating-point operations and DRAM traffic; this device has none yet (ncu and Oclgrind count them).",
  },
  local: {
    title: "Loads from local memory",
    lead: "i loads by w warps with c of their work-items in one bank, and the fitted line.",
    cycles: "cycles",
    measured: "measured",
    line: "fitted line",
    formula: (text: string) => `${text}.`,
    dashed: (from: string, least: string, off: string, constant: string) =>
      `Below i·w·c = ${from} it does not hold, and is dashed: at ${least} it is ${off} times what was measured. Least squares of the times fit the long loads, and leave a constant of ${constant}, far from the short ones; on logarithmic axes a line with a constant is a curve.`,
  },
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
    noVerdict: (device: string) =>
      `On ${device} it was not measured both without and with local memory.`,
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
    lead: "Time without local memory ÷ time with it. Above the line, local memory is faster. Filled marks are measured; hollow ones are forecast from the counters without local memory, by models that had not seen the kernel.",
    speedup: "speedup",
    measured: "measured",
    forecast: "forecast",
    forecasts: "Forecasts by models that had not seen this kernel",
    from: (device: string) => `from ${device}`,
    model: "By",
    typical: "Typically off",
    right: "Sign right",
    clear: "of clear speedups",
    always: "Always the same answer",
    yes: "faster",
    no: "slower",
    cannotTell: "cannot tell",
    trust:
      "Over all kernels, each left out in turn: how far a forecast speedup is typically off, and how often it says rightly whether local memory pays off; the same of clear speedups, which differ from 1 by more than a tenth; and how often always giving the same answer would be right. Where no model is better than the median speedup, the median answers; where none is right more often than the same answer for all, by more than chance, it cannot tell.",
    without: "time without local memory",
  },
  forecast: {
    title: "How long will it take?",
    countedOn: "Counted on",
    itself: "the device itself",
    timeOn: (device: string) => `Time on ${device}, in seconds`,
    timeUnused: "This model does not use it.",
    byCeilings: "Its time there, scaled by both devices’ ceilings",
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
    notJson: ({ line, column, wanted, found }: Broken): string => {
      const where = `Not JSON: line ${count(line)}, column ${count(column)}:`;
      if (found === "") return `${where} the text ends where ${WANTED[wanted]} should stand.`;
      if (isNotFinite(found)) return `${where} ${found} is no number in JSON.`;
      if (wanted === "end") return `${where} ${found} stands after the end of the object.`;
      if (found.startsWith('"') && wanted !== "comma" && wanted !== "colon")
        return `${where} a text in double quotes does not end, or holds what JSON does not allow.`;
      return `${where} ${found} stands where ${WANTED[wanted]} should.`;
    },
    noJson:
      'The field is empty. It needs counters, such as {"oclgrind": {"load_global": 2097152}}.',
    unvalidated: "This model could not be validated: its error is unknown.",
    error: (error: string) => `On kernels it had not seen, it was off by ${error} on average.`,
    errorForeseen: (error: string) =>
      `On kernels it had not seen, by counters foreseen from the source as these are, it was off by ${error} on average.`,
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
      "ncu, nvprof, rocprof, rocprofv3, oneprof or Oclgrind, or a table of your own: every launch in it is forecast. Nothing is stored.",
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
  gain: {
    title: "With local memory",
    verdicts: {
      yes: "It pays off",
      no: "It does not pay off",
      cannotTell: "Cannot tell",
    },
    /** Without a verdict: the speedup, and the odds of the likelier of the two. */
    unsure: (speedup: string, paysOff: boolean, odds: string) =>
      `Cannot tell: ${speedup}; the odds that it ${paysOff ? "pays off" : "does not pay off"} are ${odds}`,
    odds: "The odds come from how far off the model was on kernels left out.",
    right: (share: string) => `Such verdicts are right for ${share} of unseen workloads.`,
    already: "This variant uses local memory already.",
    missing: (n: number) =>
      `${plural(n, "counter")} of the model ${n === 1 ? "is" : "are"} missing.`,
    chance: (right: string, always: string, better: number, worse: number) =>
      `On unseen kernels the model is right for ${right} of workloads, always saying the same for ${always}: better for ${plural(better, "kernel")}, worse for ${count(worse)}. That may be chance.`,
    unknown: "No model of speedups knows these counters on this device.",
    noSuchTime: (time: string) =>
      `It would be told from the time without local memory, and ${time} is none that a kernel takes.`,
  },
  change: {
    title: "What the change makes of it:",
    none: "no difference",
    model: (before: string, now: string) => `Another model answers: ${now} in place of ${before}.`,
    interval: (level: string, before: string, now: string) => `${level}: ${before}, now ${now}`,
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
  list: {
    lead: "What was measured: a workload's times on a device, and what was counted.",
    find: "Find",
    counted: "Counted by",
    shown: (shown: number, loaded: number, all: boolean) =>
      all
        ? `${count(shown)} of ${plural(loaded, "sample")}`
        : `${count(shown)} of the newest ${count(loaded)}: more can be loaded below, and are not searched or sorted before`,
    more: (n: number) => `Load ${count(n)} more`,
  },
  offload: {
    title: "Does the device pay?",
    lead: "For data in the host’s memory: how long the device takes with the way there and back, beside one core and all cores of its machine.",
    question: "The question",
    none: "Nobody has measured a device’s streams yet",
    how: "On the machine of a device, this measures how fast data get there and back, and what its host does by itself:",
    command: "Measure and upload",
    device: "Device",
    work: "What is done",
    works: {
      transform: "transform: k · x",
      sine: "transform: sin² + cos²",
      reduce: "reduce: a sum",
      scan: "scan: all sums",
      sort: "sort",
      scatter: "scatter to random places",
    },
    type: "Elements",
    size: "Size of the array",
    amount: "How much",
    unit: "In units of",
    memory: "Device memory used (GiB)",
    most: "three quarters",
    who: {
      device: "the device",
      device_pinned: "the device, pinned arrays",
      one_core: "one core",
      all_cores: "all cores",
    },
    fastest: "fastest",
    paysVerdict: (device: string, times: string) =>
      `Give it to ${device}: ${times} times as fast as its host`,
    hostVerdict: (who: string, times: string) =>
      `Leave it to ${who}: ${times} times as fast as the device`,
    certainty: {
      certain: "That holds wherever in the intervals the times lie.",
      doubtful: "But the intervals overlap: it may be another.",
      unchecked: "But nobody checked how far forecasts of such lengths are off.",
    },
    warm: "A call that is not the first; the way there and back counts.",
    between: (low: string, high: string) => `${low} to ${high}`,
    unchecked: "no interval",
    asMeasured: (device: string, memory: string, threads: string) =>
      `${device} with ${memory} of its memory, beside ${threads} cores; rates measured on`,
    sizesTitle: "Times at all lengths",
    time: "Time",
    here: "asked",
    fasterFrom: (than: string, bytes: string) => `Faster than ${than} from ${bytes} on.`,
    neverFaster: (than: string) => `At no length faster than ${than}.`,
    changesTitle: "What would change the answer",
    boundBy: {
      staging:
        "The largest part of the device’s time goes to the host’s threads that copy to pinned memory: pinned arrays need none.",
      unstaging:
        "The largest part of the device’s time goes to the host’s threads that copy from pinned memory: pinned arrays need none.",
      to_device: "The largest part of the device’s time goes to the way there: a faster bus.",
      from_device: "The largest part of the device’s time goes to the way back: a faster bus.",
      device: "The largest part of the device’s time goes to its own work: a faster device.",
      fixed:
        "The largest part of the device’s time goes to what each call takes however short: only longer arrays, or several in one call.",
    },
    pinned: (time: string, pays: boolean, pinning: string) =>
      `With pinned arrays the device takes ${time}, and ${pays ? "pays" : "does not pay"} beside all cores; pinning them takes ${pinning} once.`,
    moreMemory: (time: string) => `With device memory for all of it at once: ${time}.`,
    start: (time: string, calls: string | null) =>
      `A first call takes ${time} longer, for programs and memory${calls === null ? "." : `: with that the device pays from ${calls} calls on.`}`,
    unknownStart:
      "What a first call takes longer was not measured: kerncast offload … --measure does that.",
    checksTitle: "How such forecasts did",
    checksLead:
      "After the rates were measured, arrays of other lengths were forecast and then timed. The longest check of each way stretches the forecasts, and says nothing of them.",
    by: "By",
    ways: {
      staged: "the device, pageable arrays",
      pinned: "the device, pinned arrays",
      file: "the device, files",
      mapped: "the device, in the host’s memory",
      "one core": "one core",
      "all cores": "all cores",
      "all cores, file": "all cores, files",
    },
    beside: (way: string, others: string) => `${way}, with ${others}`,
    passes: "several passes",
    forecast: "Forecast",
    measured: "Measured",
    ratio: "Forecast ÷ measured",
    first: "First call",
    fitted: "stretches the others",
    runsTitle: "Streams that were done",
    runsLead:
      "Each was forecast before it was done, by kerncast stream on this device’s machine. Those that the newest rates forecast may be checks as well.",
    noRuns: "None yet. On the device’s machine, for example:",
    record: (runs: string, median: string, p95: string | null) =>
      p95 === null
        ? `Forecasts of ${runs} streams were off by ${median} in the median.`
        : `Forecasts of ${runs} streams were off by ${median} in the median, and one in twenty by more than ${p95}.`,
    heldBy: (within: string, of: string) =>
      `Of ${of} that had an interval, ${within} took as long as it said.`,
    when: "When (UTC)",
    interval: "Interval",
    inside: "held",
    outside: "missed",
  },
  compare: {
    title: "Compare two samples",
    short: "Compare",
    with: "Compare with…",
    both: "Compare the two",
    chooseTwo: (n: string) => `Choose two to compare (${n} of 2)`,
    chooseIt: (what: string) => `Compare ${what}`,
    swap: "Swap A and B",
    others: "Other samples",
    same: "Both take the same time, to within 0.5 %.",
    verdict: (factor: string, faster: boolean) =>
      faster ? `B is ${factor} as fast as A.` : `B takes ${factor} as long as A.`,
    noneDiffers: "No counter differs.",
    more: (n: number) => `${plural(n, "counter")} more that differ less`,
    equal: (n: number) => `${plural(n, "counter")} equal`,
  },
  search: {
    title: "Search",
    placeholder: "Kernel, device, model, sample…",
    found: "Found",
    none: "Nothing has such a name.",
    kinds: { page: "page", kernel: "kernel", device: "device", model: "model", sample: "samples" },
  },
  light: {
    title: "Speed of light",
    counted: {
      ncu: "Bytes are DRAM traffic (ncu); what caches serve is not among them.",
      oclgrind:
        "Bytes are those that loads and stores ask for, of which caches serve a part (Oclgrind).",
    },
    gain: (ceiling: string, least: string, factor: string) =>
      `Nearest is the ceiling “${ceiling}”: there it would take ${least}, ${factor} as fast at most.`,
    above: (ceiling: string) =>
      `It is faster than the ceiling “${ceiling}” allows: the ceiling is too low, or caches serve what was counted.`,
    ceiling: "Ceiling",
    least: "At the ceiling",
    share: "How near",
    most: "Gain at most",
  },
  across: {
    matrix: "One device’s counters, another’s time",
    lead: "Mean error on unseen kernels, forecast from the counters and the time on the device counted on. Below it, the plain baseline: that time scaled by both devices’ ceilings.",
    from: "Counted on",
    to: "forecast",
    ceilings: "by ceilings",
    loses: "loses to the ceilings: do not trust it",
    losesWords:
      "The model that answers is off further on average than the plain baseline, which scales the time by the ceilings: do not trust its forecasts. Champions are chosen by the typical factor, where too long and too short count alike; the mean error is large where some forecasts are far too long.",
    /** Each as mean error and typical factor. */
    losesHere: (
      method: string,
      [mean, factor]: readonly [string, string],
      [plainMean, plainFactor]: readonly [string, string],
    ) =>
      `Do not trust ${method}, which answers: it is off by ${mean} on average, and the plain baseline across_ceilings by ${plainMean}. Champions are chosen by the typical factor: here ${factor}, of the baseline ${plainFactor}.`,
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
  agents: {
    agents: "Agents",
    none: "No agent has uploaded yet. On a machine with an OpenCL device:",
    next: (name: string) => `Agents after ${name}`,
    all: "All agents",
    version: "Version",
    seen: "Last seen",
    state: "State",
    states: {
      well: "well",
      failing: "failing",
      silent: "silent for two days",
      unreported: "never reported",
      shipped: "came with Kerncast",
      retired: "retired",
    },
    upload: "Newest upload",
    spool: "Waiting in its spool",
    spoolSince: "The oldest of them since",
    rejected: "Refused by the server",
    run: "Last run",
    ended: "Ended",
    measured: "Workloads measured",
    failed: "Failed",
    skipped: "Not run",
    jobs: "Fitting jobs",
    noJobs: "No fit is waiting: every model is up to date.",
    asked: "Asked for",
    attempts: "Failed tries",
    lastError: "Last error",
    givenUp: "Given up until the next upload.",
  },
  access: {
    wanted: "This server shows its data to whoever has a token",
    wantedText: "Its admin makes tokens.",
    give: "Give a token",
    lead: {
      everybody: "Everybody who reaches this server may read. Whoever uploads needs a token.",
      token: "Whoever reads or uploads needs a token.",
    },
    unknown: "The server does not know this token",
    unknownText:
      "It may be mistyped, or revoked. Forget it, then give another one here, or go on without; an admin makes tokens.",
    own: "Your token",
    ownLead: "It stays in this tab until you close it.",
    token: "Token",
    use: "Use it",
    forget: "Forget this token",
    admins: "Tokens are made, listed and revoked here by whoever gives an admin’s token.",
    roles: { reader: "reader", agent: "agent", admin: "admin" },
    may: {
      reader: "may read and forecast",
      agent: "may upload what its agent measures",
      admin: "may do everything",
    },
    tokens: "Tokens",
    name: "Name",
    role: "Role",
    agent: "Agent",
    devices: "Devices",
    anyDevice: "any",
    made: "Made",
    used: "Last used",
    never: "never",
    revoke: "Revoke",
    revokeIt: (name: string) => `Revoke the token ${name}`,
    sure: (name: string) => `Revoke the token ${name}? It can’t be taken back.`,
    revoked: (when: string) => `revoked ${when}`,
    newToken: "A new token",
    purpose: "What it is for",
    agentName: "The agent’s name, as its KERNCAST_AGENT has it",
    deviceNames: "Devices that it may speak of, one a line; empty: any",
    make: "Make it",
    once: "Copy it now: nobody can read it again.",
    codes: "Enrolment codes",
    codesLead:
      "An agent’s machine exchanges a code for a token of its own, once. Nobody ever sees that token.",
    noCodes: "None is waiting to be used.",
    expires: "Good until",
    newCode: "A new enrolment code",
    hours: "Hours for which it is good",
    onTheMachine: "Now, on the agent’s machine:",
  },
  quarantine: {
    lead: "A sample far from what its workload always took, or from what the champion says, is set aside before anything is fitted to it. It stays stored and listed.",
    admins: "Whoever gives an admin’s token on the page Access decides here.",
    held: "Models that wait",
    noneHeld: "No model waits.",
    heldLead:
      "Their errors on unseen kernels are far above those of the models before them, which answer in their place until somebody accepts the new ones or rejects the samples behind them.",
    quarantined: "Quarantined samples",
    none: "No sample is quarantined.",
    quarantinedLead:
      "Each later collection has them judged again: an honest change is accepted when it is measured twice.",
    of: (n: number, agent: string, device: string) =>
      `${plural(n, "sample")} of ${agent} on ${device}`,
    device: "the device",
    sample: "Sample",
    standing: "Standing",
    stored: "Stored",
    why: "Why",
    by: (name: string) => `by ${name}`,
    reason: "Reason",
    reasonFor: (about: string) => `Reason: ${about}`,
    choice: (what: string, about: string) => `${what}: ${about}`,
    accept: "Accept",
    reject: "Reject",
    restore: "Restore",
    decided: "Decided by admins",
    noneDecided: "No admin has rejected or accepted a sample.",
    decidedLead:
      "Nothing is deleted. What is restored is as the gate had left it; what it had not found sound it judges again.",
    shown: (n: number) => `the ${plural(n, "sample")} shown`,
    undo: "Undo uploads",
    undoLead:
      "Samples by agent, token, device, kernel and time: those to which all that is given applies. Fits follow by themselves.",
    choose: "Choose samples",
    what: "What to do",
    token: "Token, by its number",
    kernel: "Kernel",
    from: "Stored from",
    before: "Stored before",
    dryRun: "What would it change?",
    doIt: (what: string) => `${what} them`,
    result: (n: number, dry: boolean) =>
      dry ? `It would change ${plural(n, "sample")}.` : `It has changed ${plural(n, "sample")}.`,
  },
  audit: {
    title: "Audit log",
    when: "When",
    who: "Who",
    what: "What",
    about: "About",
    more: (n: number) => `The newest ${count(n)} are shown; GET /v1/audit has all.`,
    actions: {
      reject_samples: "samples rejected",
      accept_samples: "samples accepted",
      restore_samples: "samples restored",
      accept_model: "model accepted",
      make_token: "token made",
      revoke_token: "token revoked",
      make_enrolment_code: "enrolment code made",
      enrol: "agent enrolled",
      describe_device: "device described anew",
      describe_kernel: "kernel described anew",
      bring_shipped: "shipped data brought",
    },
  },
};
