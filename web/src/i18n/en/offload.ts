/** Whether offloading pays. */
export const offload = {
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
      `A first call takes ${time} longer, for programs and memory${calls === null ? "." : `: even so the device pays ${calls === "1" ? "at the first call" : `from ${calls} calls on`}.`}`,
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
    },
    passes: "several passes",
    forecast: "Forecast",
    measured: "Measured",
    ratio: "Forecast ÷ measured",
    first: "First call",
    fitted: "stretches the others",
  },
};
