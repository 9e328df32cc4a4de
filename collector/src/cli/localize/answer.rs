//! The answer of `kerncast localize`, as JSON and for people.

use std::collections::BTreeMap;

use kerncast_analysis::localize::{LocalArray, Mechanism, Refusal};
use kerncast_collector::rewrite::{
    Candidate, CheckResult, Forecast, Loads, REWRITTEN_VARIANT, RewrittenKernel, SearchResult,
};
use kerncast_suite::Kernel;
use serde::Serialize;
use similar::TextDiff;

use crate::cli::{forecast::uncounted_lines, speedup, table, units, wrap::wrapped};

/// Rows of the table of candidates, beside those that were measured.
const MOST_ROWS: usize = 10;

/// The answer of `kerncast localize` on one kernel.
#[derive(Default, Serialize)]
pub(super) struct Answer {
    kernel: String,
    /// The variant that is rewritten.
    #[serde(rename = "of")]
    original: String,
    /// The name of the new variant.
    #[serde(rename = "made")]
    rewritten_variant: &'static str,
    pub(super) status: Status,
    /// Arrays that go to local memory.
    placed: Vec<LocalArray>,
    /// Arrays that stay in global memory, and why.
    refusals: Vec<Refusal>,
    /// Conditions on a launch for local memory to be used, as `width == 64`; other launches run the original code.
    only_for: Vec<String>,
    /// Results of running and comparing both variants.
    checked: Option<CheckResult>,
    /// Loads from global memory at the smallest size, before and after, as Oclgrind counts them.
    global_loads: Option<Loads>,
    /// Forecast times of both variants on the device of `--on`.
    pub(super) forecast: Option<Forecast>,
    /// Why there is no forecast, where `--on` asked for one.
    pub(super) no_forecast: Option<String>,
    /// Providers that could not count for the forecast, with their reasons.
    uncounted: BTreeMap<String, String>,
    /// Other choices of arrays and shapes, the best first; empty where none were compared.
    candidates: Vec<Choice>,
    /// Seconds of the original variant, where candidates were measured.
    measured_before_s: Option<f64>,
    /// The whole new source; none where a check failed.
    source: Option<String>,
    #[serde(skip)]
    before: String,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    Rewritten,
    NothingToGain,
    Refused,
    CheckFailed,
    #[default]
    NotChecked,
}

/// A candidate, as the answer lists it.
#[derive(Serialize)]
struct Choice {
    arrays: Vec<String>,
    /// Work-items of a work-group by dimension, where they differ from the launch file's.
    work_group: Option<Vec<usize>>,
    /// Iterations of a loop in a strip, where they are not the default.
    strip: Option<u16>,
    /// Whether tiles have one column more, where that is not the default.
    padding: Option<bool>,
    /// Loads from global memory at the smallest size, as Oclgrind counts them.
    global_loads: Option<f64>,
    /// Forecast seconds on the device of `--on`.
    forecast_s: Option<f64>,
    /// Seconds on this machine, for candidates that were measured.
    measured_s: Option<f64>,
    /// Failures of its check.
    failures: Vec<String>,
}

impl Answer {
    pub(super) fn before_any_run(kernel: &Kernel, rewritten: &RewrittenKernel) -> Self {
        let localized = &rewritten.localized;
        let mut refusals = localized.refusals.iter();
        let status = if refusals.all(|refusal| refusal.reason.is_no_gain()) {
            Status::NothingToGain
        } else {
            Status::Refused
        };
        Self {
            kernel: kernel.name.clone(),
            original: rewritten.original.clone(),
            rewritten_variant: REWRITTEN_VARIANT,
            status,
            placed: localized.placed.clone(),
            refusals: localized.refusals.clone(),
            only_for: localized.only_for.clone(),
            before: rewritten.before.clone(),
            ..Self::default()
        }
    }

