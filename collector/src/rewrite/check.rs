//! Checks by running whether the new variant gives the same outputs as the variant that it is made of.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use kerncast_opencl::DeviceFacts;
use kerncast_suite::{Kernel, Launch, Parameters, Size, sizes};
use serde::Serialize;

use super::{REWRITTEN_VARIANT, load_kernel, workload};
use crate::{
    child::{ChildJob, Children, Failure, Launching, Outputs},
    device,
    providers::oclgrind::{self, SimulatedPart},
    workload::WorkloadKey,
};

/// Time limit for all sizes together.
const ALL_SIZES_LIMIT: Duration = Duration::from_secs(40);
/// Time limit of a variant at a size that the user named.
const NAMED_SIZE_LIMIT: Duration = Duration::from_secs(600);
/// Time limit of the simulation.
const SIMULATION_LIMIT: Duration = Duration::from_secs(20);
/// The most bytes of all buffers at a size that is tried.
const LARGEST_LAUNCH_BYTES: usize = 32 << 20;
/// The environment variable that makes Oclgrind look for races.
const RACE_DETECTION: (&str, &str) = ("OCLGRIND_DATA_RACES", "1");
/// The most work-items of a simulated launch.
const MOST_SIMULATED_ITEMS: usize = 1 << 14;

/// The result of running both variants.
#[derive(Debug, Default, Serialize)]
pub struct CheckResult {
    /// Sizes at which outputs are equal.
    pub equal: Vec<String>,
    /// Sizes at which Oclgrind found neither a race nor a barrier that some work-items miss.
    pub race_free: Vec<String>,
    /// Sizes that were skipped, and why.
    pub skipped: Vec<String>,
    /// Faults; empty where there are none.
    pub failures: Vec<String>,
}

impl CheckResult {
    /// Whether at least one size was tried and nothing failed.
    pub fn is_right(&self) -> bool {
        self.failures.is_empty() && !self.equal.is_empty()
    }
}

/// Runs the new variant of the kernel in `folder` and the variant that it is made of, and simulates the new one at the
/// smallest size with two work-groups. Both run at the sizes that suit this device and its kind within
/// [`ALL_SIZES_LIMIT`], or else at the sizes in `named`, however long these take.
///
/// # Errors
/// The folder has no kernel, or can't be written to.
pub fn check(
    children: &Children,
    device: &DeviceFacts,
    folder: &Path,
    original: &str,
    named: &[Parameters],
) -> Result<CheckResult> {
    let mut kernel = load_kernel(folder)?;
    if !named.is_empty() {
        kernel.sizes.retain(|it| named.contains(&it.parameters));
    }
    let most_bytes = most_bytes(&kernel, device)?;
    let mut check = Check {
        children,
        device,
        kernel: &kernel,
        original,
        most_bytes: named.is_empty().then_some(most_bytes),
        begin: Instant::now(),
        result: CheckResult::default(),
    };
    for size in &kernel.sizes {
        if !check.try_size(size)? {
            break;
        }
    }
    check.look_for_races()?;
    Ok(check.result)
}

/// The variants whose outputs are compared, the limits of the comparison, and its result so far.
struct Check<'a> {
    children: &'a Children,
    device: &'a DeviceFacts,
    kernel: &'a Kernel,
    /// The name of the variant that the new one is made of.
    original: &'a str,
    /// The most bytes of all buffers at a size that is tried; none where sizes were named.
    most_bytes: Option<usize>,
    begin: Instant,
    result: CheckResult,
}

