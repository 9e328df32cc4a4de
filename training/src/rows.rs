use std::collections::{BTreeMap, BTreeSet};

use kerncast_models::{Dataset, DatasetError, across::COUNTED_ON_TIME};
use kerncast_profilers::catalogue::roles;
use kerncast_wire::Warning;
use ndarray::{Array1, Array2};
use uuid::Uuid;

use crate::{
    Question, Response, Sample, Samples,
    counters::{LAUNCHES, is_several},
    warnings::{borrowed, counted_in_part, counters_lacking, flagged, launches_left_out},
};

/// The columns that a method learns from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// The counters alone.
    Counters,
    /// The counters, with the time on the device counted on as the last column.
    CountersAndTime,
}

/// The rows that a method learns from to answer a question.
#[derive(Clone, Debug)]
pub struct Training {
    /// The counters that were asked for.
    pub counters: Vec<String>,
    /// The columns' names: the counters, and the time on the device counted on if it is a column.
    pub columns: Vec<String>,
    /// The dataset: one row a sample, those of generated kernels last.
    pub dataset: Result<Dataset, DatasetError>,
    /// The sample of each row's response.
    pub sample_ids: Vec<Uuid>,
    /// The sample of each row's counters, if another device was counted on.
    pub counted_sample_ids: Option<Vec<Uuid>>,
    /// Number of kernels that people wrote.
    pub kernels: usize,
    /// Number of rows of generated kernels, which are in every fit and judged in none.
    pub generated: usize,
    /// Number of samples left out because their workload has a newer one.
    pub older: usize,
    /// Number of samples left out because they lack a counter.
    pub lacking: usize,
    /// Warnings to read before believing a fit.
    pub warnings: Vec<Warning>,
    /// The factors by which responses of another device's samples were converted, by id.
    pub borrowed: BTreeMap<Uuid, f64>,
}

/// A row: counters and response.
struct Row<'a> {
    counted: &'a Sample,
    values: Vec<f64>,
    response: f64,
    /// The sample of the response.
    sample: Uuid,
}

impl Training {
    /// The rows of a question: the newest sample with all counters of each workload.
    #[must_use]
    pub fn new(question: &Question, samples: &Samples, counters: &[String], input: Input) -> Self {
        let provider = &question.provider;
        let revision = samples.newest_revision(provider);
        let (several, relevant): (Vec<&Sample>, Vec<&Sample>) = (samples.counted.iter())
            .filter(|sample| samples.revision(sample, provider) == revision)
            .filter(|sample| is_relevant(question, samples, sample))
            .partition(|sample| is_several(samples.value(sample, LAUNCHES)));
        let mut usable = Vec::new();
        for &sample in &relevant {
            let values = counters.iter().map(|name| samples.value(sample, name));
            let Some(values) = values.collect::<Option<Vec<f64>>>() else {
                continue;
            };
            usable.extend(row(question, samples, sample, values));
        }
        let rows = newest(&usable);
        let with_time = input == Input::CountersAndTime;
        let mut columns = counters.to_vec();
        columns.extend(with_time.then(|| COUNTED_ON_TIME.to_owned()));
        let mut x = Vec::with_capacity(rows.len() * columns.len());
        for row in &rows {
            x.extend_from_slice(&row.values);
            x.extend(with_time.then_some(row.counted.median_s));
        }
        let counted: Vec<&Sample> = rows.iter().map(|row| row.counted).collect();
        let mut warnings = Vec::new();
        warnings.extend(borrowed(samples, &counted));
        warnings.extend(launches_left_out(several.len()));
        let lacking = counters_lacking(samples, counters, &question.response, &relevant);
        warnings.extend(lacking);
        warnings.extend(counted_in_part(provider, &counted));
        warnings.extend(flagged(&counted));
        let counted_on_another = question.counted_on.is_some();
        Self {
            dataset: dataset(&columns, x, &rows),
            sample_ids: rows.iter().map(|row| row.sample).collect(),
            counted_sample_ids: counted_on_another
                .then(|| counted.iter().map(|sample| sample.id).collect()),
            kernels: counted
                .iter()
                .filter(|it| !it.generated)
                .map(|it| &it.kernel)
                .collect::<BTreeSet<_>>()
                .len(),
            generated: counted.iter().filter(|it| it.generated).count(),
            older: usable.len() - rows.len(),
            lacking: relevant.len() - usable.len(),
            borrowed: conversion_factors(samples, &counted),
            counters: counters.to_vec(),
            columns,
            warnings,
        }
    }

