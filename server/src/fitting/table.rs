use std::collections::{BTreeMap, BTreeSet};

use kerncast_models::{Dataset, DatasetError};
use kerncast_profilers::catalogue::roles;
use kerncast_wire::{ModelSpecification, Scope};
use ndarray::{Array1, Array2};
use uuid::Uuid;

use crate::db::training::{Training, TrainingSample};

/// The samples that a specification can use, as numbers, and what became of the others.
pub(super) struct Table {
    /// One row a sample, one column a counter of the specification.
    pub(super) dataset: Result<Dataset, DatasetError>,
    /// The samples, in the rows' order.
    pub(super) sample_ids: Vec<Uuid>,
    /// Kernels among them.
    pub(super) kernels: usize,
    /// What a reader should know about them.
    pub(super) warnings: Vec<String>,
}

impl Table {
    pub(super) fn new(training: &Training, specification: &ModelSpecification) -> Self {
        let ModelSpecification {
            provider,
            counters,
            variant,
            response,
            device: _,
            source: _,
            method: _,
        } = specification;
        let asked: Vec<&TrainingSample> = training
            .samples
            .iter()
            .filter(|sample| {
                variant
                    .as_ref()
                    .is_none_or(|variant| sample.variant == *variant)
            })
            .collect();
        let usable = asked.iter().filter_map(|sample| {
            let row = row(training, counters, sample)?;
            Some((*sample, row, measured(training, response, sample)?))
        });
        let (mut used, mut rows, mut responses) = (Vec::new(), Vec::new(), Vec::new());
        for (sample, row, measured) in newest(usable.collect()) {
            used.push(sample);
            rows.push(row);
            responses.push(measured);
        }

        let shape = (rows.len(), counters.len());
        let x = Array2::from_shape_vec(shape, rows.concat()).expect("rows have a value a counter");
        let y = Array1::from_vec(responses);
        let kernels: Vec<String> = used.iter().map(|sample| sample.kernel.clone()).collect();
        let families: Vec<_> = used.iter().map(|sample| sample.family.clone()).collect();
        let mut warnings = lacking(training, counters, response, &asked);
        warnings.extend(in_part(provider, &used));
        warnings.extend(flagged(&used));
        Self {
            sample_ids: used.iter().map(|sample| sample.id).collect(),
            kernels: kernels.iter().collect::<BTreeSet<_>>().len(),
            warnings,
            dataset: Dataset::new(counters.clone(), kernels, x, y)
                .and_then(|dataset| dataset.with_roles(roles(counters)))
                .and_then(|dataset| dataset.with_families(&families)),
        }
    }
}

/// A sample, its counters in order, and its response.
pub(super) type Usable<'a> = (&'a TrainingSample, Vec<f64>, f64);

/// Of each workload the newest, in the samples' order.
pub(super) fn newest(usable: Vec<Usable<'_>>) -> Vec<Usable<'_>> {
    let mut newest = BTreeMap::new();
    for (sample, ..) in &usable {
        let age = (sample.measured_at, sample.id);
        let of_workload = newest.entry(sample.workload).or_insert(age);
        *of_workload = age.max(*of_workload);
    }
    let is_newest = |(sample, ..): &Usable<'_>| newest[&sample.workload].1 == sample.id;
    usable.into_iter().filter(is_newest).collect()
}

/// The sample's counters in order; none where it lacks one.
pub(super) fn row(
    training: &Training,
    counters: &[String],
    sample: &TrainingSample,
) -> Option<Vec<f64>> {
    counters
        .iter()
        .map(|name| value(training, name, sample))
        .collect()
}

fn value(training: &Training, name: &str, sample: &TrainingSample) -> Option<f64> {
    sample.values.get(training.counters.get(name)?).copied()
}

/// What a specification predicts of the sample; none where it lacks that counter.
fn measured(training: &Training, response: &str, sample: &TrainingSample) -> Option<f64> {
    match response {
        "time" => Some(sample.median_s),
        counter => value(training, counter, sample),
    }
}

/// Which counters keep samples out, the response among them.
pub(super) fn lacking(
    training: &Training,
    counters: &[String],
    response: &String,
    asked: &[&TrainingSample],
) -> Vec<String> {
    let all = asked.len();
    counters
        .iter()
        .chain(Some(response).filter(|response| *response != "time"))
        .filter_map(|name| {
            let lack = asked
                .iter()
                .filter(|sample| value(training, name, sample).is_none())
                .count();
            (lack > 0).then(|| format!("{lack} of {all} samples lack {name} and are left out"))
        })
        .collect()
}

/// Which counts are no counts of the whole launch.
pub(super) fn in_part(provider: &str, used: &[&TrainingSample]) -> Vec<String> {
    let scopes = [
        (
            Scope::FirstAndLastGroup,
            "the first and last work-groups, scaled to all of them",
        ),
        (Scope::ReducedSize, "a smaller size of the kernel"),
    ];
    let all = used.len();
    scopes
        .into_iter()
        .filter_map(|(scope, what)| {
            let n = used.iter().filter(|sample| sample.scope == scope).count();
            (n > 0).then(|| format!("{n} of {all} samples have {provider} counters of {what}"))
        })
        .collect()
}

/// Which flags the samples carry, where more than a tenth of them carry any.
pub(super) fn flagged(used: &[&TrainingSample]) -> Vec<String> {
    let all = used.len();
    let flagged = used.iter().filter(|sample| !sample.flags.is_empty());
    if 10 * flagged.clone().count() <= all {
        return Vec::new();
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for flag in flagged.flat_map(|sample| &sample.flags) {
        *counts.entry(flag).or_default() += 1;
    }
    counts
        .into_iter()
        .map(|(flag, n)| format!("{n} of {all} samples are flagged {flag}"))
        .collect()
}
