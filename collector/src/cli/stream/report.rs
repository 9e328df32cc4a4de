//! Plans, outcomes and offers of streams, for people.

use std::fmt::Write as _;

use kerncast_collector::stream::Outcome;
use kerncast_primitives::{
    ExplainedStream, Offload, OffloadChange, StreamBound, StreamPlan, StreamWay, TripForecast,
};

use super::{EmptyInput, Explanation};
use crate::cli::{table, units};

pub(super) fn explanation(answer: &Explanation) -> String {
    let (device, memory) = (&answer.device, units::bytes(answer.device_memory));
    let mut words = format!("{device}, {memory} of its memory; nothing was done\n");
    let mut trips = trips_table();
    for (index, it) in answer.explained.trips.iter().enumerate() {
        let (bytes, forecast) = ([it.bytes_in, it.bytes_out], it.forecast.as_ref());
        trips.add_row(row(index, &it.plan, bytes, forecast, None));
    }
    let _ = writeln!(words, "{trips}");
    if let Some(forecast) = forecast(&answer.explained) {
        let _ = writeln!(words, "{forecast}\nfor files in the system's cache");
    }
    if let Some(offload) = &answer.offload {
        let offers = offers(offload);
        let _ = write!(words, "\nThe same of arrays in memory:\n{offers}");
    }
    words.trim_end().to_owned()
}

pub(super) fn outcome(outcome: &Outcome) -> String {
    let report = &outcome.report;
    let mut words = String::new();
    if let Some(result) = &outcome.result {
        let _ = writeln!(words, "{result}");
    }
    let mut trips = trips_table();
    for (index, it) in report.trips.iter().enumerate() {
        let (bytes, forecast) = ([it.bytes_in, it.bytes_out], it.forecast.as_ref());
        trips.add_row(row(index, &it.plan, bytes, forecast, Some(it.seconds)));
    }
    let _ = writeln!(words, "{trips}");
    let (elements, seconds) = (report.elements, units::time(report.seconds));
    let rate = units::rate(outcome.bytes_per_s, "B/s");
    let _ = write!(
        words,
        "{elements} elements in {seconds}, {rate} of the input"
    );
    if let Some((by, share)) = report.bound_by.zip(report.bound_share) {
        let (bound, share) = (bound(by), units::percent(share));
        let _ = match by {
            StreamBound::Fixed => write!(words, "\n{share} of the time went to {bound}"),
            _ => write!(words, "\nbound by {bound}, busy {share} of the time"),
        };
    }
    if let Some(forecast) = outcome.forecast.as_ref().and_then(forecast) {
        let _ = write!(words, "\n{forecast}");
    }
    words
}

pub(super) fn empty_input(answer: &EmptyInput) -> String {
    let sentence = "0 elements: nothing went through the device";
    match &answer.result {
        Some(result) => format!("{result}\n{sentence}"),
        None => sentence.to_owned(),
    }
}

/// Seconds of a first call, the part that is its start, and how far to trust the forecast.
fn forecast(explained: &ExplainedStream) -> Option<String> {
    let trips = explained.trips_s.or(explained.forecast_s)?;
    let mut words = match (explained.forecast_s, explained.interval_s) {
        (Some(seconds), Some(interval)) => {
            format!("forecast: {} ({})", units::time(seconds), ends(interval))
        }
        (Some(seconds), None) => format!("forecast: {}", units::time(seconds)),
        (None, _) => format!("forecast: {} without the start", units::time(trips)),
    };
    if let Some(start) = &explained.start {
        let stretched = |seconds| units::time(explained.stretch * seconds);
        let _ = write!(
            words,
            ", of which {} the start: programs {}, memory {}",
            stretched(start.seconds),
            stretched(start.programs_s),
            stretched(start.staging_s + start.slots_s)
        );
    }
    if (explained.stretch - 1.0).abs() >= 0.005 {
        let _ = write!(
            words,
            "\nall of it scaled by ×{:.2}, the ratio measured for similar first calls",
            explained.stretch
        );
    }
    let (word, why) = (explained.trust.word, &explained.trust.why);
    let _ = write!(words, "\ntrust: {word}, {why}");
    Some(words)
}

fn ends([low, high]: [f64; 2]) -> String {
    format!("{} – {}", units::time(low), units::time(high))
}

