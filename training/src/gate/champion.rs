//! A sample of a workload that no sound one has counted, beside what the champions say. Honest kernels are often
//! unlike those that a model has seen, and it must learn from exactly these: so only what is very far off is doubted.

use kerncast_wire::{Doubt, Reasons};

use super::{Arrived, ChampionForecast, against::Against};
use crate::{
    LOCAL_MEMORY,
    counters::{LAUNCHES, is_several},
};

/// How many times as wide as the interval a forecast may be off where the sample takes longer: what no counter
/// counts (chains, contention) makes kernels slow …
const SLOWER: f64 = 5.0;
/// … and hardly any fast.
const FASTER: f64 = 2.5;
/// Where intervals are narrow, or there is none.
const SLOWER_AT_LEAST: f64 = 4.0;
const FASTER_AT_LEAST: f64 = 2.0;
/// Beyond these a second collection does not help.
const SLOWER_BY_ADMIN: f64 = 100.0;
const FASTER_BY_ADMIN: f64 = 8.0;

/// What champions say of it in earnest, those whose counters no sound sample of the workload had: a time that was
/// sound without them says nothing of them. That of the microbenchmark forecasts cycles. Of several launches they
/// know nothing, and no fit learns from such a sample: so where one made the history, that spares nobody the
/// question.
fn said(it: &Arrived) -> impl Iterator<Item = &ChampionForecast> {
    let is_known = |provider| it.history.counted_by.contains(provider);
    let several = is_several(it.counters.get(LAUNCHES).copied());
    let were_several = is_several(it.history.counters.get(LAUNCHES).copied());
    it.forecasts.iter().filter(move |said| {
        said.provider != LOCAL_MEMORY
            && !several
            && (were_several || !is_known(&said.provider))
            && said.time_s.is_finite()
            && said.time_s > 0.0
    })
}

/// Of a new workload how many times as far as its interval the closest champion's forecast is off; none where
/// there is no interval.
pub(super) fn beyond(it: &Arrived) -> Option<f64> {
    let with_factor = said(it).filter_map(|said| Some((said.factor?, said.time_s)));
    let (factor, time_s) = with_factor
        .filter(|(factor, _)| *factor > 1.0)
        .min_by(|a, b| a.0.total_cmp(&b.0))?;
    Some((it.median_s / time_s).ln().abs() / factor.ln())
}

/// A time very far from what a champion says.
pub(super) fn doubt(it: &Arrived) -> Option<Against> {
    let mut doubts = said(it).filter_map(|said| {
        let off = (it.median_s / said.time_s).ln();
        let wide = said.factor.unwrap_or(1.0).max(1.0).ln();
        let (limit, by_admin) = match off > 0.0 {
            true => ((SLOWER * wide).max(SLOWER_AT_LEAST.ln()), SLOWER_BY_ADMIN),
            false => ((FASTER * wide).max(FASTER_AT_LEAST.ln()), FASTER_BY_ADMIN),
        };
        (off.abs() > limit).then(|| Against {
            doubts: Reasons::from(Doubt::UnlikeForecast {
                time_s: it.median_s,
                forecast_s: said.time_s,
                provider: said.provider.clone(),
                believed: limit.exp(),
            }),
            can_be_confirmed: off.abs() <= by_admin.ln().max(limit),
        })
    });
    doubts.next()
}
