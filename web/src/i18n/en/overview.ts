/** The overview. */
import { count, times } from "../../lib/format";

export const overview = {
  overview: {
    worstDevice: "Least accurate device",
    worstKernel: "Its least accurate kernel",
    worstCounter: "Largest share of that forecast",
    /** `off`: predicted ÷ measured. */
    ofLongest: (share: string, off: number) =>
      `${share} of the forecast for its longest workload, which is ${times(Math.max(off, 1 / off))} times too ${off > 1 ? "long" : "short"}`,
    off: (error: string) => `mean error ${error}`,
    worstRule:
      "Each device is judged by its most accurate champion. The device shown has the largest mean error on unseen kernels.",
    trust: "How far to trust each device’s forecasts",
    reach: (level: string, factor: string) => `${level} within ${factor}`,
    errors: "Error on unseen kernels",
    lead: "Mean error of each device’s champion, by provider of counters. Each kernel is forecast by a fit that has seen none of its variants and sizes.",
    none: "no counters",
    noFit: "no fit",
    launch: "launch: from the launch’s sizes alone; answers only where there are no other counters",
    unvalidated: "not validated",
    change: (before: string, rose: boolean) => `${rose ? "worse" : "better"}: was ${before}`,
    worst: "worst:",
    scale: "Error:",
    pending: "Until they finish, forecasts and the figures below may change.",
    attention: "Needs attention",
    devices: (devices: string) => `(${devices})`,
    calm: "✓ Nothing needs attention.",
    moreAttention: (n: number) => `${count(n)} more`,
  },
  attention: {
    agent_failing: "Agent failing",
    agent_silent: "Agent silent",
    error_rose: "Champion got worse",
    coverage_off: "Interval coverage is off",
    no_model: "No model could be fitted",
    fits_pending: "Fits pending",
    ceiling_beaten: "Workload exceeds a ceiling",
    job_failing: "Fitting job failing",
    disk_low: "Server’s disk nearly full",
    samples_quarantined: "Samples quarantined",
    model_held: "New champion held for an admin",
    forecasts_moved: "Forecasts moved",
  },
};
