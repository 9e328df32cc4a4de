//! What a device has no room for is not forecast.

use kerncast_training::LAUNCH;
use kerncast_wire::{Device, FieldProblem};

use super::asked::Set;
use crate::problem::field;

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
