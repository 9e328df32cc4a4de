//! Forecasts whether local memory pays: counts both variants from source alone, and asks the server.

use std::{collections::BTreeMap, path::Path};

use anyhow::Result;
use kerncast_suite::Parameters;
use kerncast_wire::{CounterSet, SpeedupForecast};
use serde::Serialize;

use super::{REWRITTEN_VARIANT, load_kernel, workload};
use crate::{
    child::Children, client::Client, counting, device_choice::target, forecast, kernels::largest,
    progress::say_step,
};

/// The forecast speedup of the new variant on a device.
#[derive(Clone, Serialize)]
pub struct Forecast {
    /// The device's short name.
    pub on: String,
    /// The sizes of the launch.
    pub at: String,
    /// The speedup over the variant that it is made of.
    #[serde(flatten)]
    pub speedup: SpeedupForecast,
    /// Forecast seconds of the new variant.
    #[serde(skip)]
    pub after_s: Option<f64>,
}

/// Asks the server for forecasts on one device.
pub struct Forecaster {
    server: Client,
    /// The device, or why the server can't forecast it.
    target: Result<target::Target, String>,
}

impl Forecaster {
    /// A forecaster for the server's device called `on`.
    ///
    /// # Errors
    /// The server knows no device of that name.
    pub fn find(server: Client, on: &str) -> Result<Self> {
        let target = match server.overview() {
            Ok(overview) => Ok(target::find_target(&overview, on)?),
            Err(error) => Err(error.to_string()),
        };
        Ok(Self { server, target })
    }

    /// Forecasts the new variants, each in its kernel's folder, in their order; or says why there is no forecast. Adds
    /// the providers that could not count, and why.
    ///
    /// # Errors
    /// A source can't be counted.
    pub(super) fn forecast(
        &self,
        children: &Children,
        original: &str,
        folders: &[&Path],
        sizes: &[Parameters],
        uncounted: &mut BTreeMap<String, String>,
    ) -> Result<Result<Vec<Forecast>, String>> {
        let target = match &self.target {
            Ok(target) => target,
            Err(why) => return Ok(Err(why.clone())),
        };
        let kind = target.device.kind;
        let counting = counting::Counting::without_device_source_first(children, &target.device)?;
        let (mut at, mut sets, mut doubts) = (String::new(), Vec::new(), Vec::new());
        for (place, folder) in folders.iter().enumerate() {
            say_step(place + 1, folders.len(), "counting a candidate");
            let kernel = load_kernel(folder)?;
            let Some(parameters) = sizes.last().or_else(|| largest(&kernel, kind)) else {
                let none = format!("the launch file has no sizes for a {kind}: --size names one");
                return Ok(Err(none));
            };
            at = kerncast_suite::sizes(parameters);
            let names = [original, REWRITTEN_VARIANT];
            // What it is made of is the same for all.
            for variant in &names[usize::from(place > 0)..] {
                let workload = workload(&kernel, variant, parameters)?;
                let mut counters = CounterSet::new();
                doubts.push(counting.soundness(&workload)?.doubtful);
                let gaps = counting.add_missing(&workload, &mut counters)?;
                if let Some(why) = gaps.explain_nothing_counted(&counters) {
                    return Ok(Err(why));
                }
                uncounted.extend(gaps.uncounted);
                sets.push(forecast::unnamed_set(counters));
            }
        }
        let request = forecast::speedup_request(target, sets.remove(0), sets);
        let forecast_of = |mut speedup: SpeedupForecast| {
            let after = &doubts[1 + speedup.place];
            forecast::lower_speedup_trust(&mut speedup, &doubts[0], after);
            Forecast {
                after_s: forecast::time_s(&speedup.after),
                on: target.short_name.clone(),
                at: at.clone(),
                speedup,
            }
        };
        let answers = forecast::answer_or_refusal(self.server.speedups(&request))?;
        Ok(answers.map(|all| all.into_iter().map(forecast_of).collect()))
    }
}
