//! Whether the variant that was made does what the one does that it was made of: by running both.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use kerncast_opencl::DeviceFacts;
use kerncast_suite::{Kernel, Launch, Parameters, Size, load, sizes};
use serde::Serialize;

use super::GENERATED;
use crate::{
    child::{Children, Failure, Job, Launching, Outputs},
    device,
    providers::oclgrind::{self, Part},
    workload::Target,
};

/// All sizes together may take so long.
const LIMIT: Duration = Duration::from_secs(40);
/// Each variant may, at a size that was asked for.
const NAMED_LIMIT: Duration = Duration::from_secs(600);
/// The simulation may take so long.
const SIMULATION_LIMIT: Duration = Duration::from_secs(20);
/// Bytes of all buffers at the largest size that is tried.
const MOST_BYTES: usize = 32 << 20;
/// What Oclgrind is asked for.
const RACES: (&str, &str) = ("OCLGRIND_DATA_RACES", "1");
/// Work-items of a launch that is simulated.
const MOST_SIMULATED: usize = 1 << 14;

/// What running has shown.
#[derive(Debug, Default, Serialize)]
pub struct CheckResult {
    /// Sizes at which outputs are equal.
    pub equal: Vec<String>,
    /// Sizes at which Oclgrind found neither a race nor a barrier that some work-items miss.
    pub race_free: Vec<String>,
    /// Sizes that were not tried, and why.
    pub skipped: Vec<String>,
    /// What is wrong; empty where nothing is.
    pub failures: Vec<String>,
}

impl CheckResult {
    /// Whether something was tried, and nothing failed.
    pub fn is_right(&self) -> bool {
        self.failures.is_empty() && !self.equal.is_empty()
    }
}

/// Runs the variant of the kernel in `folder` and the one that it was made of at the sizes that this device and its
/// kind can take in [`LIMIT`], or at those that are `wanted`, whatever they take, and simulates it at the smallest of two
/// work-groups.
///
/// # Errors
/// The folder is no kernel's, or can't be written to.
pub fn check(
    children: &Children,
    device: &DeviceFacts,
    folder: &Path,
    of: &str,
    wanted: &[Parameters],
) -> Result<CheckResult> {
    let mut kernel = load(folder)?.pop().context("a folder is a kernel's")?;
    if !wanted.is_empty() {
        kernel.sizes.retain(|it| wanted.contains(&it.parameters));
    }
    let mut checked = CheckResult::default();
    let begun = Instant::now();
    let most_bytes = most_bytes(&kernel, device)?;
    for size in &kernel.sizes {
        let name = sizes(&size.parameters);
        let left = match wanted.is_empty() {
            true => LIMIT.saturating_sub(begun.elapsed()),
            false => NAMED_LIMIT,
        };
        let long = || {
            let seconds = LIMIT.as_secs();
            format!("{name}: all sizes together have {seconds} s; --size {name} tries it alone")
        };
        if left.is_zero() {
            checked.skipped.push(long());
            continue;
        }
        let variant = kernel.variant(GENERATED).context("the variant is there")?;
        let launch = Launch::new(&kernel, variant, &size.parameters)?;
        if let Err(why) = launch.fits(device::limits(device)) {
            checked.skipped.push(format!("{name}: {why}"));
            continue;
        }
        let is_here = is_for(size, device);
        if wanted.is_empty() && (!is_here || launch.global_bytes() > most_bytes) {
            let what = if is_here {
                "buffers above 32 MiB"
            } else {
                "for other kinds of devices"
            };
            checked
                .skipped
                .push(format!("{name}: {what}; --size {name} tries it"));
            continue;
        }
        let compare = comparison(&launch)?;
        match run(
            children,
            device,
            &kernel,
            [of, GENERATED],
            &size.parameters,
            compare,
            left,
        ) {
            Ok(()) => checked.equal.push(name),
            // What the author's own variant does not finish either, says nothing; nor does what had less time.
            Err((variant, Failure::Hung { .. }))
                if variant == of || (left < LIMIT && !checked.equal.is_empty()) =>
            {
                checked.skipped.push(long());
            }
            Err((_, failure)) => {
                checked.failures.push(format!("{name}: {failure}"));
                break;
            }
        }
    }
    races(children, &kernel, of, &mut checked)?;
    Ok(checked)
}

/// Whether the launch file has the size for devices of this kind.
fn is_for(size: &Size, device: &DeviceFacts) -> bool {
    size.on.is_empty() || size.on.contains(&device::kind(device))
}

/// Bytes of all buffers at the largest size that is tried: where all sizes have more, those of the smallest.
fn most_bytes(kernel: &Kernel, device: &DeviceFacts) -> Result<usize> {
    let variant = kernel.variant(GENERATED).context("the variant is there")?;
    let mut smallest = None;
    for size in kernel.sizes.iter().filter(|it| is_for(it, device)) {
        let launch = Launch::new(kernel, variant, &size.parameters)?;
        if launch.fits(device::limits(device)).is_ok() {
            let bytes = launch.global_bytes();
            smallest = Some(smallest.map_or(bytes, |least: usize| least.min(bytes)));
        }
    }
    Ok(MOST_BYTES.max(smallest.unwrap_or_default()))
}

