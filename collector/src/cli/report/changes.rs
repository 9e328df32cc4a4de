//! What has changed in the last week.

use kerncast_suite::sizes;
use kerncast_wire::{Changes, Overview};

use crate::cli::units;

/// Workloads that a person reads; `--json` has all.
const MOST: usize = 5;

/// Of the devices that are shown.
pub(super) fn in_words(changes: &Changes, overview: &Overview) -> String {
    let name = |id: i64| {
        let mut devices = overview.devices.iter();
        let device = devices.find(|it| it.device.id == id)?;
        Some(&*device.device.short_name)
    };
    let mut lines = Vec::new();
    for new in &changes.samples {
        let Some(device) = name(new.device) else {
            continue;
        };
        lines.push(format!(
            "{device}: {} samples of {} workloads, {} of them new there",
            new.samples, new.workloads, new.new_workloads
        ));
    }
    let times = changes.times.iter();
    let times: Vec<_> = times
        .filter_map(|it| Some((name(it.device)?, it)))
        .collect();
    for (device, it) in times.iter().take(MOST) {
        let (factor, slower) = match it.factor > 1.0 {
            true => (it.factor, "slower"),
            false => (1.0 / it.factor, "faster"),
        };
        lines.push(format!(
            "{device}: {} {} {} is {factor:.2} times {slower}: {} to {}",
            it.kernel,
            it.variant,
            sizes(&it.parameters),
            units::time(it.before_s),
            units::time(it.now_s)
        ));
    }
    let others = times.len().saturating_sub(MOST) + changes.more;
    if others > 0 {
        lines.push(format!("{others} more workloads have changed (--json)"));
    }
    for it in &changes.models {
        let Some(device) = name(it.device) else {
            continue;
        };
        lines.push(format!(
            "{device}: {} on counters of {} was off by ×/÷ {:.2}, and is by {:.2}",
            it.method, it.provider, it.before, it.now
        ));
    }
    let since = changes.since.format("%Y-%m-%d");
    match lines.is_empty() {
        true => format!("Nothing has changed since {since}"),
        false => format!("Changed since {since}\n- {}", lines.join("\n- ")),
    }
}
