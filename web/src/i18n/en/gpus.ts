/** GPUs that nobody here has measured, ranked. */
export const gpus = {
  gpus: {
    title: "Which GPU?",
    lead: (counted: string) =>
      `How long workloads would take on GPUs that nobody here has measured. Each is forecast by the models of the most similar measured GPU, told its data sheet, from counters of the ${counted}.`,
    none: "No NVIDIA GPU has models here yet.",
    workloads: "Workloads",
    without: (name: string) => `Without ${name}`,
    ranking: "Fastest first",
    reading:
      "Speed: time measured on the GPU that counted ÷ time forecast here, the geometric mean over the workloads. Trust: that of the least trusted forecast; low for another architecture, where the only test was off by ×1.59. Energy: forecast time × the data sheet’s power; a GPU seldom draws that much, but the time may be longer.",
    speed: "Speed",
    measured: "measured",
    energy: "Energy, about",
    facts: "Data sheet",
    factsOf: (of: {
      architecture: string;
      multiprocessors: number;
      clock_mhz: number;
      dram_gb_per_s: number;
      watts: number;
    }) =>
      `${of.architecture} · ${of.multiprocessors} × ${(of.clock_mhz / 1000).toFixed(2)} GHz · ${of.dram_gb_per_s.toFixed(0)} GB/s · ${of.watts.toFixed(0)} W`,
    noInterval: "no interval",
  },
};
