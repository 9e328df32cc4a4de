//! All of an agent's samples together: what no sample shows by itself.

use std::collections::BTreeMap;

use chrono::TimeDelta;

use super::{
    Arrived,
    doubt::Doubt,
    history::{excess, median},
};

/// Samples that arrive no further apart belong together.
const PAUSE: TimeDelta = TimeDelta::hours(1);
/// Fewer say little.
const ENOUGH: usize = 8;
/// Times of a whole collection do not differ by more from those before, …
const SHIFT: f64 = 0.05;
/// … nor typically by more up or down.
const SCATTER: f64 = 0.10;
/// More than this a second collection does not confirm: an admin has to.
const BY_ADMIN: f64 = 1.5;

/// Adds doubts about whole collections, those of workloads without a history among them.
pub(super) fn doubt(arrived: &[Arrived], launch_s: f64, doubts: &mut [Option<Doubt>]) {
    for collection in collections(arrived) {
        let known = collection.iter().filter_map(|&at| {
            let usual_s = arrived[at].history.usual_s()?;
            Some(excess(arrived[at].median_s, usual_s, launch_s))
        });
        let known: Vec<f64> = known.filter(|it| it.is_finite()).collect();
        let Some((reason, shift)) = what_is_odd(&known) else {
            continue;
        };
        let moderate = shift.abs() <= BY_ADMIN.ln();
        for at in collection {
            // What speaks against the sample itself is told first.
            let own = doubts[at].take();
            let may = own.as_ref().is_none_or(|it| it.can_be_confirmed);
            doubts[at] = Some(Doubt {
                reason: own
                    .map_or_else(|| reason.clone(), |own| format!("{}; {reason}", own.reason)),
                can_be_confirmed: moderate && may,
            });
        }
    }
}

/// Places of samples, an agent's within an hour of each other.
fn collections(arrived: &[Arrived]) -> Vec<Vec<usize>> {
    let mut of_agents: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, it) in arrived.iter().enumerate() {
        of_agents.entry(&it.agent).or_default().push(at);
    }
    let mut collections = Vec::new();
    for mut places in of_agents.into_values() {
        places.sort_by_key(|&at| arrived[at].received_at);
        let together =
            |&a: &usize, &b: &usize| arrived[b].received_at - arrived[a].received_at <= PAUSE;
        collections.extend(places.chunk_by(together).map(<[usize]>::to_vec));
    }
    collections
}

/// Of a collection's ln(time ÷ usual): why it is doubtful, and its shift.
fn what_is_odd(known: &[f64]) -> Option<(String, f64)> {
    if known.len() < ENOUGH {
        return None;
    }
    let n = known.len();
    let shift = median(known.to_vec());
    let spread = median(known.iter().map(|it| (it - shift).abs()).collect());
    let size = median(known.iter().map(|it| it.abs()).collect());
    let percent = |log: f64| format!("{:.0} %", 100.0 * (log.exp() - 1.0));
    if shift.abs() > SHIFT && shift.abs() > spread {
        let way = if shift > 0.0 { "longer" } else { "shorter" };
        let by = percent(shift.abs());
        return Some((
            format!(
                "{n} known workloads of its collection took {by} {way} than before, throughout"
            ),
            shift,
        ));
    }
    (size > SCATTER).then(|| {
        let by = percent(size);
        (
            format!("{n} known workloads of its collection typically differ by {by} from before, up or down"),
            shift,
        )
    })
}
