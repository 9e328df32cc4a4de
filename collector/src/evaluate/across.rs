use std::{collections::BTreeSet, time::Instant};

use kerncast_models::{
    HoldOut, HoldOutKey,
    across::{AcrossError, Paper, Roles, Workloads, by_median_ratio, from_counters, from_source},
};
use kerncast_wire::NewSample;
use ndarray::Array1;

use super::{
    Comparison, EvaluateError, Judged, Question,
    columns::{Columns, median_s, newest},
    judge, providers,
};

/// By what a counter's name ends in: instructions of all work-items, …
const INSTRUCTIONS: [&str; 4] = [
    "smsp__thread_inst_executed.sum",
    "smsp__inst_executed.sum",
    "instructions",
    "total_instruction_count",
];
/// … work-items, …
const ITEMS: [&str; 4] = [
    "launch:work_items",
    "launch__thread_count",
    "workitems",
    "smsp__warps_launched.sum",
];
/// … the longest chain of instructions, …
const LONGEST: [&str; 1] = ["max_instructions_to_barrier"];
/// … and what costs where a throughput limits.
const VOLUMES: [&str; 16] = [
    "dram__sectors_read.sum",
    "dram__sectors_write.sum",
    "lts__t_sectors_op_read.sum",
    "lts__t_sectors_op_write.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
    "smsp__inst_executed_pipe_fp64.sum",
    "load_global_bytes",
    "store_global_bytes",
    "load_local_bytes",
    "store_local_bytes",
    "TCC_READ_sum",
    "TCC_WRITE_sum",
    "total_memory_footprint",
];

type Forecast<'a> = (&'static str, Box<dyn Fn() -> Result<HoldOut, String> + 'a>);

/// Ways to forecast the second device from the first: counters alone, with the time, the plain baseline,
/// and the paper's two experiments. Kernels leave together.
pub(super) fn compare(
    samples: &[NewSample],
    question: &Question,
    [source, target]: [&str; 2],
) -> Result<Vec<Comparison>, EvaluateError> {
    let (on_source, on_target) = (newest(samples, source), newest(samples, target));
    let common: Vec<&NewSample> = on_source
        .iter()
        .filter(|(workload, _)| on_target.contains_key(*workload))
        .map(|(_, sample)| *sample)
        .collect();
    let mut comparisons = Vec::new();
    for provider in providers(&common, source, question.provider.as_deref())? {
        let unfit = |problem: String| EvaluateError::Unfit {
            device: format!("{source} to {target}"),
            provider: provider.clone(),
            problem,
        };
        let columns = Columns::of(&common, &provider);
        let roles = roles(&columns.counters).map_err(unfit)?;
        let times = |on: &dyn Fn(&NewSample) -> f64| -> Array1<f64> {
            columns.samples.iter().map(|it| on(it)).collect()
        };
        let kernels: Vec<String> = columns
            .samples
            .iter()
            .map(|it| it.workload.kernel.clone())
            .collect();
        let count = kernels.iter().collect::<BTreeSet<_>>().len();
        let measured = [
            (source.to_owned(), times(&median_s)),
            (
                target.to_owned(),
                times(&|it| median_s(on_target[&it.workload])),
            ),
        ];
        let workloads = Workloads::new(
            columns.counters.clone(),
            kernels,
            columns.x(),
            measured.into(),
            roles,
        )
        .map_err(|error| unfit(error.to_string()))?;
        let place = |name: &str| workloads.devices().iter().position(|it| it == name);
        let (Some(from), Some(to)) = (place(source), place(target)) else {
            continue;
        };
        let ways = ways(&workloads, [from, to]);
        let dataset = workloads.dataset(to);
        let judged = ways.into_iter().map(|(name, forecast)| {
            let start = Instant::now();
            let held_out = forecast().map_err(unfit)?;
            let seconds = start.elapsed().as_secs_f64();
            Ok(judge(&dataset, &held_out, name, question.level, seconds))
        });
        comparisons.push(Comparison {
            device: target.to_owned(),
            source: Some(source.to_owned()),
            provider: provider.clone(),
            hold_out: "kernel",
            rows: workloads.len(),
            kernels: count,
            methods: judged.collect::<Result<Vec<Judged>, _>>()?,
            counters: columns.counters,
            left_out: columns.left_out,
        });
    }
    Ok(comparisons)
}

fn ways(workloads: &Workloads, pair: [usize; 2]) -> Vec<Forecast<'_>> {
    let across = |found: Result<HoldOut, AcrossError>| found.map_err(|it| it.to_string());
    let paper = move |paper: Paper| -> Forecast<'_> {
        let forecast = move || {
            let found = paper.hold_out(workloads, pair, HoldOutKey::Kernel);
            found.map_err(|it| it.to_string())
        };
        (paper.name(), Box::new(forecast))
    };
    vec![
        paper(Paper::Counters),
        paper(Paper::CountersAndTime),
        (
            "counters",
            Box::new(move || across(from_counters(workloads, pair[1]))),
        ),
        (
            "counters_and_time",
            Box::new(move || across(from_source(workloads, pair))),
        ),
        (
            "baseline_median_ratio",
            Box::new(move || across(by_median_ratio(workloads, pair))),
        ),
    ]
}

fn roles(counters: &[String]) -> Result<Roles, String> {
    let find = |ends: &[&str]| {
        let mut found = ends
            .iter()
            .filter_map(|end| counters.iter().position(|it| it.ends_with(end)));
        found.next()
    };
    let needed = |ends: &[&str], what| {
        find(ends).ok_or_else(|| format!("no counter of {what}: none of {}", ends.join(", ")))
    };
    Ok(Roles {
        instructions: needed(&INSTRUCTIONS, "instructions")?,
        items: needed(&ITEMS, "work-items")?,
        longest: find(&LONGEST),
        volumes: VOLUMES
            .iter()
            .filter_map(|end| counters.iter().position(|it| it.ends_with(end)))
            .collect(),
    })
}
