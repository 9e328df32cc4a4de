/** Devices: their list, one device, its ceilings, roofline and local memory. */
export const devices = {
  device: {
    device: "Device",
    lead: "The highest rates measured on each device, and the number of its samples.",
    missing: "No such device",
    kinds: { cpu: "CPU", gpu: "GPU", accelerator: "accelerator" },
    shipped: "shipped",
    shippedWords: "Measured elsewhere: came with Kerncast",
    measuredOn: "Measured",
    last: "Newest sample",
    computeUnits: "Compute units",
    globalMemory: "Global memory",
    champions: "Champions:",
    ceilingsTitle: "Ceilings",
    noCeilings: "Not measured yet. On its machine, run",
    doubtful: "doubtful",
    /** Follows the kernel's name. */
    beaten: (found: string, ceiling: string, says: string, more: string): string =>
      ` reaches ${found}, ${more} times the ceiling “${ceiling}” of ${says}.`,
    beatenBy: (provider: string): string => `(counted by ${provider})`,
    beatenLead:
      "A workload exceeds a ceiling, so the ceiling was measured too low, perhaps because the device was busy. Until it is measured again, shares of the ceiling are too high.",
    measureAgain: "Measure again",
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
    lead: "Each kernel’s longest workload: floating-point operations per second against operations per byte. The slope is the bandwidth of a copy; the flat lines are the measured arithmetic rates.",
    counted: {
      ncu: "Bytes are DRAM traffic counted with cold caches (ncu); times are of warm ones. So a kernel whose buffers fit the L2 may lie above the slope.",
      oclgrind:
        "Bytes are all that loads and stores request, though caches serve part of them, and an operation on a vector counts once (Oclgrind). So a kernel may lie above the slope.",
    },
    intensity: "operations per byte",
    rate: "operations per second",
    precision: "precision",
    none: "A roofline needs counters of floating-point operations and DRAM traffic; this device has none yet (ncu and Oclgrind count them).",
  },
  local: {
    title: "Loads from local memory",
    lead: "i loads by each of w warps, with c work-items in one bank, and the fitted line.",
    cycles: "cycles",
    measured: "measured",
    line: "fitted line",
    formula: (text: string) => `${text}.`,
    dashed: (from: string, least: string, off: string, constant: string) =>
      `Below i·w·c = ${from} the line does not hold (dashed): at ${least} it is ${off} times the measured value. Least squares fits the long loads and leaves a constant of ${constant}, which is far from the short ones. On logarithmic axes, a line with a constant is a curve.`,
  },
};
