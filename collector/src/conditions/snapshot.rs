//! Snapshots of a device's state, and their summary.

use std::{collections::BTreeSet, fmt};

use kerncast_wire::{Conditions, TimeSummary};

/// A device's state at one moment. What the device does not tell is absent.
#[derive(Clone, Debug, Default)]
pub(super) struct Snapshot {
    pub(super) compute_clock_mhz: Option<f64>,
    pub(super) memory_clock_mhz: Option<f64>,
    pub(super) temperature_c: Option<f64>,
    pub(super) power_w: Option<f64>,
    pub(super) throttle_reasons: Option<BTreeSet<String>>,
    /// Ids of the processes that compute on the device.
    pub(super) processes: Option<BTreeSet<u32>>,
}

/// Summarises snapshots that a process took while it computed on the device.
pub(super) fn summary(snapshots: &[Snapshot]) -> Conditions {
    let values = |field: fn(&Snapshot) -> Option<f64>| snapshots.iter().filter_map(field);
    let median = |field| {
        let values: Vec<f64> = values(field).collect();
        (!values.is_empty()).then(|| TimeSummary::of(&values).median_s)
    };
    let all = snapshots.iter();
    let reasons = all.clone().filter_map(|it| it.throttle_reasons.clone());
    let others = all.filter_map(|it| others(it.processes.as_ref()?));
    Conditions {
        compute_clock_mhz: median(|it| it.compute_clock_mhz),
        memory_clock_mhz: median(|it| it.memory_clock_mhz),
        temperature_c: values(|it| it.temperature_c).max_by(f64::total_cmp),
        power_w: median(|it| it.power_w),
        throttle_reasons: reasons.reduce(|all, more| &all | &more),
        other_processes: others.max(),
    }
}

/// The number of `processes` other than this one; none where that can't be known.
fn others(processes: &BTreeSet<u32>) -> Option<u32> {
    // This process is one of them, if only by an id that it has outside its container. Who is not
    // even shown that is shown nothing.
    u32::try_from(processes.len()).ok()?.checked_sub(1)
}

impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |number: Option<f64>| number.map_or("?".to_owned(), |n| n.to_string());
        write!(
            f,
            "now at {} MHz (memory {} MHz), {} °C, {} W",
            number(self.compute_clock_mhz),
            number(self.memory_clock_mhz),
            number(self.temperature_c),
            number(self.power_w)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(clock: f64, reasons: &[&str], processes: &[u32]) -> Snapshot {
        Snapshot {
            compute_clock_mhz: Some(clock),
            temperature_c: Some(clock / 100.0),
            throttle_reasons: Some(reasons.iter().map(|&reason| reason.to_owned()).collect()),
            processes: Some(processes.iter().copied().collect()),
            ..Snapshot::default()
        }
    }

    #[test]
    fn looks_are_summed_up() {
        let snapshots = [
            snapshot(1980.0, &[], &[7]),
            snapshot(1200.0, &["sw_power_cap"], &[7, 9]),
            snapshot(1950.0, &["hw_slowdown"], &[7]),
        ];
        let summed = summary(&snapshots);
        assert_eq!(summed.compute_clock_mhz, Some(1950.0));
        assert_eq!(summed.temperature_c, Some(19.8));
        assert_eq!(summed.memory_clock_mhz, None);
        let reasons = ["hw_slowdown", "sw_power_cap"].map(str::to_owned);
        assert_eq!(summed.throttle_reasons, Some(reasons.into()));
        assert_eq!(summed.other_processes, Some(1));
    }

    #[test]
    fn a_device_that_shows_no_process_is_not_known_to_be_alone() {
        assert_eq!(summary(&[snapshot(1980.0, &[], &[])]).other_processes, None);
        assert_eq!(
            summary(&[snapshot(1980.0, &[], &[4711])]).other_processes,
            Some(0)
        );
        assert_eq!(summary(&[Snapshot::default()]), Conditions::default());
    }
}
