/** Samples that are set aside, and models that wait. */
import { plural } from "./plural";

export const quarantine = {
  quarantine: {
    lead: "A sample far from what its workload always took, or from what the champion says, is set aside before anything is fitted to it. It stays stored and listed.",
    admins: "Whoever gives an admin’s token on the page Access decides here.",
    held: "Models that wait",
    noneHeld: "No model waits.",
    heldLead:
      "Their errors on unseen kernels are far above those of the models before them, which answer in their place until somebody accepts the new ones or rejects the samples behind them.",
    quarantined: "Quarantined samples",
    none: "No sample is quarantined.",
    quarantinedLead:
      "Each later collection has them judged again: an honest change is accepted when it is measured twice.",
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
    decided: "Decided by admins",
    noneDecided: "No admin has rejected or accepted a sample.",
    decidedLead:
      "Nothing is deleted. What is restored is as the gate had left it; what it had not found sound it judges again.",
    shown: (n: number) => `the ${plural(n, "sample")} shown`,
    undo: "Undo uploads",
    undoLead:
      "Samples by agent, token, device, kernel and time: those to which all that is given applies. Fits follow by themselves.",
    choose: "Choose samples",
    what: "What to do",
    token: "Token, by its number",
    kernel: "Kernel",
    from: "Stored from",
    before: "Stored before",
    dryRun: "What would it change?",
    doIt: (what: string) => `${what} them`,
    result: (n: number, dry: boolean) =>
      dry ? `It would change ${plural(n, "sample")}.` : `It has changed ${plural(n, "sample")}.`,
  },
};
