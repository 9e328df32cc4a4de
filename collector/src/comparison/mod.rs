//! Two versions of a kernel, compared by forecasts: what a change brings, and where.

use std::{collections::BTreeMap, slice::from_ref};

use anyhow::Result;
use kerncast_suite::{Kernel, Parameters};
use kerncast_wire::{DeviceKind, Outcome, Prediction, SpeedupForecast};
use serde::Serialize;

use crate::{
    UsageError,
    child::Children,
    client::Client,
    counting::Counting,
    counting::kernel_analysis::workload_analysis,
    device_choice::target::Target,
    forecast::{Case, CaseReader, lower_speedup_trust, speedup_request},
    kernels::{Finder, workloads},
    providers::Analysis,
    workload::Workload,
};

mod costs;
mod version;

pub use costs::{AccessChange, Cost};
use costs::{AccessTime, access_changes, access_times};
use version::Version;

/// A workload before and after a change.
#[derive(Serialize)]
pub struct Comparison {
    /// Kernel, variant and sizes before.
    pub old: String,
    /// Kernel, variant and sizes after.
    pub new: String,
    /// The device's short name.
    pub on: String,
    /// The server's answer.
    #[serde(flatten)]
    pub speedup: SpeedupForecast,
    /// Doubts that the two are versions of one kernel.
    pub notes: Vec<String>,
    /// Providers that could not count, with their reasons.
    pub uncounted: BTreeMap<String, String>,
    /// Variation of the measured times from repetition to repetition, both versions together: standard deviation ÷
    /// mean.
    #[serde(rename = "vary")]
    pub variation: Option<f64>,
    /// Costs of counters before and after, the largest change first.
    pub costs: Vec<Cost>,
    /// Times of accesses in the sources before and after, on a GPU.
    #[serde(rename = "lines")]
    pub accesses: Vec<AccessChange>,
}

/// Compares the versions that `old` and `new` name, at `sizes` or else at the largest of the old launch file: one
/// comparison for each pair of variants and size.
///
/// # Errors
/// A version is not there or can't run on the device, a source is refused, or the server gives no answer.
pub fn compare(
    old: &str,
    new: &str,
    sizes: &[Parameters],
    server: &Client,
    target: &Target,
    children: &Children,
) -> Result<Vec<Comparison>> {
    let mut finder = Finder::default();
    let old = Version::find(&mut finder, old)?;
    let new = Version::find(&mut finder, new)?;
    old.check_sizes(&new)?;
    let counting = Counting::without_device_source_first(children, &target.device)?;
    let mut reader = CaseReader::new(server, target, counting);
    let mut comparisons = Vec::new();
    let kind = target.device.kind;
    for (old_variant, new_variant) in old.variant_pairs(&new) {
        for before in workloads(from_ref(&old.kernel), &[old_variant], sizes, kind)? {
            let size = from_ref(&before.parameters);
            let after = workloads(from_ref(&new.kernel), from_ref(&new_variant), size, kind)?;
            comparisons.push(compare_workloads(&mut reader, &before, &after[0])?);
        }
    }
    Ok(comparisons)
}

fn compare_workloads(
    reader: &mut CaseReader<'_>,
    before: &Workload<'_>,
    after: &Workload<'_>,
) -> Result<Comparison> {
    let (old, new) = (read_case(reader, before)?, read_case(reader, after)?);
    let target = reader.target;
    let changed = vec![new.counter_set(target.id)];
    let request = speedup_request(target, old.counter_set(target.id), changed);
    let mut speedup = reader.server.speedups(&request)?.remove(0);
    lower_speedup_trust(&mut speedup, &old.doubts, &new.doubts);
    let accesses = match target.device.kind {
        DeviceKind::Gpu => {
            let analysis = Analysis::find().with_device(&target.device);
            access_changes(
                times_of_accesses(&analysis, before, &speedup.before),
                times_of_accesses(&analysis, after, &speedup.after),
            )
        }
        _ => Vec::new(),
    };
    Ok(Comparison {
        old: old.name,
        new: new.name,
        on: target.short_name.clone(),
        costs: costs::costs(&speedup),
        notes: notes(before, after),
        uncounted: (old.gaps.uncounted.into_iter())
            .chain(new.gaps.uncounted)
            .collect(),
        variation: (old.variation.zip(new.variation)).map(|(old, new)| old.hypot(new)),
        speedup,
        accesses,
    })
}

/// The case of a workload; an error where it can't be forecast.
fn read_case(reader: &mut CaseReader<'_>, workload: &Workload<'_>) -> Result<Case> {
    let case = reader.read(workload)?;
    match &case.refusal {
        Some(why) => Err(UsageError(format!("{}: {why}", case.name)).into()),
        None => Ok(case),
    }
}

fn times_of_accesses(
    analysis: &Analysis,
    workload: &Workload<'_>,
    prediction: &Prediction,
) -> Vec<AccessTime> {
    let Outcome::Forecast(forecast) = &prediction.outcome else {
        return Vec::new();
    };
    let analysis = workload_analysis(analysis, workload);
    analysis.map_or(Vec::new(), |it| access_times(&it, forecast))
}

/// Doubts that the two workloads are versions of one kernel.
fn notes(before: &Workload<'_>, after: &Workload<'_>) -> Vec<String> {
    let (old, new) = (before.kernel, after.kernel);
    let mut notes = Vec::new();
    if old.folder == new.folder && before.variant.name == after.variant.name {
        notes.push("both are the same; FOLDER:NAME names a variant".to_owned());
    }
    let arguments =
        |it: &Kernel| -> Vec<String> { it.arguments.iter().map(|it| it.name.clone()).collect() };
    let [own, others] = [arguments(old), arguments(new)];
    if own != others {
        notes.push(format!(
            "the arguments differ: {} and {}. Nobody has compared what both compute",
            own.join(", "),
            others.join(", ")
        ));
    }
    notes
}
