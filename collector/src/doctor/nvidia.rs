//! NVIDIA's devices: replays through CUDA, and Nsight Compute.

use std::time::Duration;

use super::{Check, Severity, counters, trial};
use crate::{
    child::Children,
    providers::{Profiler, ncu::NsightCompute, probe},
    replay::{Batch, Through, replay},
};

/// Time limit for the start of both drivers and of ncu.
const LIMIT: Duration = Duration::from_secs(60);

pub(super) fn examine(children: &Children, device: usize) -> Vec<Check> {
    let mut checks = vec![counters::permission(), counters::other_profilers()];
    let workload = match trial(children) {
        Ok(workload) => workload,
        Err(error) => {
            checks.push(Check::problem("replay", error.to_string()));
            return checks;
        }
    };
    let batch = Batch {
        children,
        device,
        workloads: &[workload],
        limit: LIMIT,
    };
    let replayed = replays(batch);
    let works = replayed.severity == Severity::Good;
    checks.push(replayed);
    checks.push(match NsightCompute::find() {
        Err(reason) => Check::problem("ncu", reason),
        Ok(ncu) => {
            let version = Profiler::version(&ncu).to_owned();
            match works.then(|| probe(ncu, batch)) {
                None => Check::warning(
                    "ncu",
                    format!("{version}; not tried, since the replay does not work"),
                ),
                Some(Ok(counters)) => Check::good(
                    "ncu",
                    format!("{version}, gave {counters} counters of a replay"),
                ),
                Some(Err(reason)) => Check::problem("ncu", reason),
            }
        }
    });
    checks
}

/// Checks whether the driver's PTX can be patched, the CUDA driver accepts it, and both give the same outputs.
fn replays(batch: Batch<'_>) -> Check {
    const WHAT: &str = "replay";
    let ended = match replay(batch, &[], Through::Cuda) {
        Ok(ended) => ended,
        Err(error) => return Check::problem(WHAT, error.to_string()),
    };
    match (ended.outcomes.first(), ended.status) {
        (Some(outcome), _) => match &outcome.time_s {
            Ok(_) => Check::good(WHAT, "CUDA does what OpenCL does"),
            Err(reason) => Check::problem(WHAT, reason),
        },
        (None, Some(status)) => Check::problem(WHAT, format!("crashed ({status})")),
        (None, None) => Check::problem(WHAT, format!("hung for {} s", LIMIT.as_secs())),
    }
}
