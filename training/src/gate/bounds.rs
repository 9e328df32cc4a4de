//! Bounds that no device exceeds.

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
    rates.into_iter().find_map(|(of, roles, most)| {
        let (per_second, most) = (total(it, roles, counters) / it.median_s, most?);
        if per_second <= MOST_RATE_FACTOR * most {
            return None;
        }
        object(Doubt::BeyondDevice {
            of,
            per_second,
            most,
        })
    })
}

/// The sum of a sample's counts by `roles` and their weights, by the provider that counts the most.
fn total(it: &ArrivedSample, roles: &[(Role, f64)], counters: &Counters<'_>) -> f64 {
    let mut totals: Vec<(&str, f64)> = Vec::new();
    for (name, value) in &it.counters {
        let role = counters.get(name).role;
        let Some((_, weight)) = roles.iter().find(|(of, _)| role == Some(*of)) else {
            continue;
        };
        let provider = name.split(':').next().unwrap_or_default();
        match totals.last_mut() {
            Some((of, total)) if *of == provider => *total += weight * value,
            _ => totals.push((provider, weight * value)),
        }
    }
    totals.into_iter().map(|it| it.1).fold(0.0, f64::max)
}
