//! What a device's measured ceilings allow at most: no time is below that.

use std::collections::BTreeSet;

use kerncast_profilers::catalogue::role;
use kerncast_training::rates::{DOUBLE, IR, Parts, SINGLE};
use kerncast_wire::{
    Bound, DeviceKind, Floor, Forecast, Raised, Role, Warning,
    provider::{ANALYSIS, LAUNCH},
};

use super::counter_set::PostedSet;
use crate::db::forecasts::devices::KnownDevice;

/// Memory's ceiling is that of a copy, which reads as much as it writes. What goes one way alone is faster by so much:
/// of the H200's 1,182 samples with ncu's counters one that only reads is, by 8.2 %, and none by more.
const ONE_WAY_GAIN: f64 = 0.09;
/// Bytes of a GPU's last cache where nobody knows them: more than an H200 has.
const USUAL_CACHE_BYTES: f64 = 64e6;
/// A launch that moves so many times its last cache finds next to nothing there that an earlier one left.
const CACHE_TIMES: f64 = 4.0;
/// No processor computes slower in single precision than in double: where it was measured so, by more than
/// measurements differ, something else was computing. Ceilings from before agents looked at that are stored still.
const LEAST_SINGLE_SHARE: f64 = 0.9;
/// Every launch takes at least this share of the shortest one. What does nothing measures the shortest: of the shipped
/// samples of each device the shortest takes 1.09 (Xeon, PoCL 3.1) to 3 times as long, and a measurement is off by a few
/// percent.
const SHORTEST_SHARE: f64 = 0.9;
/// Bytes that are read from DRAM, and written to it.
const READ_BYTES: [(Role, f64); 2] = [(Role::DramReadSectors, 32.0), (Role::DramReadBytes, 1.0)];
const WRITTEN_BYTES: [(Role, f64); 2] =
    [(Role::DramWriteSectors, 32.0), (Role::DramWriteBytes, 1.0)];
/// What the analysis tells of DRAM is an estimate. That each sector has to be moved once is none.
const DISTINCT_SECTORS: [&str; 2] = ["distinct_read_sectors", "distinct_written_sectors"];

/// The least time of a workload with these counters, by whichever ceiling allows the least; none where no ceiling is
/// known that anything counted is bounded by.
pub(super) fn floor(known_device: &KnownDevice, set: &PostedSet) -> Option<Floor> {
    let ceilings = known_device.ceilings.as_ref()?;
    let launches = set.launches().unwrap_or(1.0).max(1.0);
    let shortest = ceilings.launch_latency_s.into_iter();
    let shortest = shortest.map(|it| ("launch_latency_s", SHORTEST_SHARE * launches * it));
    let mut floors: Vec<(&str, f64)> = shortest.collect();
    for (provider, counters) in &set.counters {
        if provider == LAUNCH {
            continue;
        }
        let counts = counters.iter().filter_map(|(name, count)| {
            let role = role(&format!("{provider}:{name}"))?;
            Some((role, *count))
        });
        let counts: Vec<(Role, f64)> = counts.collect();
        let sum = |parts: &Parts| -> f64 {
            let events = counts.iter().filter_map(|(role, count)| {
                let (_, events) = parts.iter().find(|(part, _)| part == role)?;
                Some(events * count)
            });
            events.sum()
        };
        let double = ceilings.fp64_flop_per_s;
        let is_as_fast =
            |single: &f64| double.is_none_or(|double| *single >= LEAST_SINGLE_SHARE * double);
        let single = ceilings.fp32_flop_per_s.filter(is_as_fast);
        for (ceiling, most, parts) in [
            ("fp32_flop_per_s", single, &SINGLE[..]),
            ("fp32_flop_per_s", single, &IR),
            ("fp64_flop_per_s", double, &DOUBLE),
        ] {
            floors.extend(most.map(|most| (ceiling, sum(parts) / most)));
        }
        let [read, written] = match provider.as_str() {
            ANALYSIS => {
                DISTINCT_SECTORS.map(|name| 32.0 * counters.get(name).copied().unwrap_or(0.0))
            }
            _ => [READ_BYTES, WRITTEN_BYTES].map(|parts| sum(&parts)),
        };
        let is_beyond = is_beyond(known_device, set, read + written);
        if let Some(most) = ceilings.copy_bytes_per_s.filter(|_| is_beyond) {
            let one_way = (read - written).abs() / (read + written);
            let time_s = (read + written) / (most * (1.0 + ONE_WAY_GAIN * one_way));
            floors.push(("copy_bytes_per_s", time_s));
        }
    }
    let bounds = bounds(floors);
    let first = bounds.first()?;
    Some(Floor {
        time_s: first.time_s,
        ceiling: first.ceiling.clone(),
        raised: None,
        bounds,
    })
}

/// Each ceiling once, as whichever provider's counters allow the least.
fn bounds(mut floors: Vec<(&str, f64)>) -> Vec<Bound> {
    floors.retain(|(_, time_s)| *time_s > 0.0 && time_s.is_finite());
    floors.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut ceilings = BTreeSet::new();
    floors.retain(|(ceiling, _)| ceilings.insert(*ceiling));
    let bounds = floors.into_iter().map(|(ceiling, time_s)| Bound {
        ceiling: ceiling.to_owned(),
        time_s,
    });
    bounds.collect()
}

/// Whether so many bytes can't come from the last cache. What one launch has left there the next one finds, so of
/// several nothing is said.
fn is_beyond(known_device: &KnownDevice, set: &PostedSet, bytes: f64) -> bool {
    #[expect(
        clippy::cast_precision_loss,
        reason = "caches have less than 2^53 bytes"
    )]
    let own_cache = known_device.device.cache_bytes.map(|bytes| bytes as f64);
    let cache =
        own_cache.or((known_device.device.kind == DeviceKind::Gpu).then_some(USUAL_CACHE_BYTES));
    let is_one = set.launches().is_none_or(|launches| launches <= 1.0);
    is_one && bytes > 0.0 && cache.is_some_and(|cache| bytes >= CACHE_TIMES * cache)
}

/// Raises what of a forecast lies below the floor, and says so.
pub(super) fn raise(forecast: &mut Forecast, mut floor: Floor) {
    let least = floor.time_s;
    let is_below = forecast.time_s > 0.0 && forecast.time_s < least;
    match &mut forecast.interval {
        Some(interval) if interval.high_s < least => {
            let why = Warning::AgainstCeilings {
                high_s: interval.high_s,
                least_s: least,
            };
            forecast.no_interval = Some(why.to_string());
            forecast.no_interval_kind = Some(why);
            forecast.interval = None;
        }
        Some(interval) if interval.low_s < least => {
            interval.low_s = least;
            floor.raised = Some(Raised::Low);
        }
        _ => {}
    }
    if is_below {
        if forecast.interval.is_none() {
            let (time_s, least_s) = (forecast.time_s, least);
            let warning = Warning::BelowCeilings { time_s, least_s };
            forecast.warnings.0.insert(0, warning);
        }
        forecast.explanation.rest_s += least - forecast.time_s;
        forecast.time_s = least;
        floor.raised = Some(Raised::Time);
    }
    forecast.floor = Some(floor);
}
