//! Reports on an imported file, for people and for programs.

use std::collections::BTreeMap;

use kerncast_collector::import::{Import, Sent, Source};
use kerncast_wire::TimeSummary;
use serde_json::{Value, json};

use crate::cli::{table, units};

/// The report on one file: what was sent, the server's reasons for refusals, and the parser's notes.
pub(super) fn sent(file: &Source, import: &Import, sent: &Sent) -> String {
    let (new, repeated) = (sent.stored.len(), sent.repeated);
    let rejected = match sent.rejected.len() {
        0 => String::new(),
        rejected => format!(", {rejected} rejected"),
    };
    let fate = format!(": {new} new, {repeated} there already{rejected}");
    let mut lines = vec![line(file, import, &fate)];
    lines.extend(rejections(sent));
    lines.extend(notes(import));
    lines.join("\n")
}

/// The report on one file as JSON; `sent`: none where nothing was to be sent.
pub(super) fn as_json(file: &Source, import: &Import, sent: Option<&Sent>) -> Value {
    let samples = import.samples.iter();
    let samples = samples.map(|(line, sample)| json!({ "line": line, "sample": sample }));
    let notes = import.notes.iter();
    let notes = notes.map(|note| json!({ "line": note.line, "text": note.text }));
    let mut all = json!({
        "file": file.to_string(), "format": import.format.to_string(), "samples": import.samples.len(),
        "without_time": import.without_time, "ceilings": import.ceilings.len(), "streams": import.streams.len(),
        "notes": notes.collect::<Vec<_>>(),
    });
    match sent {
        None => all["would_send"] = samples.collect(),
        Some(sent) => {
            let rejected = sent.rejected.iter();
            let rejected =
                rejected.map(|(line, problems)| json!({ "line": line, "problems": problems }));
            all["stored"] = json!(sent.stored.len());
            all["repeated"] = json!(sent.repeated);
            all["rejected"] = rejected.collect();
        }
    }
    all
}

/// A list of all samples of a file that are not sent.
pub(super) fn samples(file: &Source, import: &Import) -> String {
    let mut rows =
        table::new("line, device, kernel, variant, sizes, median, n, counters".split(", "));
    for (line, sample) in &import.samples {
        let time = TimeSummary::of(&sample.times.repetitions_s);
        let readings = sample.readings.iter();
        let counters = readings.map(|(name, it)| format!("{name} {}", it.counters.len()));
        rows.add_row([
            table::number(line.to_string()),
            sample.device.name.clone().into(),
            sample.workload.kernel.clone().into(),
            sample.workload.variant.clone().into(),
            kerncast_suite::sizes(&sample.workload.parameters).into(),
            table::number(units::time(time.median_s)),
            table::number(time.n.to_string()),
            units::joined(counters, ", ").into(),
        ]);
    }
    let mut lines = vec![line(file, import, ", none sent")];
    if !import.samples.is_empty() {
        lines.push(rows.to_string());
    }
    lines.extend(notes(import));
    lines.join("\n")
}

/// One line on the content of a file; `fate`: what became of its samples, in words.
fn line(file: &Source, import: &Import, fate: &str) -> String {
    let mut parts = Vec::new();
    if !import.samples.is_empty() {
        let samples = units::count(import.samples.len(), "sample");
        parts.push(format!("{samples}{fate}"));
    }
    if !import.ceilings.is_empty() {
        let devices = units::count(import.ceilings.len(), "device");
        parts.push(format!("ceilings of {devices}"));
    }
    if !import.streams.is_empty() {
        let devices = units::count(import.streams.len(), "device");
        parts.push(format!("rates of streams through {devices}"));
    }
    match import.without_time {
        0 => {}
        without if import.is_empty() => parts.push(format!(
            "no sample: none of its {} has a time. --times FILE adds them from a trace; `kerncast predict` forecasts them",
            units::count(without, "launch")
        )),
        without => parts.push(format!(
            "{} without a time: no sample; `kerncast predict` forecasts such",
            units::count(without, "launch")
        )),
    }
    if parts.is_empty() {
        parts.push("nothing in it".to_owned());
    }
    format!("{file} ({}): {}", import.format, parts.join("; "))
}

/// Reasons for rejected samples: each once, with its first line and how many more samples have it.
fn rejections(sent: &Sent) -> Vec<String> {
    let mut reasons: BTreeMap<String, (u64, usize)> = BTreeMap::new();
    for (line, problems) in &sent.rejected {
        for problem in problems {
            // `/samples/3/times` of the batch is `/times` of the sample.
            let field = problem.field.trim_start_matches("/samples/");
            let field = field.trim_start_matches(|c: char| c.is_ascii_digit());
            let value = problem.value.as_ref();
            let value = value.map(|it| format!(" is {it};")).unwrap_or_default();
            let reason = format!("{field}{value} expected {}", problem.expected);
            reasons.entry(reason).or_insert((*line, 0)).1 += 1;
        }
    }
    let words = |(reason, (line, n)): (String, (u64, usize))| match n {
        1 => format!("  rejected: line {line}: {reason}"),
        n => format!("  rejected: line {line} and {} more: {reason}", n - 1),
    };
    reasons.into_iter().map(words).collect()
}

fn notes(import: &Import) -> impl Iterator<Item = String> {
    let notes = import.notes.iter();
    notes.map(|note| format!("  line {}: {}", note.line, note.text))
}
