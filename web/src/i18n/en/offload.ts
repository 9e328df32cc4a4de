/** Whether offloading pays. */
export const offload = {
  offload: {
    title: "Does offloading pay?",
    lead: "For data in the host’s memory: how long the device takes, transfers included, compared with one core and all cores of its machine.",
    question: "The job",
    none: "No device’s streams have been measured yet",
    how: "On a machine with a device, this measures how fast data gets to the device and back, and how fast the host works by itself:",
    command: "Measure and upload",
    device: "Device",
    work: "Operation",
    works: {
      transform: "transform: k · x",
      sine: "transform: sin² + cos²",
      reduce: "reduce: sum",
      scan: "scan: running sums",
      sort: "sort",
      scatter: "scatter: to random places",
    },
    type: "Element type",
    size: "Array size",
    amount: "Amount",
    unit: "Unit",
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
      `Offload to ${device}: ${times} times as fast as its host (the faster of one core and all cores)`,
    hostVerdict: (who: string, times: string) =>
      `Stay on ${who}: ${times} times as fast as the device`,
    certainty: {
      certain: "This holds wherever in their intervals the times lie.",
      doubtful: "But the intervals overlap: another may be faster.",
      unchecked: "But forecasts of such lengths have not been checked.",
    },
    warm: "Times are of a call after the first, transfers included.",
    between: (low: string, high: string) => `${low} to ${high}`,
    unchecked: "no interval",
    asMeasured: (device: string, memory: string, threads: string) =>
      `${device} using ${memory} of its memory, and ${threads} cores; rates measured on`,
    sizesTitle: "Time by array size",
    time: "Time",
    thisSize: "this size",
    fasterFrom: (than: string, bytes: string) =>
      `The device is faster than ${than} from ${bytes} on.`,
    neverFaster: (than: string) => `The device is never faster than ${than}.`,
    changesTitle: "What would change the answer",
    boundBy: {
      staging:
        "The largest part of the device’s time is copying to pinned memory by the host’s threads: pinned arrays need no such copy.",
      unstaging:
        "The largest part of the device’s time is copying from pinned memory by the host’s threads: pinned arrays need no such copy.",
      to_device:
        "The largest part of the device’s time is the transfer to it: a faster bus would help.",
      from_device:
        "The largest part of the device’s time is the transfer back: a faster bus would help.",
      device: "The largest part of the device’s time is its own work: a faster device would help.",
      fixed:
        "The largest part of the device’s time is the fixed cost of a call: only longer arrays, or several in one call, would help.",
    },
    pinned: (time: string, pays: boolean, pinning: string) =>
      `With pinned arrays the device takes ${time}, and ${pays ? "pays" : "does not pay"} compared with all cores; pinning them takes ${pinning} once.`,
    moreMemory: (time: string) => `With enough device memory for all of it at once: ${time}.`,
    start: (time: string, calls: string | null) =>
      `A first call takes ${time} longer, for programs and memory${calls === null ? "." : `. Even so, the device pays ${calls === "1" ? "at the first call" : `after ${calls} calls`}.`}`,
    unknownStart:
      "How much longer a first call takes has not been measured: kerncast offload … --measure does that.",
    checksTitle: "How accurate such forecasts were",
    checksLead:
      "After the rates were measured, arrays of other lengths were forecast and then timed. The longest check of each way scales the forecasts, so it does not judge them.",
    by: "By",
    ways: {
      staged: "the device, pageable arrays",
      pinned: "the device, pinned arrays",
      file: "the device, files",
      mapped: "the device, in the host’s memory",
      "one core": "one core",
      "all cores": "all cores",
    },
    passes: "several trips",
    forecast: "Forecast",
    measured: "Measured",
    ratio: "Forecast ÷ measured",
    first: "First call",
    usedForScaling: "scales the others",
  },
};