    /// Adds the result of a search for the best candidate.
    pub(super) fn add(&mut self, result: SearchResult, is_measured: bool) {
        let mut candidates = result.candidates;
        self.no_forecast = result.no_forecast;
        self.uncounted = result.uncounted;
        self.measured_before_s = result.measured_before_s;
        if result.is_right {
            self.status = Status::Rewritten;
            if candidates.len() > 1 || is_measured {
                self.candidates = candidates.iter().map(Choice::new).collect();
            }
            let best = candidates.swap_remove(0);
            self.checked = best.check;
            self.placed = best.rewritten.localized.placed;
            self.refusals = best.rewritten.localized.refusals;
            self.only_for = best.rewritten.localized.only_for;
            self.forecast = best.forecast;
            // `vload4` and its like are calls to Oclgrind, and no loads.
            let counts_all = !self.before.contains("vload");
            self.global_loads = best.loads.filter(|_| counts_all);
            self.source = best.rewritten.after;
        } else {
            self.checked = candidates.swap_remove(0).check;
            let has_failures = |it: &CheckResult| !it.failures.is_empty();
            self.status = if self.checked.as_ref().is_none_or(has_failures) {
                Status::CheckFailed
            } else {
                Status::NotChecked
            };
            self.placed.clear();
        }
    }
}

impl Choice {
    fn new(candidate: &Candidate) -> Self {
        let shape = &candidate.rewritten.shape;
        Self {
            arrays: candidate.arrays.clone(),
            work_group: shape.group_size.clone(),
            strip: shape.form.strip,
            padding: shape.form.padding,
            global_loads: candidate.loads.as_ref().map(|loads| loads.after),
            forecast_s: candidate.forecast.as_ref().and_then(|it| it.after_s),
            measured_s: candidate.measured_s,
            failures: candidate.failures().to_vec(),
        }
    }
}

pub(super) fn in_words(answer: &Answer) -> String {
    let mut lines = vec![format!("{} {}", answer.kernel, answer.original)];
    let placed = answer.placed.iter();
    lines.extend(placed.map(|it| format!("  {}", placed_line(it))));
    let refusals = answer.refusals.iter();
    lines.extend(refusals.map(|it| format!("  {}", refusal_line(it))));
    if !answer.only_for.is_empty() {
        let conditions = answer.only_for.join(" and ");
        lines.push(format!(
            "  only where {conditions}; any other launch runs as it was written"
        ));
    }
    if let Some(Loads { at, before, after }) = &answer.global_loads {
        lines.push(format!(
            "  loads from global memory at {at}: {before} → {after}"
        ));
    }
    lines.extend(answer.checked.iter().flat_map(check_lines));
    let forecast = answer.forecast.as_ref();
    lines.extend(forecast.map(|it| format!("  {}", forecast_lines(it))));
    let no_forecast = answer.no_forecast.as_deref();
    lines.extend(no_forecast.map(|why| format!("  no forecast: {why}")));
    let uncounted = uncounted_lines(&answer.uncounted, no_forecast.unwrap_or_default());
    lines.extend(uncounted.iter().map(|line| format!("  {line}")));
    if !answer.candidates.is_empty() {
        lines.push(candidates_table(answer));
    }
    lines.push(status_line(answer.status).to_owned());
    lines.extend(advice(answer));
    let words = wrapped(&lines.join("\n"));
    // A source's lines stay as they are.
    let Some(source) = &answer.source else {
        return words.trim_end().to_owned();
    };
    let diff = TextDiff::from_lines(&answer.before, source);
    let diff = diff.unified_diff().context_radius(3).to_string();
    format!("{words}\n\n{diff}").trim_end().to_owned()
}

fn check_lines(check: &CheckResult) -> Vec<String> {
    let failures = check.failures.iter().map(|it| format!("  FAILED  {it}"));
    let mut lines: Vec<String> = failures.collect();
    if !check.equal.is_empty() && check.failures.is_empty() {
        lines.push(format!("  outputs equal at {}", check.equal.join("; ")));
    }
    if !check.race_free.is_empty() {
        let sizes = check.race_free.join("; ");
        lines.push(format!("  no race at {sizes} (Oclgrind)"));
    }
    lines.extend(check.skipped.iter().map(|it| format!("  not tried  {it}")));
    lines
}

fn forecast_lines(forecast: &Forecast) -> String {
    let Forecast {
        on, at, speedup, ..
    } = forecast;
    let lines = speedup::lines(speedup).join("\n    ");
    format!("forecast on {on} at {at}:\n    {lines}")
}

