//! Counters of AMD's profilers that are not in the catalogue's table.

use kerncast_wire::provider::ROCPROFV3;

use super::{Description, find};

/// The time in rocprofv3's kernel trace, a counter that Kerncast adds.
pub const DURATION: &str = "kernel_trace.duration";

/// Describes the counter of a single unit (`TCC_HIT[3]`) like the sum over all units, but without a role.
pub(super) fn describe_unit(name: &str) -> Option<Description> {
    let one = name.strip_suffix(']').and_then(|name| name.split_once('['));
    let unit = one.map_or(name, |(name, _)| name);
    let sum = find(ROCPROFV3, &format!("{unit}_sum"))?;
    Some(Description {
        role: None,
        ..sum.into()
    })
}
