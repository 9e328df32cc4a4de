/** Samples that are set aside, and models that wait. */
import { plural } from "./plural";

export const quarantine = {
  quarantine: {
    lead: "A sample far from its workload’s earlier times, or from the champion’s forecast, is set aside before anything is fitted to it. It stays stored and listed.",
    admins: "To decide here, enter an admin’s token on the page Access.",
    held: "Held models",
    noneHeld: "No model is held.",
    heldLead:
      "Their errors on unseen kernels are far above those of the models before them. The earlier models answer until an admin accepts the new ones or rejects the samples behind them.",
    quarantined: "Quarantined samples",
    none: "No sample is quarantined.",
    quarantinedLead:
      "They are judged again with each later collection: a real change is accepted once it has been measured twice.",
    of: (n: number, agent: string, device: string) =>
      `${plural(n, "sample")} of ${agent} on ${device}`,
    device: "the device",
    sample: "Sample",
    standing: "Standing",
    stored: "Stored",
    why: "Why",
    by: (name: string) => `by ${name}`,
    reason: "Reason",
    reasonFor: (about: string) => `Reason: ${about}`,
    choice: (what: string, about: string) => `${what}: ${about}`,
    accept: "Accept",
    reject: "Reject",
    restore: "Restore",
    decided: "Decisions by admins",
    noneDecided: "No admin has rejected or accepted a sample.",
    decidedLead:
      "Nothing is deleted. Restoring a sample takes the decision back: its standing is as the gate left it, and unless that is sound, the gate judges it again.",
    shownSamples: (n: number) => `the ${plural(n, "sample")} shown`,
    undo: "Undo uploads",
    undoLead:
      "Select samples by agent, token, device, kernel and time. Samples that match every field you fill in are affected. New fits start automatically.",
    choose: "Choose samples",
    what: "Action",
    token: "Token number",
    kernel: "Kernel",
    from: "Stored from",
    before: "Stored before",
    dryRun: "Preview",
    doIt: (what: string) => `${what} them`,
    result: (n: number, dry: boolean) =>
      dry ? `This would change ${plural(n, "sample")}.` : `Changed ${plural(n, "sample")}.`,
  },
};
