//! NVIDIA's devices: the way through CUDA and Nsight Compute.

use std::time::Duration;

use super::{Check, Verdict, counters, probe};
use crate::{
    child::Children,
    providers::ncu::{Tool, probe},
    replay::{Through, replay},
    workload::Target,
};

/// For both drivers' start, and ncu's.
const LIMIT: Duration = Duration::from_secs(60);

pub(super) fn examine(children: &Children, device: usize) -> Vec<Check> {
    let mut checks = vec![counters::permission(), counters::other_profilers()];
    let target = match probe::target(children) {
        Ok(target) => target,
        Err(error) => {
            checks.push(Check::problem("replay", error.to_string()));
            return checks;
        }
    };
    let replayed = replays(children, device, &target);
    let works = replayed.verdict == Verdict::Good;
    checks.push(replayed);
    checks.push(match Tool::find() {
        Err(reason) => Check::problem("ncu", reason),
        Ok(tool) if !works => {
            let found = format!(
                "{}; not tried, since the replay does not work",
                tool.version
            );
            Check::new("ncu", Verdict::Warning, found)
        }
        Ok(tool) => match probe(&tool, children, device, &target, LIMIT) {
            Ok(counters) => {
                let found = format!("{}, gave {counters} counters of a replay", tool.version);
                Check::good("ncu", found)
            }
            Err(reason) => Check::problem("ncu", reason),
        },
    });
    checks
}

/// Whether the driver's PTX can be patched, the CUDA driver takes it, and it does the same.
fn replays(children: &Children, device: usize, target: &Target) -> Check {
    const WHAT: &str = "replay";
    let targets = std::slice::from_ref(target);
    let ended = match replay(children, &[], Through::Cuda, device, targets, LIMIT) {
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
