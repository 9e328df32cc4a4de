//! A workload's accesses, for people.

use std::fmt::Write;

use kerncast_analysis::{
    accesses::{
        Does,
        launch::{Footprint, Quality},
        report::{Report, class_word},
    },
    ast::{Place, Space},
};

use super::Answer;
use crate::cli::{table, units};

/// Characters of an index that are printed; the JSON has the whole index.
const MAX_INDEX: usize = 38;

pub(super) fn in_words(answer: &Answer) -> String {
    let mut words = answer.name();
    if let Some(refusal) = &answer.refusal {
        let _ = write!(words, "\n  {refusal}");
    }
    if let Some(access) = answer.outside().next()
        && let Some(beyond) = &access.beyond
    {
        let Place { line, column, .. } = access.place;
        let count = answer.outside().count();
        let more = match count {
            1 => String::new(),
            _ => format!(" (and {} more: below)", units::count(count - 1, "access")),
        };
        let _ = write!(words, "\n!! {beyond}, at {line}:{column}{more}");
    }
    for note in answer.unlawful() {
        let Place { line, column, .. } = note.place;
        let _ = write!(words, "\n!! {}, at {line}:{column}", note.text);
    }
    for report in &answer.functions {
        let _ = write!(words, "\n{}", of_function(report));
    }
    words
}

fn of_function(report: &Report) -> String {
    let mut words = format!(
        "kernel {}\n{}\n{}",
        report.function,
        arrays(report),
        accesses(report)
    );
    for note in report.notes() {
        let Place { line, column, .. } = note.place;
        let _ = write!(words, "\n  {line}:{column} {}", note.text);
    }
    words
}

fn arrays(report: &Report) -> table::Table {
    let mut rows = table::new(["array", "memory", "of", "loads", "stores", "atomics"]);
    for (place, array) in report.arrays.iter().enumerate() {
        let lengths = array.lengths.iter().map(|length| format!("[{length}]"));
        let lengths: String = lengths.collect();
        let accesses = report.accesses.iter();
        let own = accesses.filter(|it| it.array == Some(place));
        // A structure passed by value has known numbers.
        if own.clone().next().is_none() && array.memory == Space::Private {
            continue;
        }
        let count = |does: Does| {
            table::number(own.clone().filter(|it| it.does == does).count().to_string())
        };
        rows.add_row(vec![
            array.name.clone().into(),
            array.memory.to_string().into(),
            format!("{}{lengths}", array.element).into(),
            count(Does::Load),
            count(Does::Store),
            count(Does::Atomic),
        ]);
    }
    rows
}

/// A table of accesses. A warp's request counts sectors of global memory, or passes over the banks of local memory.
fn accesses(report: &Report) -> table::Table {
    let mut rows = table::new(["at", "access", "class", "request", "reuse", "group"]);
    for access in &report.accesses {
        let measured = &access.measured;
        let request = match (measured.sectors, measured.bank_passes) {
            (Some(sectors), _) => format!("{} sectors", round(sectors)),
            (_, Some(passes)) => format!("{} passes", round(passes)),
            _ => "–".to_owned(),
        };
        let reuse = measured.reuse;
        let reuse = reuse.map(|it| format!("{} × {}", round(it.by_item), round(it.by_group)));
        let place = format!("{}:{}", access.place.line, access.place.column);
        rows.add_row(vec![
            table::number(place),
            shorten(&report.access_text(access)).into(),
            class_word(access.class).into(),
            table::number(request),
            table::number_or_dash(reuse),
            table::number_or_dash(measured.group.as_ref().map(footprint)),
        ]);
    }
    rows
}

fn shorten(text: &str) -> String {
    if text.chars().count() <= MAX_INDEX {
        return text.to_owned();
    }
    let beginning: String = text.chars().take(MAX_INDEX - 1).collect();
    format!("{beginning}…")
}

/// Elements of a footprint; marked as at most so many where it is not exact.
fn footprint(level: &Footprint) -> String {
    let sure = match level.quality {
        Quality::AtMost => "≤ ",
        _ => "",
    };
    format!("{sure}{}", level.elements)
}

/// A number with at most two decimals, without trailing zeros.
fn round(number: f64) -> String {
    let text = format!("{number:.2}");
    match text.trim_end_matches('0').trim_end_matches('.') {
        "" => "0".to_owned(),
        text => text.to_owned(),
    }
}
