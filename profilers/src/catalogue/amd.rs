//! Counters of AMD's profilers beyond their table.

use super::{Description, find};

/// What Kerncast itself adds: from rocprofv3's kernel trace.
pub const DURATION: &str = "kernel_trace.duration";

/// One of several units' counters (`TCC_HIT[3]`) is described as their sum is. A part plays no role.
pub(super) fn describe_unit(name: &str) -> Option<Description> {
    let one = name.strip_suffix(']').and_then(|name| name.split_once('['));
    let unit = one.map_or(name, |(name, _)| name);
    let sum = find("rocprofv3", &format!("{unit}_sum"))?;
    Some(Description {
        role: None,
        ..sum.into()
    })
}
