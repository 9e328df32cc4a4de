//! Forecasts whether it pays: counts both variants from the source alone, and asks the server.

use std::{collections::BTreeMap, path::Path};

use anyhow::{Context, Result};
use kerncast_collector::{
    client::Client,
    localize::{Forecast, GENERATED},
    workload::Workload,
};
use kerncast_suite::{Parameters, load};
use kerncast_wire::{CounterSet, SpeedupForecast};

use crate::cli::{
    forecast::{
        counting::{Counting, Gaps},
        doubt_speedup, refusal,
    },
    kernels::largest,
    lab::{self, Target},
    options::ServerOptions,
    predict::answer::seconds,
    progress::Progress,
    speedup::{request, set},
};

/// Asks the server about one device.
pub(super) struct Forecaster {
    server: Client,
    /// The device; or why the server can't be asked about it.
    target: Result<Target, String>,
}

impl Forecaster {
    /// Connects to the server, and finds the device of that name.
    ///
    /// # Errors
    /// The server knows no device of that name.
    pub(super) fn find(options: &ServerOptions, on: &str) -> Result<Self> {
        let server = options.connect()?;
        let target = match server.overview() {
            Ok(overview) => Ok(lab::target(&overview, on)?),
            Err(error) => Err(error.to_string()),
        };
        Ok(Self { server, target })
    }

    /// Forecasts the variants that were made, each in its kernel's folder, in their order; or says why there is no
    /// forecast. Adds who could not count, and why.
    ///
    /// # Errors
    /// A source can't be counted.
    pub(super) fn forecast(
        &self,
        of: &str,
        folders: &[&Path],
        sizes: &[Parameters],
        uncounted: &mut BTreeMap<String, String>,
    ) -> Result<Result<Vec<Forecast>, String>> {
        let target = match &self.target {
            Ok(target) => target,
            Err(why) => return Ok(Err(why.clone())),
        };
        let kind = target.device.kind;
        let mut counting = Counting::of_source(&target.device)?;
        let (mut at, mut sets, mut doubts) = (String::new(), Vec::new(), Vec::new());
        let progress = Progress::new(folders.len());
        for (place, folder) in folders.iter().enumerate() {
            progress.next(place + 1, "counting a candidate");
            let kernel = load(folder)?.pop();
            let kernel = kernel.context("a folder is a kernel's")?;
            let Some(parameters) = sizes.last().or_else(|| largest(&kernel, kind)) else {
                let none = format!("the launch file has no sizes for a {kind}: --size names one");
                return Ok(Err(none));
            };
            at = kerncast_suite::sizes(parameters);
            let names = [of, GENERATED];
            // What it is made of is the same for all.
            for variant in &names[usize::from(place > 0)..] {
                let workload = Workload {
                    kernel: &kernel,
                    variant: kernel.variant(variant).context("the variant is there")?,
                    parameters: parameters.clone(),
                };
                let (counters, gaps, doubtful) = counted(&mut counting, &workload)?;
                if let Some(why) = gaps.whole(&counters) {
                    return Ok(Err(why));
                }
                uncounted.extend(gaps.uncounted);
                sets.push(set(counters));
                doubts.push(doubtful);
            }
        }
        let request = request(target, sets.remove(0), sets);
        let of = |mut of: SpeedupForecast| {
            let after = &doubts[1 + of.place];
            doubt_speedup(&mut of, &doubts[0], after);
            Forecast {
                after_s: seconds(&of.after),
                on: target.short_name.clone(),
                at: at.clone(),
                of,
            }
        };
        let answers = refusal(self.server.speedups(&request))?;
        Ok(answers.map(|all| all.into_iter().map(of).collect()))
    }
}

/// What is counted of it, who could not, and what is doubtful about it.
fn counted(
    counting: &mut Counting,
    workload: &Workload<'_>,
) -> Result<(CounterSet, Gaps, Vec<String>)> {
    let mut counters = CounterSet::new();
    let name = workload.name();
    let doubtful = counting.soundness(workload, &name)?.doubtful;
    let gaps = counting.add(workload, &name, &mut counters)?;
    Ok((counters, gaps, doubtful))
}
