//! Bounds that no device exceeds.

use std::collections::BTreeMap;

use kerncast_wire::{Ceilings, Doubt, RateOf, Role};

use super::{ArrivedSample, Objection, counters::Counters};
use crate::rates::{DOUBLE, DRAM, SINGLE};

/// The least share of the device's shortest launch that a launch can take which does something.
const LEAST_LAUNCH_SHARE: f64 = 0.1;

/// The largest factor by which a rate may exceed its ceiling: ceilings that were measured on a busy machine have come
/// out 33 times too low.
const MOST_RATE_FACTOR: f64 = 50.0;

/// An objection to a time or rate far beyond what the device was measured to do at most.
pub(super) fn objection(
    it: &ArrivedSample,
    ceilings: Option<&Ceilings>,
    counters: &Counters<'_>,
) -> Option<Objection> {
    let object = |doubt: Doubt| {
        Some(Objection {
            doubts: doubt.into(),
            can_be_confirmed: false,
        })
    };
    if !(it.median_s.is_finite() && it.median_s > 0.0) {
        return object(Doubt::NoTime {
            time_s: it.median_s,
        });
    }
    let ceilings = ceilings?;
    if let Some(shortest) = ceilings.launch_latency_s
        && it.median_s < LEAST_LAUNCH_SHARE * shortest
    {
        return object(Doubt::BelowLaunch {
            time_s: it.median_s,
            launch_s: shortest,
        });
    }
    let rates = [
        (RateOf::Bytes, &DRAM[..], ceilings.copy_bytes_per_s),
        (RateOf::SingleOperations, &SINGLE, ceilings.fp32_flop_per_s),
        (RateOf::DoubleOperations, &DOUBLE, ceilings.fp64_flop_per_s),
    ];
    rates.into_iter().find_map(|(rate, roles, most)| {
        let (per_second, most) = (total(it, roles, counters) / it.median_s, most?);
        if per_second <= MOST_RATE_FACTOR * most {
            return None;
        }
        object(Doubt::BeyondDevice {
            of: rate,
            per_second,
            most,
        })
    })
}

/// The sum of a sample's counts by `roles` and their weights, by the provider that counts the most.
fn total(it: &ArrivedSample, roles: &[(Role, f64)], counters: &Counters<'_>) -> f64 {
    let mut totals: BTreeMap<&str, f64> = BTreeMap::new();
    for (name, value) in &it.counters {
        let role = counters.get(name).role;
        if let Some((_, weight)) = roles.iter().find(|it| role == Some(it.0)) {
            let provider = name.split(':').next().unwrap_or_default();
            *totals.entry(provider).or_default() += weight * value;
        }
    }
    totals.into_values().fold(0.0, f64::max)
}
