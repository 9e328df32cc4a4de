use std::collections::BTreeSet;

use kerncast_models::{Dataset, across::SOURCE_TIME};
use kerncast_profilers::catalogue::roles;
use ndarray::{Array1, Array2};
use uuid::Uuid;

use super::Pair;
use crate::{
    db::training::TrainingSample,
    fitting::table::{Table, flagged, in_part, lacking, newest, row},
};

/// The workloads that both devices of a pair have run: the source's counters, the target's times.
pub(super) struct Paired {
    /// Its samples are the target's.
    pub(super) table: Table,
    /// Beside them.
    pub(super) source_sample_ids: Vec<Uuid>,
    /// The columns: with the source's time last, where it is one.
    pub(super) counters: Vec<String>,
}

impl Paired {
    pub(super) fn new(pair: &Pair<'_>, counters: &[String], with_time: bool) -> Self {
        let Pair {
            target,
            provider,
            training,
            ..
        } = *pair;
        let samples = training.samples.iter();
        let common: Vec<&TrainingSample> = samples
            .filter(|it| target.ran.contains_key(&it.workload))
            .collect();
        let usable = common.iter().filter_map(|sample| {
            let row = row(training, counters, sample)?;
            Some((*sample, row, sample.median_s))
        });
        let (mut used, mut values, mut times) = (Vec::new(), Vec::new(), Vec::new());
        let mut sample_ids = Vec::new();
        for (sample, row, source_time) in newest(usable.collect()) {
            let ran = target.ran[&sample.workload];
            used.push(sample);
            values.extend(row);
            values.extend(with_time.then_some(source_time));
            times.push(ran.median_s);
            sample_ids.push(ran.sample);
        }
        let mut columns = counters.to_vec();
        columns.extend(with_time.then(|| SOURCE_TIME.to_owned()));
        let shape = (used.len(), columns.len());
        let x = Array2::from_shape_vec(shape, values).expect("rows have a value a column");
        let kernels: Vec<String> = used.iter().map(|it| it.kernel.clone()).collect();
        let mut warnings = lacking(training, counters, &"time".to_owned(), &common);
        warnings.extend(in_part(provider, &used));
        warnings.extend(flagged(&used));
        Self {
            source_sample_ids: used.iter().map(|it| it.id).collect(),
            table: Table {
                sample_ids,
                kernels: kernels.iter().collect::<BTreeSet<_>>().len(),
                warnings,
                dataset: Dataset::new(columns.clone(), kernels, x, Array1::from(times))
                    .and_then(|dataset| dataset.with_roles(roles(&columns))),
            },
            counters: columns,
        }
    }
}
