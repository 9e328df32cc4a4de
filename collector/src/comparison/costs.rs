//! Costs before and after a change: counters, and accesses in the source.

use std::collections::BTreeMap;

use kerncast_profilers::catalogue::role;
use kerncast_wire::{
    AccessDoes, Forecast, Role, SpeedupForecast, VariantAnalysis, provider::ANALYSIS,
};
use serde::Serialize;

use crate::forecast::{forecast_of, time_shares};

/// A share of the time, before and after.
#[derive(Serialize)]
pub struct Cost {
    /// The counter as `PROVIDER:NAME`, or in words what no counter explains.
    #[serde(rename = "of")]
    pub name: String,
    /// Seconds before; 0 where there is no such share.
    pub before_s: f64,
    /// Seconds after.
    pub after_s: f64,
}

/// An access in the source, before and after.
#[derive(Serialize)]
pub struct AccessChange {
    /// Array and index.
    pub access: String,
    /// Whether it loads, stores or updates.
    pub does: AccessDoes,
    /// Its line before; none where the access is new.
    pub before: Option<u32>,
    /// Its line after; none where the access is gone.
    pub after: Option<u32>,
    /// Seconds that its counters take before.
    pub before_s: f64,
    /// Seconds that its counters take after.
    pub after_s: f64,
}

/// An access, and the time that it takes.
pub(super) struct AccessTime {
    line: u32,
    access: String,
    does: AccessDoes,
    time_s: f64,
}

/// The costs before and after, the largest change first.
pub(super) fn costs(speedup: &SpeedupForecast) -> Vec<Cost> {
    let mut by_name: BTreeMap<String, [f64; 2]> = BTreeMap::new();
    for (side, prediction) in [&speedup.before, &speedup.after].into_iter().enumerate() {
        for share in forecast_of(prediction).into_iter().flat_map(time_shares) {
            by_name.entry(share.name).or_default()[side] += share.time_s;
        }
    }
    let costs = by_name.into_iter().map(|(name, [before_s, after_s])| Cost {
        name,
        before_s,
        after_s,
    });
    let mut costs: Vec<Cost> = costs.collect();
    let change = |it: &Cost| (it.after_s - it.before_s).abs();
    costs.sort_by(|one, other| change(other).total_cmp(&change(one)));
    costs
}

/// The time of each access: its share of the counters that the analysis gives, applied to the forecast's time for
/// counters of the same role.
pub(super) fn access_times(analysis: &VariantAnalysis, forecast: &Forecast) -> Vec<AccessTime> {
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
    let accesses = analysis.accesses.iter().map(|it| AccessTime {
        line: it.line,
        access: it.access.clone(),
        does: it.does,
        time_s: it.shares.iter().map(time).sum(),
    });
    accesses.filter(|it| it.time_s > 0.0).collect()
}

/// Pairs the accesses before and after by their text in the source, those with the same text in their order. The
/// largest change comes first.
pub(super) fn access_changes(
    before: Vec<AccessTime>,
    mut after: Vec<AccessTime>,
) -> Vec<AccessChange> {
    let mut changes = Vec::new();
    for old in before {
        let same = |it: &AccessTime| (&it.access, it.does) == (&old.access, old.does);
        let new = after.iter().position(same).map(|place| after.remove(place));
        changes.push(AccessChange {
            access: old.access,
            does: old.does,
            before: Some(old.line),
            after: new.as_ref().map(|it| it.line),
            before_s: old.time_s,
            after_s: new.map_or(0.0, |it| it.time_s),
        });
    }
    changes.extend(after.into_iter().map(|new| AccessChange {
        access: new.access,
        does: new.does,
        before: None,
        after: Some(new.line),
        before_s: 0.0,
        after_s: new.time_s,
    }));
    let change = |it: &AccessChange| (it.after_s - it.before_s).abs();
    changes.sort_by(|one, other| change(other).total_cmp(&change(one)));
    changes
}
