//! Checks an agent's samples of an hour together: they show what no sample shows by itself.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use kerncast_models::upper_median;
use kerncast_wire::{Doubt, Reasons};

use super::{
    ArrivedSample, Objection, champion,
    history::{excess, median_and_scatter},
};

/// The longest pause between samples of one collection.
const LONGEST_PAUSE: TimeDelta = TimeDelta::hours(1);
/// The least number of workloads that say anything.
const ENOUGH_WORKLOADS: usize = 8;
/// Launches this many times as long as the shortest are judged apart: the time of launching itself is nothing to them,
/// so they show smaller shifts.
const LONG_LAUNCHES: f64 = 10.0;
/// The largest shift of a collection's times from those before, as a share, …
const MOST_SHIFT: f64 = 0.03;
/// … and the largest typical change up or down.
const MOST_SCATTER: f64 = 0.10;
/// The largest typical error of forecasts of new workloads, in multiples of their interval.
const MOST_INTERVALS_OFF: f64 = 1.5;
/// The factor of the shift beyond which a second collection does not confirm: an admin has to.
const ADMIN_FACTOR: f64 = 1.5;

/// Adds objections to whole collections, also to their samples of workloads without a history.
pub(super) fn add_objections(
    arrived: &[ArrivedSample],
    launch_s: f64,
    objections: &mut [Option<Objection>],
) {
    for collection in collections(arrived) {
        // ln(time ÷ usual) of short and long launches.
        let (mut short, mut long) = (Vec::new(), Vec::new());
        for &at in &collection {
            let history = &arrived[at].history;
            // Two machines of a name differ throughout: by clocks, drivers and what else runs on them.
            let Some(usual_s) = history.usual_s().filter(|_| !history.is_shipped) else {
                continue;
            };
            let off = excess(arrived[at].median_s, usual_s, launch_s);
            let is_long = usual_s >= LONG_LAUNCHES * launch_s;
            let logs = if is_long { &mut long } else { &mut short };
            logs.push(off);
        }
        let new: Vec<f64> = collection
            .iter()
            .filter_map(|&at| champion::intervals_off(&arrived[at]))
            .collect();
        let unlike = unlike_before(&long).or_else(|| unlike_before(&short));
        let Some((doubt, shift)) = unlike.or_else(|| unlike_forecasts(&new)) else {
            continue;
        };
        let is_moderate = shift.abs() <= ADMIN_FACTOR.ln();
        for at in collection {
            // What speaks against the sample itself comes first.
            let own = objections[at].take();
            let can_be_confirmed = own.as_ref().is_none_or(|it| it.can_be_confirmed);
            let own = own.into_iter().flat_map(|it| it.doubts.0);
            objections[at] = Some(Objection {
                doubts: Reasons(own.chain([doubt.clone()]).collect()),
                can_be_confirmed: is_moderate && can_be_confirmed,
            });
        }
    }
}

/// Collections: places of samples of one agent, each arriving within an hour of the one before.
fn collections(arrived: &[ArrivedSample]) -> Vec<Vec<usize>> {
    let mut of_agents: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, it) in arrived.iter().enumerate() {
        of_agents.entry(&it.agent).or_default().push(at);
    }
    let mut collections = Vec::new();
    for mut places in of_agents.into_values() {
        places.sort_by_key(|&at| arrived[at].received_at);
        let is_close = |&a: &usize, &b: &usize| {
            arrived[b].received_at - arrived[a].received_at <= LONGEST_PAUSE
        };
        collections.extend(places.chunk_by(is_close).map(<[usize]>::to_vec));
    }
    collections
}

/// The doubt about a collection, and its shift (a logarithm), by its known workloads' ln(time ÷ usual).
fn unlike_before(logs: &[f64]) -> Option<(Doubt, f64)> {
    let n = logs.len();
    if n < ENOUGH_WORKLOADS {
        return None;
    }
    let (shift, scatter) = median_and_scatter(logs)?;
    let size = upper_median(logs.iter().map(|it| it.abs()).collect())?;
    if shift.abs() > MOST_SHIFT && shift.abs() > scatter {
        let doubt = Doubt::CollectionShifted {
            workloads: n,
            shift: shift.exp_m1(),
        };
        return Some((doubt, shift));
    }
    let doubt = Doubt::CollectionScattered {
        workloads: n,
        by: size.exp_m1(),
    };
    (size > MOST_SCATTER).then_some((doubt, shift))
}

/// The doubt about a collection, and a shift of 0, by its new workloads' |ln(time ÷ forecast)| ÷ ln(the interval's
/// factor).
fn unlike_forecasts(new: &[f64]) -> Option<(Doubt, f64)> {
    let n = new.len();
    if n < ENOUGH_WORKLOADS {
        return None;
    }
    let size = upper_median(new.to_vec())?;
    (size > MOST_INTERVALS_OFF).then(|| {
        let doubt = Doubt::CollectionUnlikeForecasts {
            workloads: n,
            times: size,
        };
        (doubt, 0.0)
    })
}
