//! Simulates a launch in a child.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsString,
    path::Path,
    thread,
    time::Duration,
};

use kerncast_profilers::{Format, parse_as};
use kerncast_suite::Launch;
use kerncast_wire::Scope;

use super::{NAME, cache::Counted};
use crate::{
    child::{ChildJob, Children, Failure, Launching, Outputs},
    providers::CountedWorkload,
};

/// The part of a launch to simulate.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum SimulatedPart {
    /// Every work-group.
    All,
    /// The first and the last work-group; their counts are scaled to all.
    FirstAndLastGroup,
}

/// Simulates a launch by the Oclgrind at `library`.
pub(super) fn simulate(
    children: &Children,
    library: &Path,
    subject: CountedWorkload<'_>,
    part: SimulatedPart,
    limit: Duration,
) -> Result<Counted, Failure> {
    let job = ChildJob::Launch(Launching {
        device: 0,
        workload: subject.workload.key(),
        outputs: Outputs::Ignore,
    });
    let printed = ("OCLGRIND_INST_COUNTS", "1");
    let environment = environment(library, subject.launch, subject.local_bytes, printed, part);
    let answer = children.ask(job, &environment, limit)?;
    let seconds = answer.value;
    let counters = counts(&answer.stdout, subject.launch)?;
    Ok(match part {
        SimulatedPart::All => Counted {
            counters,
            scope: Scope::Full,
            all_would_take_s: seconds,
        },
        SimulatedPart::FirstAndLastGroup => scale(counters, subject, seconds),
    })
}

/// The workload's counters in Oclgrind's output: the sum over its launches, which are the last ones.
fn counts(output: &str, launch: &Launch) -> Result<BTreeMap<String, f64>, Failure> {
    let functions: BTreeSet<&str> = launch.steps.iter().map(|step| &*step.function).collect();
    let functions: Vec<&str> = functions.into_iter().collect();
    let missing = || {
        let functions = functions.join("`, `");
        format!("Oclgrind printed no instruction counts of `{functions}`")
    };
    let profile = parse_as(Format::Oclgrind, output)
        .map_err(|error| Failure::Refused(format!("{}: {error}", missing())))?;
    let launches = profile.launches.into_iter();
    let launches = launches.filter(|it| functions.contains(&&*it.kernel));
    let mut launches: Vec<_> = launches.collect();
    let before = launches.len().checked_sub(launch.steps.len());
    let launches = launches.split_off(before.ok_or_else(|| Failure::Refused(missing()))?);
    let mut sum = BTreeMap::new();
    for (step, mut launches) in launch.steps.iter().zip(launches) {
        let counters = launches.counters.remove(NAME);
        let counters = counters.filter(|_| launches.kernel == *step.function);
        let counters = counters.ok_or_else(|| Failure::Refused(missing()))?;
        for (name, count) in counters.into_iter().filter(|_| step.is_timed) {
            *sum.entry(name).or_default() += count;
        }
    }
    Ok(sum)
}

/// Environment variables for a simulation; `printed`: the variable that selects Oclgrind's output; `part`: all
/// work-groups, or the first and the last.
pub(crate) fn environment(
    library: &Path,
    launch: &Launch,
    local_bytes: u64,
    printed: (&'static str, &str),
    part: SimulatedPart,
) -> Vec<(&'static str, OsString)> {
    // The simulated device has room for whatever the real one could run, as far as Oclgrind knows: it reads
    // sizes of 32 bits, and a larger one comes out as its remainder.
    let memory = (4 * launch.global_bytes()).clamp(1 << 27, u32::MAX as usize);
    let memory = memory.to_string();
    let local = local_bytes.max(1 << 16).to_string();
    let group = launch.work_group_size().max(1024).to_string();
    let mut environment: Vec<(&'static str, OsString)> = vec![
        ("OPENCL_DYLIB_PATH", library.into()),
        (printed.0, printed.1.into()),
        ("OCLGRIND_GLOBAL_MEM_SIZE", memory.clone().into()),
        ("OCLGRIND_CONSTANT_MEM_SIZE", memory.into()),
        ("OCLGRIND_LOCAL_MEM_SIZE", local.into()),
        ("OCLGRIND_MAX_WGSIZE", group.into()),
        // Without thousands separators.
        ("LC_ALL", "C".into()),
    ];
    if part == SimulatedPart::FirstAndLastGroup {
        environment.push(("OCLGRIND_QUICK", "1".into()));
    }
    environment
}

/// Scales counts of two work-groups to all of them.
fn scale(counters: BTreeMap<String, f64>, subject: CountedWorkload<'_>, seconds: f64) -> Counted {
    let groups = subject.launch.work_groups() as f64;
    // Not rounded: half an instruction is nearer than the wrong whole one.
    let counters = counters.into_iter();
    let counters = counters.map(|(name, count)| (name, count * groups / 2.0));
    // Oclgrind simulates as many work-groups at once as there are processors.
    let at_once = thread::available_parallelism().map_or(1, usize::from);
    let at_once = at_once.max(2) as f64;
    Counted {
        counters: counters.collect(),
        scope: Scope::FirstAndLastGroup,
        all_would_take_s: seconds * groups / at_once,
    }
}
