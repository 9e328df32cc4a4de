//! Flags that mark times as doubtful.

use std::collections::BTreeSet;

use kerncast_wire::{Conditions, Flag, Times};

use crate::timing;

/// Throttle reasons for power and temperature, by NVML's names. Other reasons are permanent settings:
/// `applications_clocks_setting`, `display_clock_setting`.
const SLOWING: [&str; 6] = [
    "sw_power_cap",
    "sw_thermal_slowdown",
    "hw_slowdown",
    "hw_thermal_slowdown",
    "hw_power_brake_slowdown",
    // Held back by a slower neighbour of its group.
    "sync_boost",
];

/// The flags of times that were taken under `conditions`. Unknown conditions raise none.
pub fn flags(times: &Times, conditions: Option<&Conditions>) -> BTreeSet<Flag> {
    let mut flags = BTreeSet::new();
    let reasons = conditions.and_then(|conditions| conditions.throttle_reasons.as_ref());
    if reasons.is_some_and(|all| all.iter().any(|reason| SLOWING.contains(&reason.as_str()))) {
        flags.insert(Flag::Throttled);
    }
    if conditions.is_some_and(|conditions| conditions.other_processes > Some(0)) {
        flags.insert(Flag::Shared);
    }
    if timing::has_outliers(&times.repetitions_s) {
        flags.insert(Flag::Outliers);
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(repetitions_s: &[f64]) -> Times {
        Times {
            repetitions_s: repetitions_s.to_vec(),
            launches_per_repetition: 1,
            settled: Some(true),
            cold_repetitions_s: Vec::new(),
        }
    }

    fn under(reasons: &[&str], other_processes: Option<u32>) -> Conditions {
        Conditions {
            throttle_reasons: Some(reasons.iter().map(|&reason| reason.to_owned()).collect()),
            other_processes,
            ..Conditions::default()
        }
    }

    #[test]
    fn power_temperature_and_neighbours_are_flagged_and_settings_are_not() {
        let steady = times(&[1.0; 10]);
        let raised = |conditions: &Conditions| {
            let flags = flags(&steady, Some(conditions));
            flags.into_iter().collect::<Vec<_>>()
        };
        assert_eq!(raised(&under(&["sw_power_cap"], None)), [Flag::Throttled]);
        assert_eq!(
            raised(&under(&["hw_thermal_slowdown"], Some(0))),
            [Flag::Throttled]
        );
        assert_eq!(
            raised(&under(&["applications_clocks_setting"], Some(0))),
            []
        );
        assert_eq!(raised(&under(&[], Some(2))), [Flag::Shared]);
        let both = [Flag::Throttled, Flag::Shared];
        assert_eq!(raised(&under(&["sync_boost"], Some(1))), both);
    }

    #[test]
    fn what_is_not_known_raises_no_flag() {
        assert!(flags(&times(&[1.0; 10]), None).is_empty());
        assert!(flags(&times(&[1.0; 10]), Some(&Conditions::default())).is_empty());
        let far = [1.0, 1.0, 1.0, 1.0, 1.0, 1.5];
        assert_eq!(flags(&times(&far), None), BTreeSet::from([Flag::Outliers]));
    }
}
