//! What a run measured, for people and for programs.

use std::collections::BTreeMap;

use anyhow::Result;
use comfy_table::Cell;
use kerncast_collector::{
    client::Uploaded,
    collect::{NamedCeilings, Outcome},
    spool::Spool,
};
use kerncast_wire::{Flag, NewSample, Reading, Scope, TimeSummary};
use serde_json::{Value, json};

use super::Row;
use crate::cli::{table, units};

pub(super) fn print(
    rows: &[Row],
    ceilings: &[NamedCeilings],
    uploaded: Option<&Uploaded>,
    spool: &Spool,
    json: bool,
) -> Result<()> {
    // By kernel, not in the order of measuring; sizes keep theirs.
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort_by_key(|row| (&row.device, &row.kernel));
    let values: Vec<Value> = sorted.iter().copied().map(as_json).collect();
    let report = json!({ "rows": values, "ceilings": ceilings, "spool": spool.folder(), "uploaded": uploaded });
    Ok(table::print_as(json, &report, || in_table(&sorted))?)
}

fn as_json(row: &Row) -> Value {
    let (status, reason, sample) = match &row.outcome {
        Outcome::Measured(sample) => ("measured", None, Some(sample)),
        Outcome::Failed(reason) => ("failed", Some(reason), None),
        Outcome::Skipped(reason) | Outcome::Postponed(reason) => ("skipped", Some(reason), None),
    };
    json!({
        "device": &row.device,
        "kernel": &row.kernel,
        "variant": &row.variant,
        "parameters": &row.parameters,
        "status": status,
        "reason": reason,
        "time": sample.map(|sample| TimeSummary::of(&sample.times.repetitions_s)),
        "sample": sample,
    })
}

fn in_table(rows: &[&Row]) -> String {
    let mut table = table::new([
        "kernel", "variant", "sizes", "median", "n", "cv", "outputs", "counters",
    ]);
    let mut below = Vec::new();
    // What is said of hundreds of workloads is said once.
    let mut skipped: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut refused: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    let mut device = None;
    for row in rows {
        if device != Some(&row.device) {
            device = Some(&row.device);
            table.add_row([&row.device]);
        }
        let sizes = kerncast_suite::sizes(&row.parameters);
        let name = format!("{} {} {sizes}", row.kernel, row.variant);
        let mut cells: Vec<Cell> = vec![
            row.kernel.clone().into(),
            row.variant.clone().into(),
            sizes.into(),
        ];
        match &row.outcome {
            Outcome::Measured(sample) => {
                let outputs = if row.is_reference {
                    "reference"
                } else {
                    "agree"
                };
                cells.extend(measured(sample, outputs));
                for (provider, reading) in &sample.readings {
                    if let Some(reason) = &reading.refusal {
                        let names = refused.entry((provider, reason)).or_default();
                        names.push(name.clone());
                    }
                }
            }
            Outcome::Failed(reason) => {
                cells.push("FAILED".into());
                below.push(format!("{name}: FAILED: {reason}"));
            }
            Outcome::Skipped(reason) | Outcome::Postponed(reason) => {
                skipped.entry(reason).or_default().push(name);
                continue;
            }
        }
        table.add_row(cells);
    }
    let of = |names: Vec<String>| match &names[..] {
        [name] => name.clone(),
        names => units::count(names.len(), "workload"),
    };
    let refused = refused.into_iter();
    below.extend(
        refused.map(|((provider, why), names)| format!("{}: {provider}: {why}", of(names))),
    );
    let skipped = skipped.into_iter();
    below.extend(skipped.map(|(why, names)| format!("{}: skipped: {why}", of(names))));
    if rows.iter().any(|row| is_open(&row.outcome)) {
        below.push("~ the median had not settled within its time".to_owned());
    }
    below.extend(flagged(rows));
    below.insert(0, table.to_string());
    below.join("\n")
}

/// A line for each flag that was raised.
fn flagged(rows: &[&Row]) -> impl Iterator<Item = String> {
    let raised = |flag| {
        let raised = |row: &&&Row| matches!(&row.outcome, Outcome::Measured(sample) if sample.flags.contains(&flag));
        rows.iter().filter(raised).count()
    };
    let flags = [
        (
            Flag::Throttled,
            "the device slowed itself down (power or temperature)",
        ),
        (Flag::Shared, "another process held the device"),
        (Flag::Outliers, "some repetitions lie far from the median"),
    ];
    let counted = flags.map(|(flag, meaning)| (raised(flag), meaning));
    let counted = counted.into_iter().filter(|(count, _)| *count > 0);
    counted.map(|(count, meaning)| {
        let workloads = units::count(count, "workload");
        format!("{workloads} flagged: {meaning}")
    })
}

fn is_open(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Measured(sample) if sample.times.settled == Some(false))
}

fn measured(sample: &NewSample, outputs: &str) -> [Cell; 5] {
    let time = TimeSummary::of(&sample.times.repetitions_s);
    let open = if sample.times.settled == Some(false) {
        "~"
    } else {
        ""
    };
    let counters: Vec<String> = sample
        .readings
        .iter()
        .map(|(provider, reading)| format!("{provider}{}", state(reading)))
        .collect();
    [
        table::number(format!("{open}{}", units::time(time.median_s))),
        table::number(time.n.to_string()),
        table::maybe(time.cv.map(units::percent)),
        outputs.into(),
        counters.join(", ").into(),
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