fn bound(by: StreamBound) -> &'static str {
    match by {
        StreamBound::Staging => "the threads that copy to pinned memory",
        StreamBound::ToDevice => "the way to the device",
        StreamBound::Device => "the device",
        StreamBound::FromDevice => "the way back",
        StreamBound::Unstaging => "the threads that copy from pinned memory",
        StreamBound::Fixed => "what each call takes however short: building, allocation, latency",
    }
}

fn change(change: &OffloadChange) -> String {
    match change {
        OffloadChange::BoundBy { by } => {
            let helps = match by {
                StreamBound::Staging | StreamBound::Unstaging => "pinned arrays need none",
                StreamBound::ToDevice | StreamBound::FromDevice => "a faster bus would change it",
                StreamBound::Device => "a faster device would change it",
                StreamBound::Fixed => "only longer arrays, or several in one call, would change it",
            };
            format!("the device's time goes mostly to {}: {helps}", bound(*by))
        }
        OffloadChange::Pinned {
            seconds,
            pays,
            pinning_s,
        } => {
            let pays = if *pays { "pays" } else { "does not pay" };
            let [seconds, pinning] = [*seconds, *pinning_s].map(units::time);
            format!(
                "with pinned arrays it takes {seconds}, and {pays} beside all cores; pinning them takes {pinning} once"
            )
        }
        OffloadChange::MoreMemory { seconds } => {
            let seconds = units::time(*seconds);
            format!("with device memory for all of it at once: {seconds}")
        }
        OffloadChange::Start {
            seconds,
            pays_after_calls,
        } => {
            let seconds = units::time(*seconds);
            let pays = match pays_after_calls {
                Some(calls) => format!("; with that the device pays from {calls:.0} calls on"),
                None => String::new(),
            };
            format!("a first call takes {seconds} longer, for programs and memory{pays}")
        }
        OffloadChange::UnknownStart => {
            "what a first call takes longer was not measured; --measure does that".to_owned()
        }
    }
}

/// The speed of the device, of one core and of all cores, and the length from which the device pays.
pub(in super::super) fn offers(offload: &Offload) -> String {
    let mut offers = table::new(["by", "time", "interval", "trust", "rate"]);
    for it in &offload.offers {
        offers.add_row([
            it.by.text().into(),
            table::number(units::time(it.seconds)),
            table::number_or_dash(it.interval_s.map(ends)),
            it.trust.word.to_string().into(),
            table::number(units::rate(offload.bytes as f64 / it.seconds, "B/s")),
        ]);
    }
    let certain = match offload.is_certain {
        Some(true) => "for all times within the intervals",
        Some(false) => "but the intervals overlap: it may be another",
        None => "but forecasts of such lengths have not been checked",
    };
    let mut words = format!("{offers}\nfastest: {}, {certain}\n", offload.fastest.text());
    for (than, from) in [
        ("one core", offload.pays_beside_one_core_from),
        ("all cores", offload.pays_beside_all_cores_from),
    ] {
        let _ = match from.map(units::bytes) {
            Some(bytes) => writeln!(words, "the device is faster than {than} from {bytes} on"),
            None => writeln!(words, "the device is never faster than {than}"),
        };
    }
    for it in &offload.would_change {
        let _ = writeln!(words, "{}", change(it));
    }
    words.trim_end().to_owned()
}

fn trips_table() -> table::Table {
    table::new("trip, chunks, elements each, slots, ways, in, out, forecast, took".split(", "))
}

fn row(
    index: usize,
    plan: &StreamPlan,
    [bytes_in, bytes_out]: [u64; 2],
    forecast: Option<&TripForecast>,
    took: Option<f64>,
) -> Vec<String> {
    let ways = |ways: &[StreamWay]| {
        let mut names: Vec<String> = ways.iter().map(|it| spaced(&format!("{it:?}"))).collect();
        names.dedup();
        names.join(" and ")
    };
    let both = [ways(&plan.ways_in), ways(&plan.ways_out)];
    let both: Vec<String> = both.into_iter().filter(|it| !it.is_empty()).collect();
    vec![
        (index + 1).to_string(),
        plan.chunks.to_string(),
        plan.chunk_elements.to_string(),
        plan.slots.to_string(),
        both.join(" → "),
        units::bytes(bytes_in),
        units::bytes(bytes_out),
        table::or_dash(forecast.map(|it| units::time(it.seconds))),
        table::or_dash(took.map(units::time)),
    ]
}

/// `ToDevice` as `to device`.
fn spaced(variant: &str) -> String {
    let mut words = String::new();
    for (place, letter) in variant.chars().enumerate() {
        if place > 0 && letter.is_uppercase() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}
