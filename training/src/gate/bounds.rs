//! What no device does.

use kerncast_models::across::Ceilings;
use kerncast_wire::Role;

use super::{Arrived, counters::Counters, doubt::Doubt};
use crate::{
    rates::{DOUBLE, DRAM, SINGLE},
    words::{number, seconds},
};

/// A launch that does something takes no tenth of the shortest one.
const OF_SHORTEST: f64 = 0.1;

/// Ceilings that were measured on a busy machine have come out 33 times too low.
const BEYOND: f64 = 50.0;

/// Times and rates beyond what the device was measured to do at most, by far.
pub(super) fn impossible(
    it: &Arrived,
    ceilings: Option<&Ceilings>,
    counters: &Counters<'_>,
) -> Option<Doubt> {
    let never = |reason| {
        Some(Doubt {
            reason,
            can_be_confirmed: false,
        })
    };
    if !(it.median_s.is_finite() && it.median_s > 0.0) {
        return never(format!("{} s is no time", it.median_s));
    }
    let ceilings = ceilings?;
    if let Some(shortest) = ceilings.launch_latency_s
        && it.median_s < OF_SHORTEST * shortest
    {
        return never(format!(
            "it took {}, where the device's shortest launch takes {}",
            seconds(it.median_s),
            seconds(shortest)
        ));
    }
    let rates = [
        ("bytes", &DRAM[..], ceilings.copy_bytes_per_s),
        (
            "single-precision operations",
            &SINGLE,
            ceilings.fp32_flop_per_s,
        ),
        (
            "double-precision operations",
            &DOUBLE,
            ceilings.fp64_flop_per_s,
        ),
    ];
    rates.into_iter().find_map(|(what, roles, most)| {
        let (rate, most) = (total(it, roles, counters) / it.median_s, most?);
        if rate <= BEYOND * most {
            return None;
        }
        never(format!(
            "its counters and its time make {} {what} a second, where the device was measured to do {}",
            number(rate),
            number(most)
        ))
    })
}

/// Of the provider that counts the most of it.
fn total(it: &Arrived, roles: &[(Role, f64)], counters: &Counters<'_>) -> f64 {
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
