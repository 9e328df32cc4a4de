//! What became of a kernel, for people.

use std::fmt::Write;

use kerncast_analysis::localize::{Mechanism, Placed, Refusal};
use similar::TextDiff;

use super::{Answer, Status, candidate::Choice, forecast::Forecast};
use crate::cli::{forecast::uncounted_lines, speedup, table, units, wrap::wrapped};

/// Candidates that are shown, beside those that were measured.
const MOST_ROWS: usize = 10;

pub(super) fn in_words(answer: &Answer) -> String {
    let mut words = format!("{} {}\n", answer.kernel, answer.of);
    for placed in &answer.placed {
        let _ = writeln!(words, "  {}", of_placed(placed));
    }
    for refusal in &answer.refusals {
        let _ = writeln!(words, "  {}", of_refusal(refusal));
    }
    if !answer.only_for.is_empty() {
        let _ = writeln!(
            words,
            "  only where {}; any other launch runs as it was written",
            answer.only_for.join(" and ")
        );
    }
    if let Some(loads) = &answer.global_loads {
        let _ = writeln!(
            words,
            "  loads from global memory at {}: {} → {}",
            loads.at, loads.before, loads.after
        );
    }
    if let Some(checked) = &answer.checked {
        for failure in &checked.failures {
            let _ = writeln!(words, "  FAILED  {failure}");
        }
        if !checked.equal.is_empty() && checked.failures.is_empty() {
            let _ = writeln!(words, "  outputs equal at {}", checked.equal.join("; "));
        }
        if !checked.race_free.is_empty() {
            let _ = writeln!(
                words,
                "  no race at {} (Oclgrind)",
                checked.race_free.join("; ")
            );
        }
        for skipped in &checked.skipped {
            let _ = writeln!(words, "  not tried  {skipped}");
        }
    }
    if let Some(forecast) = &answer.forecast {
        let _ = writeln!(words, "  {}", of_forecast(forecast));
    }
    if let Some(why) = &answer.no_forecast {
        let _ = writeln!(words, "  no forecast: {why}");
    }
    let said = answer.no_forecast.as_deref().unwrap_or_default();
    for line in uncounted_lines(&answer.uncounted, said) {
        let _ = writeln!(words, "  {line}");
    }
    if !answer.candidates.is_empty() {
        let _ = writeln!(words, "{}", of_candidates(answer));
    }
    let _ = writeln!(words, "{}", in_short(answer.status));
    if let Some(advice) = advice(answer) {
        let _ = writeln!(words, "{advice}");
    }
    // A source's lines stay as they are.
    words = wrapped(&words);
    if let Some(source) = &answer.source {
        let diff = TextDiff::from_lines(&answer.before, source);
        let _ = write!(words, "\n{}", diff.unified_diff().context_radius(3));
    }
    words.trim_end().to_owned()
}

fn of_forecast(forecast: &Forecast) -> String {
    let lines = speedup::lines(&forecast.of);
    format!(
        "forecast on {} at {}:\n    {}",
        forecast.on,
        forecast.at,
        lines.join("\n    ")
    )
}

/// The best first.
fn of_candidates(answer: &Answer) -> String {
    let mut rows = table::new(["in local memory", "global loads", "forecast", "measured"]);
    if let Some(before_s) = answer.measured_before_s {
        rows.add_row([
            "nothing".into(),
            table::number_or_dash(
                answer
                    .global_loads
                    .as_ref()
                    .map(|loads| loads.before.to_string()),
            ),
            table::number_or_dash(None::<String>),
            table::number_or_dash(Some(units::time(before_s))),
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
            of_choice(choice).into(),
            table::number_or_dash(choice.global_loads.map(|loads| loads.to_string())),
            table::number_or_dash(choice.forecast_s.map(units::time)),
            match has_failed {
                true => "its check FAILED (--json says how)".into(),
                false => table::number_or_dash(choice.measured_s.map(units::time)),
            },
        ]);
    }
    match left_out {
        0 => rows.to_string(),
        more => format!("{rows}\n… and {more} more (--json has all)"),
    }
}

/// Which arrays, and what is not as the launch file or the rules of docs/localize.md have it.
fn of_choice(choice: &Choice) -> String {
    let mut form = Vec::new();
    if let Some(sizes) = &choice.work_group {
        let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
        form.push(format!("work-groups of {}", sizes.join(" × ")));
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
    match form.is_empty() {
        true => arrays,
        false => format!("{arrays}: {}", form.join(", ")),
    }
}

/// What to do where nothing that was made is faster: by what was measured, else by forecast.
fn advice(answer: &Answer) -> Option<String> {
    let of = &answer.of;
    let measured_s = answer.candidates.first().and_then(|it| it.measured_s);
    if let Some((before_s, best_s)) = answer.measured_before_s.zip(measured_s) {
        let before = units::time(before_s);
        return (before_s <= best_s)
            .then(|| format!("here none is faster than `{of}`, which takes {before}: keep that"));
    }
    let forecast = answer.forecast.as_ref()?;
    let is_slower = forecast.of.speedup? <= 1.0;
    let on = &forecast.on;
    is_slower.then(|| format!("by the forecast none is faster on {on} than `{of}`: keep that"))
}

fn in_short(status: Status) -> &'static str {
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

fn of_placed(placed: &Placed) -> String {
    let extents: Vec<String> = placed.extents.iter().map(ToString::to_string).collect();
    let how = match placed.mechanism {
        Mechanism::Tile => "filled once",
        Mechanism::Strip => "filled for each strip of a loop",
        Mechanism::Table => "the whole array, filled once",
        Mechanism::Part => "a work-group's own part",
        Mechanism::Columns => "each work-item's own, an element of each row",
        Mechanism::Privatised => "counted in, and added at the end",
        Mechanism::Staged => "turned before it is stored",
    };
    if placed.bytes == 0 {
        return format!("{}: {how}", placed.array);
    }
    let words = format!(
        "{}: {} elements, {} bytes, {how}",
        placed.array,
        extents.join(" × "),
        placed.bytes
    );
    match (placed.reads, placed.fills) {
        (Some(reads), Some(fills)) => format!("{words}; {reads} reads of {fills} elements"),
        _ => words,
    }
}

fn of_refusal(refusal: &Refusal) -> String {
    let (place, words) = (&refusal.place, refusal.reason);
    match &refusal.array {
        Some(array) => format!("{array}: {words} ({place})"),
        None => format!("{words} ({place})"),
    }
}