/// Fails with the variant that did.
fn run<'a>(
    children: &Children,
    device: &DeviceFacts,
    kernel: &Kernel,
    [of, made]: [&'a str; 2],
    parameters: &Parameters,
    compare: fn(PathBuf) -> Outputs,
    limit: Duration,
) -> Result<(), (&'a str, Failure)> {
    let outputs = children.scratch().join("localize");
    let _ = fs::remove_dir_all(&outputs);
    fs::create_dir_all(&outputs).map_err(|error| (of, error.into()))?;
    let keep: fn(PathBuf) -> Outputs = Outputs::Keep;
    for (variant, outputs) in [(of, keep(outputs.clone())), (made, compare(outputs))] {
        let job = Job::Launch(Launching {
            device: device.index,
            target: target(kernel, variant, parameters),
            outputs,
        });
        let ran = children.ask::<f64>(job, &[], limit);
        ran.map_err(|failure| (variant, failure))?;
    }
    Ok(())
}

/// The rewrite changes neither operations nor their order, so that outputs are the same to the last bit. Only where
/// the build options let the compiler change them, or atomics leave the order open, may they differ by the kernel's
/// tolerance. (What is not a number is refused before: NaN never agrees.)
fn comparison(launch: &Launch) -> Result<fn(PathBuf) -> Outputs> {
    let changes = [
        "-cl-fast-relaxed-math",
        "-cl-unsafe-math-optimizations",
        "-cl-mad-enable",
    ];
    let source = fs::read_to_string(&launch.source)
        .with_context(|| format!("cannot read {}", launch.source.display()))?;
    let is_open = changes.iter().any(|it| launch.options.contains(it)) || source.contains("atom");
    Ok(match is_open {
        true => Outputs::Compare,
        false => Outputs::Equal,
    })
}

fn target(kernel: &Kernel, variant: &str, parameters: &Parameters) -> Target {
    Target {
        folder: kernel.folder.clone(),
        variant: variant.to_owned(),
        parameters: parameters.clone(),
    }
}

/// The smallest of launches with so many work-items in so many work-groups that has two groups, or the first where none
/// has: what groups do to each other shows only where there are two.
fn to_simulate(launches: &[(usize, usize)]) -> usize {
    let several = launches.iter().enumerate();
    let several = several.filter(|(_, (_, groups))| *groups > 1);
    several
        .min_by_key(|(_, (items, _))| *items)
        .map_or(0, |(at, _)| at)
}

/// Oclgrind looks at every access at the smallest size of two work-groups: races, and barriers that not all work-items
/// reach. What it says of the variant that this one was made of is its author's.
fn races(children: &Children, kernel: &Kernel, of: &str, checked: &mut CheckResult) -> Result<()> {
    let variant = kernel.variant(GENERATED).context("the variant is there")?;
    let mut launches = Vec::new();
    for size in &kernel.sizes {
        let launch = Launch::new(kernel, variant, &size.parameters)?;
        launches.push((launch.work_items(), launch.work_groups()));
    }
    let Some(size) = kernel.sizes.get(to_simulate(&launches)) else {
        return Ok(());
    };
    let name = sizes(&size.parameters);
    let said = simulated(children, kernel, GENERATED, &size.parameters)?;
    match said {
        Simulated::Missing => {
            let why = "races: Oclgrind is not installed".to_owned();
            checked.skipped.push(why);
        }
        Simulated::Right => checked.race_free.push(name.clone()),
        Simulated::Long => {
            let seconds = SIMULATION_LIMIT.as_secs();
            let why = format!("races at {name}: takes more than {seconds} s");
            checked.skipped.push(why);
        }
        // What it can't run of the author's, either, it says nothing of.
        Simulated::Unable(why) => match simulated(children, kernel, of, &size.parameters)? {
            Simulated::Unable(_) => checked.skipped.push(format!("races at {name}: {why}")),
            _ => checked.failures.push(format!("{name}: {why}")),
        },
        Simulated::Wrong(why) => checked.failures.push(format!("{name}: {why}")),
    }
    // Where the outputs differ, a race of the author's may be why.
    if !checked.failures.is_empty()
        && let Simulated::Wrong(why) = simulated(children, kernel, of, &size.parameters)?
    {
        let why = format!("`{of}`, which it is made of, has a mistake of its own: {name}: {why}");
        checked.failures.insert(0, why);
    }
    Ok(())
}

/// What Oclgrind says of a launch.
enum Simulated {
    Missing,
    Right,
    Long,
    /// It ended without having run it.
    Unable(String),
    Wrong(String),
}

fn simulated(
    children: &Children,
    kernel: &Kernel,
    variant: &str,
    parameters: &Parameters,
) -> Result<Simulated> {
    let Ok(library) = oclgrind::library() else {
        return Ok(Simulated::Missing);
    };
    let own = kernel.variant(variant).context("the variant is there")?;
    let launch = Launch::new(kernel, own, parameters)?;
    let log = children.scratch().join("races.log");
    let _ = fs::remove_file(&log);
    let part = match launch.work_items() > MOST_SIMULATED && launch.work_groups() > 2 {
        true => Part::FirstAndLastGroup,
        false => Part::All,
    };
    let mut environment = oclgrind::environment(&library, &launch, 0, RACES, part);
    environment.push(("OCLGRIND_LOG", log.clone().into()));
    let job = Job::Launch(Launching {
        device: 0,
        target: target(kernel, variant, parameters),
        outputs: Outputs::Ignore,
    });
    let ran = children.ask::<f64>(job, &environment, SIMULATION_LIMIT);
    let said = fs::read_to_string(&log).unwrap_or_default();
    let wrong = said.lines().find(|line| !line.trim().is_empty());
    Ok(match (ran, wrong) {
        (_, Some(wrong)) => Simulated::Wrong(format!("Oclgrind says: {wrong}")),
        (Ok(_), None) => Simulated::Right,
        (Err(Failure::Hung { .. }), None) => Simulated::Long,
        (Err(failure), None) => Simulated::Unable(format!("simulated: {failure}")),
    })
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
