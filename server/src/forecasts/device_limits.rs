//! What a device can't run, or can't have counted.

use kerncast_profilers::catalogue::role;
use kerncast_wire::{
    Device, DeviceKind, Facts, FieldProblem, Role,
    provider::{LAUNCH, NCU},
};

use super::counter_set::PostedSet;
use crate::http::{escaped, field};

/// Why the device can't run a launch that is posted with its size; none where it may. What a profiler tells of the
/// geometry has run, by an API with limits of its own.
pub(super) fn too_large(device: &Device, set: &PostedSet) -> Option<FieldProblem> {
    if !set.posted_providers.contains(LAUNCH) {
        return None;
    }
    let launch = set.counters.get(LAUNCH)?;
    let limits = [
        ("work_group_size", "work-items in a work-group"),
        ("local_bytes", "bytes of local memory"),
        ("global_bytes", "bytes of global memory"),
    ];
    let (local, global) = (device.local_memory_bytes, device.global_memory_bytes);
    let most = [device.largest_work_group(), local, global];
    limits
        .into_iter()
        .zip(most)
        .find_map(|((name, unit), most)| {
            let (needed, most) = (*launch.get(name)?, most?);
            #[expect(
                clippy::cast_precision_loss,
                reason = "devices have less than 2^53 bytes"
            )]
            let is_too_large = needed > most as f64;
            is_too_large.then(|| {
                let device_name = &device.name;
                let expected = format!(
                    "at most {most}: the {device_name} has no more {unit}, and can't run this launch"
                );
                field(format!("{}/{LAUNCH}/{name}", set.at), needed, expected)
            })
        })
}

/// Replayed launches count at least this share of one another.
const REPLAY_SHARE: f64 = 0.95;

/// Why the device can't have counted these counters: its busiest scheduler issued less than the mean of all. None where
/// it may have, and where nothing of that is counted.
pub(super) fn too_even(device: &Device, set: &PostedSet) -> Option<FieldProblem> {
    // Of another kind of device these are another's counters, and models of other counters may answer.
    let is_gpu = device.kind == DeviceKind::Gpu;
    let units = device.compute_units.filter(|_| is_gpu)?;
    // Only ncu counts by scheduler.
    let counters = set.counters.get(NCU)?;
    let of_role = |wanted: Role| {
        let is_wanted = |name: &str| role(&format!("{NCU}:{name}")) == Some(wanted);
        counters.iter().find(|(name, _)| is_wanted(name))
    };
    let (name, busiest) = of_role(Role::BusiestInstructions)?;
    let (of_all, all) = of_role(Role::Instructions)?;
    let mean = all / (Facts::SCHEDULERS * f64::from(units));
    if *busiest >= REPLAY_SHARE * mean {
        return None;
    }
    let expected = format!(
        "at least {mean:.0}: {of_all} is {all}, and the {} has {units} multiprocessors with {} schedulers each",
        device.name,
        Facts::SCHEDULERS
    );
    let at = format!("{}/{NCU}/{}", set.at, escaped(name));
    Some(field(at, busiest, expected))
}
