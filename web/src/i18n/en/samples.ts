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
    measurement: "How it was measured",
    median: "Median",
    fastest: "Fastest",
    variation: "Variation",
    repetitions: "Repetitions",
    repetition: "Repetition",
    batch: "Launches per repetition",
    settled: "Median settled",
    warm: "warm",
    cold: "cold",
    state: "Caches",
    warmCold:
      "Warm: the launch before left the buffers in the caches. Cold: the caches were overwritten.",
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
    noMatch: "No matching counter.",
    zeros: (n: number) => `${plural(n, "counter")} at 0`,
  },
  list: {
    lead: "Each sample is one workload measured once on one device: its times and its counters.",
    find: "Find",
    provider: "Counted by",
    matches: (shown: number, loaded: number, all: boolean) =>
      all
        ? `${count(shown)} of ${plural(loaded, "sample")}`
        : `${count(shown)} of the newest ${count(loaded)}; search and sorting cover only what is loaded (load more below)`,
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
    more: (n: number) => `${plural(n, "more counter")} with smaller differences`,
    equal: (n: number) => `${plural(n, "counter")} equal`,
  },
  light: {
    title: "Speed of light",
    counted: {
      ncu: "Bytes are DRAM traffic counted with cold caches (ncu); the time is of warm ones. L1, L2 and local memory have no ceiling here.",
      oclgrind:
        "Bytes are all that loads and stores request; caches serve part of them (Oclgrind).",
    },
    gain: (ceiling: string, least: string, factor: string) =>
      `The nearest ceiling is “${ceiling}”: at it, the time would be ${least}, a speedup of at most ${factor}.`,
    above: (ceiling: string) =>
      `The time is shorter than the ceiling “${ceiling}” allows: the ceiling is too low, or caches served part of what was counted.`,
    ceiling: "Ceiling",
    timeAtCeiling: "At ceiling",
    share: "Share",
    maxSpeedup: "Max. speedup",
  },
};