/// A table of candidates, the best first.
fn candidates_table(answer: &Answer) -> String {
    let mut rows = table::new(["in local memory", "global loads", "forecast", "measured"]);
    if let Some(before_s) = answer.measured_before_s {
        let loads = answer.global_loads.as_ref();
        rows.add_row([
            "nothing".into(),
            table::number_or_dash(loads.map(|it| it.before.to_string())),
            table::number_or_dash(None),
            table::number(units::time(before_s)),
        ]);
    }
    let mut left_out = 0;
    for (place, choice) in answer.candidates.iter().enumerate() {
        let has_failed = !choice.failures.is_empty();
        if place >= MOST_ROWS && choice.measured_s.is_none() && !has_failed {
            left_out += 1;
            continue;
        }
        rows.add_row([
            choice_words(choice).into(),
            table::number_or_dash(choice.global_loads.map(|loads| loads.to_string())),
            table::number_or_dash(choice.forecast_s.map(units::time)),
            if has_failed {
                "its check FAILED (--json says how)".into()
            } else {
                table::number_or_dash(choice.measured_s.map(units::time))
            },
        ]);
    }
    match left_out {
        0 => rows.to_string(),
        more => format!("{rows}\n… and {more} more (--json has all)"),
    }
}

/// A candidate in words: its arrays, and what differs from the launch file and from the rules of docs/localize.md.
fn choice_words(choice: &Choice) -> String {
    let mut form = Vec::new();
    if let Some(sizes) = &choice.work_group {
        form.push(format!("work-groups of {}", units::joined(sizes, " × ")));
    }
    if let Some(passes) = choice.strip {
        form.push(format!("strips of {passes}"));
    }
    match choice.padding {
        Some(true) => form.push("padded".to_owned()),
        Some(false) => form.push("not padded".to_owned()),
        None => {}
    }
    let arrays = choice.arrays.join(", ");
    if form.is_empty() {
        arrays
    } else {
        format!("{arrays}: {}", form.join(", "))
    }
}

/// What to do if no candidate is faster, by measurement or else by forecast.
fn advice(answer: &Answer) -> Option<String> {
    let original = &answer.original;
    let measured_s = answer.candidates.first().and_then(|it| it.measured_s);
    if let Some((before_s, best_s)) = answer.measured_before_s.zip(measured_s) {
        let before = units::time(before_s);
        return (before_s <= best_s).then(|| {
            format!("here none is faster than `{original}`, which takes {before}: keep that")
        });
    }
    let forecast = answer.forecast.as_ref()?;
    let is_slower = forecast.speedup.speedup? <= 1.0;
    let on = &forecast.on;
    is_slower
        .then(|| format!("by the forecast none is faster on {on} than `{original}`: keep that"))
}

fn status_line(status: Status) -> &'static str {
    match status {
        Status::Rewritten => "rewritten",
        Status::NothingToGain => "nothing to gain",
        Status::Refused => "refused",
        Status::CheckFailed => "a check failed: the variant is not shown",
        Status::NotChecked => {
            "not checked here: the variant is not shown. --size names a size of the launch file to check at, --device another \
             of this machine's devices"
        }
    }
}

fn placed_line(placed: &LocalArray) -> String {
    let treatment = match placed.mechanism {
        Mechanism::Tile => "filled once",
        Mechanism::Strip => "filled for each strip of a loop",
        Mechanism::Table => "the whole array, filled once",
        Mechanism::Part => "a work-group's own part",
        Mechanism::Columns => "each work-item's own, an element of each row",
        Mechanism::Privatised => "counted in, and added at the end",
        Mechanism::Staged => "turned before it is stored",
    };
    if placed.bytes == 0 {
        return format!("{}: {treatment}", placed.array);
    }
    let words = format!(
        "{}: {} elements, {} bytes, {treatment}",
        placed.array,
        units::joined(&placed.extents, " × "),
        placed.bytes
    );
    match (placed.reads, placed.fills) {
        (Some(reads), Some(fills)) => format!("{words}; {reads} reads of {fills} elements"),
        _ => words,
    }
}

fn refusal_line(refusal: &Refusal) -> String {
    let (place, words) = (&refusal.place, refusal.reason);
    match &refusal.array {
        Some(array) => format!("{array}: {words} ({place})"),
        None => format!("{words} ({place})"),
    }
}
