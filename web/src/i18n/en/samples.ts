/** Samples: their list, one sample, two compared. */
import { count } from "../../lib/format";
import { plural } from "./plural";

export const samples = {
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
};
