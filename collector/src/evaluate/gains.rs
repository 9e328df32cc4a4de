use std::{collections::BTreeSet, time::Instant};

use kerncast_models::{Dataset, GAIN_METHODS, HoldOutKey, hold_out, signs};
use kerncast_profilers::catalogue::roles;
use kerncast_wire::{NewSample, Workload};
use ndarray::Array1;

use super::{
    Comparison, EvaluateError, Measured, Question, asked,
    columns::{Columns, median_s, newest},
    judge, providers, word,
};

/// Gains on the target, the time of `local` ÷ the time of `global`, by the source's counters of `global`.
/// Nothing where no kernel was measured both ways.
pub(super) fn compare(
    measured: &Measured,
    question: &Question,
    [source, target]: [&str; 2],
    key: HoldOutKey,
) -> Result<Vec<Comparison>, EvaluateError> {
    let samples = &measured.samples;
    let (on_source, on_target) = (newest(samples, source), newest(samples, target));
    let gain = |workload: &Workload| {
        let local = Workload {
            variant: "local".to_owned(),
            ..workload.clone()
        };
        let [without, with] = [workload, &local].map(|it| on_target.get(it));
        Some(median_s(with?) / median_s(without?))
    };
    let methods = asked(GAIN_METHODS, question);
    let is_global = |sample: &&NewSample| sample.workload.variant == "global";
    let both: Vec<&NewSample> = (on_source.into_values())
        .filter(|it| is_global(it) && gain(&it.workload).is_some())
        .collect();
    if both.is_empty() || methods.is_empty() {
        return Ok(Vec::new());
    }
    let mut comparisons = Vec::new();
    for provider in providers(&both, source, question.provider.as_deref())? {
        let columns = Columns::of(&both, &provider);
        let workloads = || columns.samples.iter().map(|it| &it.workload);
        let families: Vec<_> = workloads().map(|it| it.family.clone()).collect();
        let gains: Array1<f64> = workloads().filter_map(gain).collect();
        let kernels = workloads().map(|it| it.kernel.clone()).collect();
        let dataset = Dataset::new(columns.counters.clone(), kernels, columns.x(), gains)
            .and_then(|dataset| dataset.with_roles(roles(&columns.counters)))
            .and_then(|dataset| dataset.with_families(&families))
            .map_err(|error| EvaluateError::Unfit {
                device: source.to_owned(),
                provider: provider.clone(),
                problem: error.to_string(),
            })?;
        let judged = methods.iter().map(|method| {
            let start = Instant::now();
            let held_out = hold_out(&dataset, key, *method);
            let seconds = start.elapsed().as_secs_f64();
            judge(&dataset, &held_out, method.name(), question.level, seconds)
                .with_signs(signs(&dataset, &held_out))
        });
        comparisons.push(Comparison {
            device: target.to_owned(),
            source: (source != target).then(|| source.to_owned()),
            provider: provider.clone(),
            response: "gain",
            hold_out: word(key),
            rows: dataset.y().len(),
            kernels: dataset.kernels().iter().collect::<BTreeSet<_>>().len(),
            methods: judged.collect(),
            without_ceilings: Vec::new(),
            counters: columns.counters.clone(),
            left_out: columns.left_out,
            rows_left_out: columns.lacking,
        });
    }
    Ok(comparisons)
}
