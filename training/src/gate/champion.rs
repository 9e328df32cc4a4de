//! Compares a sample of a workload without a sound one with the champions' forecasts. Honest kernels are often unlike
//! those that a model has seen, and it must learn from exactly these: only what is very far off is doubted.

use kerncast_wire::{Doubt, Reasons, provider::LOCAL_MEMORY};

use super::{ArrivedSample, ChampionForecast, Objection};
use crate::counters::{LAUNCHES, is_several};

/// The multiple of the interval's width by which a sample may be slower than its forecast: what no counter counts
/// (chains, contention) makes kernels slow …
const SLOWER_INTERVALS: f64 = 5.0;
/// … and the multiple by which it may be faster, since little makes kernels fast.
const FASTER_INTERVALS: f64 = 2.5;
/// Least factors by which a sample may be slower or faster, for narrow intervals and where there is none.
const LEAST_SLOWER: f64 = 4.0;
const LEAST_FASTER: f64 = 2.0;
/// Factors beyond which a second collection does not help: an admin has to accept the sample.
const ADMIN_SLOWER: f64 = 100.0;
const ADMIN_FASTER: f64 = 8.0;

/// The forecasts that a sample is compared with. A champion is not asked if a sound sample of the workload had its
/// counters. That of the microbenchmark forecasts cycles. Champions know nothing of several launches, and no fit learns
/// from such a sample: a history of one does not replace the question.
fn relevant_forecasts(it: &ArrivedSample) -> impl Iterator<Item = &ChampionForecast> {
    let is_known = |provider| it.history.counted_by.contains(provider);
    let several = is_several(it.counters.get(LAUNCHES).copied());
    let were_several = is_several(it.history.counters.get(LAUNCHES).copied());
    it.forecasts.iter().filter(move |forecast| {
        forecast.provider != LOCAL_MEMORY
            && !several
            && (were_several || !is_known(&forecast.provider))
            && forecast.time_s.is_finite()
            && forecast.time_s > 0.0
    })
}

/// How far the forecast with the narrowest interval is off, in multiples of that interval, for a new workload; none
/// where there is no interval.
pub(super) fn intervals_off(it: &ArrivedSample) -> Option<f64> {
    let forecasts = relevant_forecasts(it);
    let with_factor = forecasts.filter_map(|it| Some((it.factor?, it.time_s)));
    let (factor, time_s) = with_factor
        .filter(|(factor, _)| *factor > 1.0)
        .min_by(|a, b| a.0.total_cmp(&b.0))?;
    Some((it.median_s / time_s).ln().abs() / factor.ln())
}

/// An objection to a time very far from what a champion forecasts.
pub(super) fn objection(it: &ArrivedSample) -> Option<Objection> {
    relevant_forecasts(it).find_map(|forecast| {
        let off = (it.median_s / forecast.time_s).ln();
        let wide = forecast.factor.unwrap_or(1.0).max(1.0).ln();
        let (limit, by_admin) = if off > 0.0 {
            (
                (SLOWER_INTERVALS * wide).max(LEAST_SLOWER.ln()),
                ADMIN_SLOWER,
            )
        } else {
            (
                (FASTER_INTERVALS * wide).max(LEAST_FASTER.ln()),
                ADMIN_FASTER,
            )
        };
        (off.abs() > limit).then(|| Objection {
            doubts: Reasons::from(Doubt::UnlikeForecast {
                time_s: it.median_s,
                forecast_s: forecast.time_s,
                provider: forecast.provider.clone(),
                believed: limit.exp(),
            }),
            can_be_confirmed: off.abs() <= by_admin.ln().max(limit),
        })
    })
}
