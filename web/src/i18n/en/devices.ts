/** Devices: their list, one device, its ceilings, roofline and local memory. */
export const devices = {
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
      "A workload does more than a ceiling allows, so it was measured too low, perhaps while the device was busy: how near a workload is to the ceiling is off until it is measured again.",
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
};
