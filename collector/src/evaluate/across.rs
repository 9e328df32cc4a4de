use std::{collections::BTreeSet, time::Instant};

use kerncast_models::{
    Dataset, DatasetError, HoldOutKey, Method,
    across::{
        ByMedianRatio, ByNearestCeiling, Ceilings, Demands, FromCounters, FromCountersAndTime,
        Paper, SOURCE_TIME,
    },
    hold_out,
};
use kerncast_profilers::catalogue::roles;
use kerncast_wire::NewSample;
use ndarray::{Array1, Axis, concatenate};

use super::{
    Comparison, EvaluateError, Judged, Measured, Question,
    columns::{Columns, median_s, newest},
    judge, providers,
};

/// Ways to forecast the second device from the first: the paper's two experiments, counters alone, with
/// the time, and the plain baselines. Kernels leave together.
pub(super) fn compare(
    measured: &Measured,
    question: &Question,
    [source, target]: [&str; 2],
) -> Result<Vec<Comparison>, EvaluateError> {
    let samples = &measured.samples;
    let (on_source, on_target) = (newest(samples, source), newest(samples, target));
    let common: Vec<&NewSample> = on_source
        .iter()
        .filter(|(workload, _)| on_target.contains_key(*workload))
        .map(|(_, sample)| *sample)
        .collect();
    let ceilings = [source, target].map(|device| ceilings(measured, device));
    let mut comparisons = Vec::new();
    for provider in providers(&common, source, question.provider.as_deref())? {
        let unfit = |problem: String| EvaluateError::Unfit {
            device: format!("{source} to {target}"),
            provider: provider.clone(),
            problem,
        };
        let columns = Columns::of(&common, &provider);
        let [without, with] = datasets(&columns, |it| median_s(on_target[&it.workload]))
            .map_err(|it| unfit(it.to_string()))?;
        let mut methods: Vec<(&Dataset, Box<dyn Method>)> = vec![
            (&without, Box::new(Paper::Counters)),
            (&with, Box::new(Paper::CountersAndTime)),
            (&without, Box::new(FromCounters)),
            (&with, Box::new(FromCountersAndTime)),
            (&with, Box::new(ByMedianRatio)),
        ];
        if let [Some(source), Some(target)] = ceilings {
            let demands = Demands::default();
            methods.push((
                &with,
                Box::new(ByNearestCeiling {
                    source,
                    target,
                    demands,
                }),
            ));
        }
        methods.retain(|(_, method)| question.asks(method.name()));
        if methods.is_empty() {
            continue;
        }
        let judged = methods.iter().map(|(dataset, method)| {
            let start = Instant::now();
            let held_out = hold_out(dataset, HoldOutKey::Kernel, &**method);
            let seconds = start.elapsed().as_secs_f64();
            judge(dataset, &held_out, method.name(), question.level, seconds)
        });
        comparisons.push(Comparison {
            device: target.to_owned(),
            source: Some(source.to_owned()),
            provider: provider.clone(),
            response: "time",
            hold_out: "kernel",
            rows: without.y().len(),
            kernels: without.kernels().iter().collect::<BTreeSet<_>>().len(),
            methods: judged.collect::<Vec<Judged>>(),
            without_ceilings: [source, target]
                .into_iter()
                .zip(ceilings)
                .filter(|(_, ceilings)| ceilings.is_none())
                .map(|(device, _)| device.to_owned())
                .collect(),
            counters: columns.counters,
            left_out: columns.left_out,
            rows_left_out: columns.lacking,
        });
    }
    Ok(comparisons)
}

/// The target's times by the source's counters: without, and with the source's times.
fn datasets(
    columns: &Columns<'_>,
    on_target: impl Fn(&NewSample) -> f64,
) -> Result<[Dataset; 2], DatasetError> {
    let kernels: Vec<String> = columns
        .samples
        .iter()
        .map(|it| it.workload.kernel.clone())
        .collect();
    let times: Array1<f64> = columns.samples.iter().map(|it| on_target(it)).collect();
    let own: Array1<f64> = columns.samples.iter().map(|it| median_s(it)).collect();
    let x = columns.x();
    let with = concatenate(Axis(1), &[x.view(), own.view().insert_axis(Axis(1))]);
    let with = with.expect("equally many rows");
    let mut counters = columns.counters.clone();
    counters.push(SOURCE_TIME.to_owned());
    let of_all = roles(&counters);
    Ok([
        Dataset::new(columns.counters.clone(), kernels.clone(), x, times.clone())?
            .with_roles(roles(&columns.counters))?,
        Dataset::new(counters, kernels, with, times)?.with_roles(of_all)?,
    ])
}

/// What the files say that a device can do at most, the newest.
fn ceilings(measured: &Measured, device: &str) -> Option<Ceilings> {
    let own = measured
        .ceilings
        .iter()
        .filter(|it| it.device.name == device);
    let kerncast_wire::Ceilings {
        copy_bytes_per_s,
        host_to_device_bytes_per_s,
        device_to_host_bytes_per_s,
        fp32_flop_per_s,
        fp64_flop_per_s,
        int32_op_per_s,
        local_bytes_per_s,
        launch_latency_s,
    } = own.max_by_key(|it| it.measured_at)?.ceilings;
    Some(Ceilings {
        copy_bytes_per_s,
        host_to_device_bytes_per_s,
        device_to_host_bytes_per_s,
        fp32_flop_per_s,
        fp64_flop_per_s,
        int32_op_per_s,
        local_bytes_per_s,
        launch_latency_s,
    })
}