    /// A training without rows, for a defect.
    pub(crate) fn without_rows(question: &Question, counters: &[String], defect: String) -> Self {
        Self {
            counters: counters.to_vec(),
            columns: counters.to_vec(),
            dataset: Err(DatasetError::Defect(defect)),
            sample_ids: Vec::new(),
            counted_sample_ids: question.counted_on.map(|_| Vec::new()),
            kernels: 0,
            generated: 0,
            older: 0,
            lacking: 0,
            warnings: Vec::new(),
            borrowed: BTreeMap::new(),
        }
    }

    /// Whether there would be rows to fit, were it not for a defect.
    #[must_use]
    pub fn has_rows(&self) -> bool {
        !self.sample_ids.is_empty() || matches!(self.dataset, Err(DatasetError::Defect(_)))
    }
}

/// The factors by which times of borrowed samples among the rows were converted.
fn conversion_factors(samples: &Samples, rows: &[&Sample]) -> BTreeMap<Uuid, f64> {
    let factors = rows
        .iter()
        .filter_map(|it| Some((it.id, *samples.borrowed.get(&it.id)?)));
    factors.collect()
}

/// Whether the question is about the sample, even if it lacks counters or a response.
fn is_relevant(question: &Question, samples: &Samples, sample: &Sample) -> bool {
    (question.variant.as_ref()).is_none_or(|variant| sample.variant == *variant)
        && (question.counted_on.is_none()
            || samples.timed(question.target, sample.workload).is_some())
}

/// The row of a sample; none where the response is missing.
fn row<'a>(
    question: &Question,
    samples: &Samples,
    counted: &'a Sample,
    values: Vec<f64>,
) -> Option<Row<'a>> {
    let (response, sample) = match &question.response {
        Response::Time if question.counted_on.is_some() => {
            let ran = samples.timed(question.target, counted.workload)?;
            (ran.median_s, ran.sample)
        }
        Response::Time => (counted.median_s, counted.id),
        Response::Counter(name) => (samples.value(counted, name)?, counted.id),
    };
    Some(Row {
        counted,
        values,
        response,
        sample,
    })
}

/// The row of the newest sample of each workload; rows of generated kernels come after all others. They are sorted by
/// kernels' names, since methods deal kernels out to inner folds in the order of rows: another order of measuring
/// changes nothing.
fn newest<'a, 'b>(usable: &'b [Row<'a>]) -> Vec<&'b Row<'a>> {
    let mut newest = BTreeMap::new();
    for row in usable {
        let age = (row.counted.measured_at, row.counted.id);
        let of_workload = newest.entry(row.counted.workload).or_insert(age);
        *of_workload = age.max(*of_workload);
    }
    let is_newest = |row: &&Row<'_>| newest[&row.counted.workload].1 == row.counted.id;
    let mut rows: Vec<&Row<'_>> = usable.iter().filter(is_newest).collect();
    rows.sort_by_key(|row| (row.counted.generated, row.counted.kernel.as_str()));
    rows
}

fn dataset(columns: &[String], x: Vec<f64>, rows: &[&Row<'_>]) -> Result<Dataset, DatasetError> {
    let x = Array2::from_shape_vec((rows.len(), columns.len()), x);
    let x = x.expect("rows have a value a column");
    let kernels = rows.iter().map(|row| row.counted.kernel.clone()).collect();
    let families: Vec<_> = rows.iter().map(|row| row.counted.family.clone()).collect();
    let responses: Array1<f64> = rows.iter().map(|row| row.response).collect();
    let generated = rows.iter().filter(|row| row.counted.generated).count();
    Dataset::new(columns.to_vec(), kernels, x, responses)?
        .with_roles(roles(columns))?
        .with_families(&families)?
        .with_generated(generated)
}
