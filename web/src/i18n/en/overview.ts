/** The overview. */
import { count, times } from "../../lib/format";

export const overview = {
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
    launch: "launch: from sizes alone; answers only where nobody counted more",
    unvalidated: "not validated",
    change: (before: string, rose: boolean) => `${rose ? "worse" : "better"}: ${before} before`,
    worst: "worst:",
    scale: "Error:",
    pending: "Until they are done, what follows and forecasts may change.",
    attention: "Needs attention",
    of: (devices: string) => `(${devices})`,
    calm: "✓ Nothing needs attention.",
    moreAttention: (n: number) => `${count(n)} more`,
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
};
