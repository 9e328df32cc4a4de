//! Reports on a run, for people and for programs.

use std::collections::BTreeMap;

use anyhow::Result;
use comfy_table::Cell;
use kerncast_collector::{
    client::Uploaded,
    measure::Outcome,
    run::{Run, WorkloadResult},
    workload,
};
use kerncast_wire::{Flag, NewSample, Reading, Scope, TimeSummary};
use serde_json::{Value, json};

use crate::cli::{table, units};

pub(super) fn print(run: &Run, uploaded: Option<&Uploaded>, json: bool) -> Result<()> {
    // By kernel, not in the order of measuring; sizes keep theirs.
    let mut results: Vec<&WorkloadResult> = run.results.iter().collect();
    results.sort_by_key(|it| (&it.device, &it.kernel));
    let values: Vec<Value> = results.iter().copied().map(as_json).collect();
    let report = json!({
        "rows": values, "ceilings": run.ceilings, "spool": run.spool.folder(), "uploaded": uploaded,
    });
    Ok(table::print_as(json, &report, || in_words(&results))?)
}

fn as_json(result: &WorkloadResult) -> Value {
    let (status, reason, sample) = match &result.outcome {
        Outcome::Measured(sample) => ("measured", None, Some(sample)),
        Outcome::Failed(reason) => ("failed", Some(reason), None),
        Outcome::Skipped(reason) | Outcome::Postponed(reason) => ("skipped", Some(reason), None),
    };
    json!({
        "device": &result.device,
        "kernel": &result.kernel,
        "variant": &result.variant,
        "parameters": &result.parameters,
        "status": status,
        "reason": reason,
        "time": sample.map(|sample| TimeSummary::of(&sample.times.repetitions_s)),
        "sample": sample,
    })
}

/// A table of the results, with notes below it that concern several workloads.
fn in_words(results: &[&WorkloadResult]) -> String {
    let mut table =
        table::new("kernel, variant, sizes, median, n, cv, outputs, counters".split(", "));
    let mut device = None;
    for result in results {
        if device != Some(&result.device) {
            device = Some(&result.device);
            table.add_row([&result.device]);
        }
        let outcome = match &result.outcome {
            Outcome::Measured(sample) => sample_cells(sample, result.is_reference).into(),
            Outcome::Failed(_) => vec!["FAILED".into()],
            Outcome::Skipped(_) | Outcome::Postponed(_) => continue,
        };
        let mut cells: Vec<Cell> = vec![
            result.kernel.clone().into(),
            result.variant.clone().into(),
            kerncast_suite::sizes(&result.parameters).into(),
        ];
        cells.extend(outcome);
        table.add_row(cells);
    }
    let mut lines = vec![table.to_string()];
    lines.extend(failures_and_reasons(results));
    if results.iter().any(|it| is_unsettled(&it.outcome)) {
        lines.push("~ the median had not settled within its time".to_owned());
    }
    lines.extend(flags(results));
    lines.join("\n")
}

/// Every failure; and every reason why providers refused or workloads did not run, each once.
fn failures_and_reasons(results: &[&WorkloadResult]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut skipped: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut refused: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for result in results {
        let name = workload::name(&result.kernel, &result.variant, &result.parameters);
        match &result.outcome {
            Outcome::Measured(sample) => {
                for (provider, reading) in &sample.readings {
                    if let Some(reason) = &reading.refusal {
                        let names = refused.entry((provider, reason)).or_default();
                        names.push(name.clone());
                    }
                }
            }
            Outcome::Failed(reason) => lines.push(format!("{name}: FAILED: {reason}")),
            Outcome::Skipped(reason) | Outcome::Postponed(reason) => {
                skipped.entry(reason).or_default().push(name);
            }
        }
    }
    let name_or_count = |names: Vec<String>| match &names[..] {
        [name] => name.clone(),
        names => units::count(names.len(), "workload"),
    };
    for ((provider, why), names) in refused {
        lines.push(format!("{}: {provider}: {why}", name_or_count(names)));
    }
    for (why, names) in skipped {
        lines.push(format!("{}: skipped: {why}", name_or_count(names)));
    }
    lines
}

/// A line for each raised flag.
fn flags(results: &[&WorkloadResult]) -> impl Iterator<Item = String> {
    let flags = [
        (
            Flag::Throttled,
            "the device slowed itself down (power or temperature)",
        ),
        (Flag::Shared, "another process held the device"),
        (Flag::Outliers, "some repetitions lie far from the median"),
    ];
    flags.into_iter().filter_map(|(flag, meaning)| {
        let has_flag = |it: &&&WorkloadResult| matches!(&it.outcome, Outcome::Measured(sample) if sample.flags.contains(&flag));
        let count = results.iter().filter(has_flag).count();
        let workloads = units::count(count, "workload");
        (count > 0).then(|| format!("{workloads} flagged: {meaning}"))
    })
}

fn is_unsettled(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Measured(sample) if sample.times.settled == Some(false))
}

fn sample_cells(sample: &NewSample, is_reference: bool) -> [Cell; 5] {
    let time = TimeSummary::of(&sample.times.repetitions_s);
    let is_unsettled = sample.times.settled == Some(false);
    let mark = if is_unsettled { "~" } else { "" };
    let readings = sample.readings.iter();
    let counters = readings.map(|(provider, it)| format!("{provider}{}", state(it)));
    [
        table::number(format!("{mark}{}", units::time(time.median_s))),
        table::number(time.n.to_string()),
        table::number_or_dash(time.cv.map(units::percent)),
        if is_reference { "reference" } else { "agree" }.into(),
        units::joined(counters, ", ").into(),
    ]
}

fn state(reading: &Reading) -> &'static str {
    match (&reading.refusal, reading.scope) {
        (Some(_), _) => ": refused",
        (None, Scope::Full) => "",
        (None, Scope::FirstAndLastGroup) => " (first + last group)",
        (None, Scope::SampledGroups) => " (some groups)",
        (None, Scope::ReducedSize) => " (reduced size)",
    }
}
