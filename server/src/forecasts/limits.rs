//! What a device has no room for, or can't have counted, is not forecast.

use kerncast_profilers::catalogue::role;
use kerncast_training::LAUNCH;
use kerncast_wire::{Device, DeviceKind, FieldProblem, Role};

use super::asked::Set;
use crate::http::problem::{escaped, field};

/// Why the device can't run what has these counters; none where it may. Asked of launches that say by themselves how
/// large they are: what a profiler tells of the geometry has run, by an API with limits of its own.
pub(super) fn too_large(device: &Device, set: &Set) -> Option<FieldProblem> {
    if !set.providers.contains(LAUNCH) {
        return None;
    }
    let launch = set.counters.get(LAUNCH)?;
    let limits = [
        (
            "work_group_size",
            device.largest_work_group(),
            "work-items in a work-group",
        ),
        (
            "local_bytes",
            device.local_memory_bytes,
            "bytes of local memory",
        ),
        (
            "global_bytes",
            device.global_memory_bytes,
            "bytes of global memory",
        ),
    ];
    limits.into_iter().find_map(|(name, most, what)| {
        let (needed, most) = (*launch.get(name)?, most?);
        #[expect(
            clippy::cast_precision_loss,
            reason = "devices have less than 2^53 bytes"
        )]
        let is_too_large = needed > most as f64;
        is_too_large.then(|| {
            let expected = format!(
                "at most {most}: the {} has no more {what}, and can't run this launch",
                device.name
            );
            field(format!("{}/{LAUNCH}/{name}", set.at), needed, expected)
        })
    })
}

/// Schedulers of a multiprocessor, since Maxwell (CUDA C++ programming guide, compute capabilities).
const SCHEDULERS: f64 = 4.0;
/// Replayed launches count alike but for so much.
const ALIKE: f64 = 0.95;

/// Why this device can't have counted these counters: its busiest scheduler issued less than the mean of all. None
/// where it may, and where nothing of that is counted.
pub(super) fn too_even(device: &Device, set: &Set) -> Option<FieldProblem> {
    // Of another kind of device these are another's counters, and models of other counters may answer.
    let units = device
        .compute_units
        .filter(|_| device.kind == DeviceKind::Gpu)?;
    let counted = set.counters.iter().find_map(|(provider, counters)| {
        // Only ncu counts by scheduler.
        let of = |wanted: Role| {
            let mut named = counters.iter();
            let is_wanted = |name: &str| role(&format!("{provider}:{name}")) == Some(wanted);
            named.find(|(name, _)| provider == "ncu" && is_wanted(name))
        };
        let busiest = of(Role::BusiestInstructions)?;
        Some((provider, busiest, of(Role::Instructions)?))
    });
    let (provider, (name, busiest), (of_all, all)) = counted?;
    let mean = all / (SCHEDULERS * f64::from(units));
    if *busiest >= ALIKE * mean {
        return None;
    }
    let expected = format!(
        "at least {mean:.0}: {of_all} is {all}, and the {} has {units} multiprocessors with {SCHEDULERS} schedulers each",
        device.name
    );
    let at = format!("{}/{}/{}", set.at, escaped(provider), escaped(name));
    Some(field(at, busiest, expected))
}
