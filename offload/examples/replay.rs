//! Streams that were done, forecast anew in their order, each by the rates and the runs before it alone: how a change of how
//! runs are learnt from would have fared (docs/notebook/streams.md).
//!
//! `cargo run --example replay -- RATES.json RUNS.jsonl`, where a line is a run, the oldest first.

use std::{
    error::Error,
    fs,
    io::{Write, stdout},
    slice,
};

use kerncast_offload::{First, Rates, Run};

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let [rates, runs] = &paths[..] else {
        return Err("expected RATES.json and RUNS.jsonl".into());
    };
    let rates: Rates = serde_json::from_str(&fs::read_to_string(rates)?)?;
    let runs = fs::read_to_string(runs)?;
    let runs: Result<Vec<Run>, _> = runs.lines().map(serde_json::from_str).collect();
    let runs = runs?;
    let replayed = (0..runs.len()).map(|place| again(&rates, &runs[..place], &runs[place]));
    let replayed: Vec<Run> = replayed.collect();
    let mut out = stdout();
    for (then, now) in runs.iter().zip(&replayed) {
        let [told, anew] = [then, now].map(|it| it.told.forecast_s);
        writeln!(
            out,
            "{:14} {:11} took {:8.4} s, told {told:8.4}, anew {anew:8.4}, interval {:?}",
            now.primitive, now.elements, now.told.measured_s, now.interval_s
        )?;
    }
    for (name, runs) in [("told", &runs), ("anew", &replayed)] {
        let errors = runs
            .iter()
            .map(|it| (it.told.forecast_s / it.told.measured_s - 1.0).abs());
        let intervals = runs
            .iter()
            .filter_map(|it| Some((it.told.measured_s, it.interval_s?)));
        let within = intervals
            .clone()
            .filter(|(s, [low, high])| low <= s && s <= high)
            .count();
        let factors = intervals
            .clone()
            .map(|(_, [low, high])| (high / low).sqrt());
        writeln!(
            out,
            "{name}: median error {:?}, {within} of {} within intervals of median ×/÷ {:?}",
            middle(errors),
            intervals.count(),
            middle(factors)
        )?;
    }
    Ok(())
}

fn middle(all: impl Iterator<Item = f64>) -> Option<f64> {
    let mut all: Vec<f64> = all.collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied()
}

/// A run as it would have been told after those `before` it; as it was told, where that has no part in it.
fn again(rates: &Rates, before: &[Run], run: &Run) -> Run {
    // With the start of runs from before that was kept.
    let mut own = rates.with_runs(run.rates, slice::from_ref(run)).first_runs;
    let Some(call) = own.pop() else {
        return run.clone();
    };
    let newest: Vec<Run> = before.iter().rev().cloned().collect();
    let rates = rates.with_runs(run.rates, &newest);
    let stretch = rates.stretch(call.work, &call.by, call.passes);
    let call_s = call.trips_s * stretch + call.start_s;
    let forecast_s = call_s * rates.call_stretch(call.work, &call.by, call.elements);
    let error = rates.first_error(call.work, &call.by, call.elements);
    let interval_s = error.and_then(|it| it.interval(forecast_s));
    Run {
        told: First {
            forecast_s,
            ..run.told
        },
        interval_s,
        ..run.clone()
    }
}
