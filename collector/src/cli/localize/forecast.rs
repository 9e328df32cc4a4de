//! Whether it pays, said beforehand: both variants' counters, from the source alone, and what the server says of them.

use std::path::Path;

use anyhow::{Context, Result};
use kerncast_collector::{localize::GENERATED, workload::Workload};
use kerncast_suite::{Kernel, load, sizes};
use kerncast_wire::{CounterSet, DeviceKind, SpeedupForecast};
use serde::Serialize;

use crate::cli::{
    forecast::{counting::Counting, doubt_speedup, refusal},
    kernels::largest,
    lab,
    options::ServerOptions,
    predict::answer::seconds,
    progress::Progress,
    speedup::{request, set},
};

/// What the local memory that was made brings.
#[derive(Clone, Serialize)]
pub(super) struct Forecast {
    /// What people call the device.
    pub(super) on: String,
    /// At these sizes.
    pub(super) at: String,
    /// Beside the variant that it is made of.
    #[serde(flatten)]
    pub(super) of: SpeedupForecast,
}

impl Forecast {
    /// Seconds of the variant that was made.
    pub(super) fn after_s(&self) -> Option<f64> {
        seconds(&self.of.after)
    }
}

/// Asks the server for variants that were made, each in its kernel's folder, in their order; within, why it has no answer.
///
/// # Errors
/// The device has no such name, or a source can't be counted.
pub(super) fn forecast(
    options: &ServerOptions,
    on: &str,
    of: &str,
    folders: &[&Path],
) -> Result<Result<Vec<Forecast>, String>> {
    let server = options.connect()?;
    let overview = match server.overview() {
        Ok(overview) => overview,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let target = lab::target(&overview, on)?;
    let mut counting = Counting::of_source(&target.device)?;
    let (mut at, mut sets, mut doubts) = (String::new(), Vec::new(), Vec::new());
    let progress = Progress::new(folders.len());
    for (place, folder) in folders.iter().enumerate() {
        progress.next(place + 1, "counting a candidate");
        let kernel = load(folder)?.pop();
        let kernel = kernel.context("a folder is a kernel's")?;
        let names = [of, GENERATED];
        // What it is made of is the same for all.
        for variant in &names[usize::from(place > 0)..] {
            let (own, counters, doubtful) =
                counted(&mut counting, &kernel, variant, target.device.kind)?;
            at = own;
            sets.push(set(counters));
            doubts.push(doubtful);
        }
    }
    let request = request(&target, sets.remove(0), sets);
    let of = |mut of: SpeedupForecast| {
        let after = &doubts[1 + of.place];
        doubt_speedup(&mut of, &doubts[0], after);
        Forecast {
            on: target.short_name.clone(),
            at: at.clone(),
            of,
        }
    };
    let answers = refusal(server.speedups(&request))?;
    Ok(answers.map(|all| all.into_iter().map(of).collect()))
}

/// At the largest size for such a device.
fn counted(
    counting: &mut Counting,
    kernel: &Kernel,
    variant: &str,
    kind: DeviceKind,
) -> Result<(String, CounterSet, Vec<String>)> {
    let parameters = largest(kernel, kind)
        .with_context(|| format!("the launch file has no sizes for a {kind}"))?;
    let workload = Workload {
        kernel,
        variant: kernel.variant(variant).context("the variant is there")?,
        parameters: parameters.clone(),
    };
    let at = sizes(parameters);
    let mut counters = CounterSet::new();
    let name = format!("{} {variant} {at}", kernel.name);
    let doubtful = counting.soundness(&workload, &name)?.doubtful;
    counting.add(&workload, &name, &mut counters)?;
    Ok((at, counters, doubtful))
}