impl Check<'_> {
    /// Runs both variants at a size, unless the size is skipped. Returns whether the next size may be tried: not after
    /// a failure.
    fn try_size(&mut self, size: &Size) -> Result<bool> {
        let name = sizes(&size.parameters);
        let time_left = match self.most_bytes {
            Some(_) => ALL_SIZES_LIMIT.saturating_sub(self.begin.elapsed()),
            None => NAMED_SIZE_LIMIT,
        };
        let seconds = ALL_SIZES_LIMIT.as_secs();
        let takes_long =
            format!("{name}: all sizes together have {seconds} s; --size {name} tries it alone");
        if time_left.is_zero() {
            self.result.skipped.push(takes_long);
            return Ok(true);
        }
        let launch = workload(self.kernel, REWRITTEN_VARIANT, &size.parameters)?.launch()?;
        if let Some(why) = self.why_skipped(size, &launch) {
            self.result.skipped.push(format!("{name}: {why}"));
            return Ok(true);
        }
        match self.compare(&size.parameters, comparison(&launch)?, time_left) {
            Ok(()) => self.result.equal.push(name),
            // What the author's own variant does not finish either, says nothing; nor does what had less time.
            Err((variant, Failure::Hung { .. }))
                if variant == self.original
                    || (time_left < ALL_SIZES_LIMIT && !self.result.equal.is_empty()) =>
            {
                self.result.skipped.push(takes_long);
            }
            Err((_, failure)) => {
                self.result.failures.push(format!("{name}: {failure}"));
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Why a size is not tried; none where it is.
    fn why_skipped(&self, size: &Size, launch: &Launch) -> Option<String> {
        if let Err(why) = launch.fits(device::limits(self.device)) {
            return Some(why.to_string());
        }
        let most_bytes = self.most_bytes?;
        let why = if !device::is_for(size, device::kind(self.device)) {
            "for other kinds of devices"
        } else if launch.global_bytes() > most_bytes {
            "buffers above 32 MiB"
        } else {
            return None;
        };
        Some(format!(
            "{why}; --size {} tries it",
            sizes(&size.parameters)
        ))
    }

    /// Runs both variants at a size and compares their outputs; an error names the variant that failed.
    fn compare(
        &self,
        parameters: &Parameters,
        compare: fn(PathBuf) -> Outputs,
        limit: Duration,
    ) -> Result<(), (&str, Failure)> {
        let outputs = self.children.scratch().join("localize");
        let _ = fs::remove_dir_all(&outputs);
        fs::create_dir_all(&outputs).map_err(|error| (self.original, error.into()))?;
        let variants = [
            (self.original, Outputs::Keep(outputs.clone())),
            (REWRITTEN_VARIANT, compare(outputs)),
        ];
        for (variant, outputs) in variants {
            let job = ChildJob::Launch(Launching {
                device: self.device.index,
                workload: WorkloadKey::new(self.kernel, variant, parameters),
                outputs,
            });
            let answer = self.children.ask::<f64>(job, &[], limit);
            answer.map_err(|failure| (variant, failure))?;
        }
        Ok(())
    }

    /// Has Oclgrind check every access at the smallest size of two work-groups for races and for barriers that some
    /// work-items miss. If the original variant has such a fault itself, the result says so.
    fn look_for_races(&mut self) -> Result<()> {
        let mut launches = Vec::new();
        for size in &self.kernel.sizes {
            let launch = workload(self.kernel, REWRITTEN_VARIANT, &size.parameters)?.launch()?;
            launches.push((launch.work_items(), launch.work_groups()));
        }
        let Some(size) = self.kernel.sizes.get(to_simulate(&launches)) else {
            return Ok(());
        };
        let name = sizes(&size.parameters);
        match self.simulate(REWRITTEN_VARIANT, &size.parameters)? {
            Simulation::Missing => {
                let why = "races: Oclgrind is not installed".to_owned();
                self.result.skipped.push(why);
            }
            Simulation::Right => self.result.race_free.push(name.clone()),
            Simulation::Long => {
                let seconds = SIMULATION_LIMIT.as_secs();
                let why = format!("races at {name}: takes more than {seconds} s");
                self.result.skipped.push(why);
            }
            // What it can't run of the author's, either, it says nothing of.
            Simulation::Unable(why) => match self.simulate(self.original, &size.parameters)? {
                Simulation::Unable(_) => {
                    self.result.skipped.push(format!("races at {name}: {why}"));
                }
                _ => self.result.failures.push(format!("{name}: {why}")),
            },
            Simulation::Wrong(why) => self.result.failures.push(format!("{name}: {why}")),
        }
        // Where the outputs differ, a race of the author's may be why.
        if !self.result.failures.is_empty()
            && let Simulation::Wrong(why) = self.simulate(self.original, &size.parameters)?
        {
            let original = self.original;
            let why = format!(
                "`{original}`, which it is made of, has a mistake of its own: {name}: {why}"
            );
            self.result.failures.insert(0, why);
        }
        Ok(())
    }

    fn simulate(&self, variant: &str, parameters: &Parameters) -> Result<Simulation> {
        let Ok(library) = oclgrind::library() else {
            return Ok(Simulation::Missing);
        };
        let workload = workload(self.kernel, variant, parameters)?;
        let launch = workload.launch()?;
        let log = self.children.scratch().join("races.log");
        let _ = fs::remove_file(&log);
        let part = if launch.work_items() > MOST_SIMULATED_ITEMS && launch.work_groups() > 2 {
            SimulatedPart::FirstAndLastGroup
        } else {
            SimulatedPart::All
        };
        let mut environment = oclgrind::environment(&library, &launch, 0, RACE_DETECTION, part);
        environment.push(("OCLGRIND_LOG", log.clone().into()));
        let job = ChildJob::Launch(Launching {
            device: 0,
            workload: workload.key(),
            outputs: Outputs::Ignore,
        });
        let answer = self
            .children
            .ask::<f64>(job, &environment, SIMULATION_LIMIT);
        let log = fs::read_to_string(&log).unwrap_or_default();
        let fault = log.lines().find(|line| !line.trim().is_empty());
        Ok(match (answer, fault) {
            (_, Some(fault)) => Simulation::Wrong(format!("Oclgrind says: {fault}")),
            (Ok(_), None) => Simulation::Right,
            (Err(Failure::Hung { .. }), None) => Simulation::Long,
            (Err(failure), None) => Simulation::Unable(format!("simulated: {failure}")),
        })
    }
}

/// The result of a simulation.
enum Simulation {
    Missing,
    Right,
    Long,
    /// Oclgrind ended without running the launch.
    Unable(String),
    Wrong(String),
}

/// The most bytes of all buffers at a size that is tried. If all sizes have more, the bytes of the smallest.
fn most_bytes(kernel: &Kernel, device: &DeviceFacts) -> Result<usize> {
    let mut smallest = None;
    let (sizes, kind) = (kernel.sizes.iter(), device::kind(device));
    for size in sizes.filter(|it| device::is_for(it, kind)) {
        let launch = workload(kernel, REWRITTEN_VARIANT, &size.parameters)?.launch()?;
        if launch.fits(device::limits(device)).is_ok() {
            let bytes = launch.global_bytes();
            smallest = Some(smallest.map_or(bytes, |least: usize| least.min(bytes)));
        }
    }
    Ok(LARGEST_LAUNCH_BYTES.max(smallest.unwrap_or_default()))
}

/// The comparison of outputs. The rewrite changes neither operations nor their order, so outputs must be equal to the
/// last bit. Only if build options allow the compiler to change operations, or atomics leave the order open, the
/// kernel's tolerance applies. (NaN is refused before: it never agrees.)
fn comparison(launch: &Launch) -> Result<fn(PathBuf) -> Outputs> {
    let changes = [
        "-cl-fast-relaxed-math",
        "-cl-unsafe-math-optimizations",
        "-cl-mad-enable",
    ];
    let source = fs::read_to_string(&launch.source);
    let source = source.with_context(|| format!("cannot read {}", launch.source.display()))?;
    let is_open = changes.iter().any(|it| launch.options.contains(it)) || source.contains("atom");
    Ok(if is_open {
        Outputs::Compare
    } else {
        Outputs::Equal
    })
}

/// The index of the launch to simulate, by (work-items, work-groups): the smallest with two work-groups, or the first
/// if none has two. Races between groups need two groups.
fn to_simulate(launches: &[(usize, usize)]) -> usize {
    let several = launches.iter().enumerate();
    let several = several.filter(|(_, (_, groups))| *groups > 1);
    let smallest = several.min_by_key(|(_, (items, _))| *items);
    smallest.map_or(0, |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::to_simulate;

    #[test]
    fn two_groups_are_simulated_where_there_are() {
        assert_eq!(to_simulate(&[(16, 1), (64, 4), (32, 2)]), 2);
        assert_eq!(to_simulate(&[(16, 1), (32, 1)]), 0);
    }
}
