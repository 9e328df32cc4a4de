//! What the time goes to, before and after a change.

use std::collections::BTreeMap;

use kerncast_profilers::catalogue::{ANALYSIS, role};
use kerncast_wire::{
    AccessDoes, Forecast, Outcome, Prediction, Role, SpeedupForecast, VariantAnalysis,
};
use serde::Serialize;

use crate::cli::shares::parts;

/// A part of the time.
#[derive(Serialize)]
pub(super) struct Cost {
    /// A counter as `PROVIDER:NAME`, or what is none.
    pub(super) of: String,
    /// Seconds before and after; 0 where there is no such part.
    pub(super) before_s: f64,
    pub(super) after_s: f64,
}

/// An access in the source.
#[derive(Serialize)]
pub(super) struct Line {
    /// Array and index.
    pub(super) access: String,
    pub(super) does: AccessDoes,
    /// Its line before and after; absent where it is not there.
    pub(super) before: Option<u32>,
    pub(super) after: Option<u32>,
    /// Seconds that the counters take which come from it.
    pub(super) before_s: f64,
    pub(super) after_s: f64,
}

/// What an access takes: its line, what it is, and seconds.
pub(super) struct OfAccess {
    line: u32,
    access: String,
    does: AccessDoes,
    time_s: f64,
}

/// What has changed most first.
pub(super) fn costs(speedup: &SpeedupForecast) -> Vec<Cost> {
    let of = |prediction: &Prediction| match &prediction.outcome {
        Outcome::Forecast(forecast) => parts(forecast),
        Outcome::Refused(_) => Vec::new(),
    };
    let mut all: BTreeMap<String, [f64; 2]> = BTreeMap::new();
    for (side, prediction) in [&speedup.before, &speedup.after].into_iter().enumerate() {
        for (_, name, time_s) in of(prediction) {
            all.entry(name).or_default()[side] += time_s;
        }
    }
    let costs = all.into_iter().map(|(of, [before_s, after_s])| Cost {
        of,
        before_s,
        after_s,
    });
    let mut costs: Vec<Cost> = costs.collect();
    let change = |it: &Cost| (it.after_s - it.before_s).abs();
    costs.sort_by(|one, other| change(other).total_cmp(&change(one)));
    costs
}

/// What each access of a kernel takes: its share of a counter, of the time that goes to what counts the same, whoever counted
/// it.
pub(super) fn of_accesses(known: &VariantAnalysis, forecast: &Forecast) -> Vec<OfAccess> {
    let mut times: BTreeMap<Role, f64> = BTreeMap::new();
    for share in &forecast.explanation.shares {
        if let Some(role) = role(&share.counter) {
            *times.entry(role).or_default() += share.time_s;
        }
    }
    let time = |(counter, share): (&String, &f64)| {
        let role = role(&format!("{ANALYSIS}:{counter}"));
        let time_s = role.and_then(|it| times.get(&it).copied());
        share * time_s.unwrap_or_default()
    };
    let accesses = known.accesses.iter().map(|it| OfAccess {
        line: it.line,
        access: it.access.clone(),
        does: it.does,
        time_s: it.shares.iter().map(time).sum(),
    });
    accesses.filter(|it| it.time_s > 0.0).collect()
}

/// Accesses by what is written in the source, one after the other where that is there more than once; what has changed
/// most first.
pub(super) fn changed(before: Vec<OfAccess>, mut after: Vec<OfAccess>) -> Vec<Line> {
    let mut lines = Vec::new();
    for old in before {
        let same = |it: &OfAccess| (&it.access, it.does) == (&old.access, old.does);
        let new = after.iter().position(same).map(|place| after.remove(place));
        lines.push(Line {
            access: old.access,
            does: old.does,
            before: Some(old.line),
            after: new.as_ref().map(|it| it.line),
            before_s: old.time_s,
            after_s: new.map_or(0.0, |it| it.time_s),
        });
    }
    lines.extend(after.into_iter().map(|new| Line {
        access: new.access,
        does: new.does,
        before: None,
        after: Some(new.line),
        before_s: 0.0,
        after_s: new.time_s,
    }));
    let change = |it: &Line| (it.after_s - it.before_s).abs();
    lines.sort_by(|one, other| change(other).total_cmp(&change(one)));
    lines
}
