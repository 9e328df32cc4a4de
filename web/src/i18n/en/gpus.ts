/** GPUs that nobody here has measured, ranked. */
export const gpus = {
  gpus: {
    title: "Which GPU?",
    lead: (counted: string) =>
      `How long workloads would take on GPUs that nobody here has measured: by the models of the GPU that is most like each, told its data sheet, and by the counters that the ${counted} counted.`,
    none: "No NVIDIA GPU has models here yet.",
    workloads: "Workloads",
    without: (name: string) => `Without ${name}`,
    ranking: "The fastest first",
    reading:
      "Speed is the geometric mean over the workloads of the time measured ÷ the time forecast. Trust is that of the least trusted forecast: low where the architecture is another one, since nobody has measured how far off that is. Energy is at most: all times at the data sheet’s power.",
    speed: "Speed",
    measured: "measured",
    energy: "Energy ≤",
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
