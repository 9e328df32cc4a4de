//! Occupancy: the work-groups and warps that a multiprocessor holds at once.

use super::{Gpu, LANES};
use crate::{run::Shape, sampling::CountedLaunch};

/// Bytes of each work-group's local memory that the system takes.
const SYSTEM_BYTES: u64 = 1 << 10;

/// A launch's work-groups, and those that a multiprocessor holds at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occupancy {
    pub(super) gpu: Gpu,
    /// Work-groups of the launch.
    pub(super) groups: u64,
    /// Warps of a work-group.
    pub(super) warps: u64,
    /// Bytes of local memory of a work-group.
    pub(super) local_bytes: u64,
    /// Work-groups that a multiprocessor holds at once, at least one.
    pub(super) capacity: u64,
}

impl Occupancy {
    pub(super) fn new(launch: &CountedLaunch<'_, '_>, gpu: Gpu) -> Self {
        let shape = Shape::new(launch.step);
        let mut occupancy = Self {
            gpu,
            groups: shape.all_groups(),
            warps: shape.items().div_ceil(LANES as u64).max(1),
            local_bytes: launch.program.local_bytes + launch.step.local_bytes(),
            capacity: 1,
        };
        let fewest = occupancy
            .by_warps()
            .min(occupancy.by_local_memory())
            .min(gpu.groups.into());
        occupancy.capacity = fewest.max(1);
        occupancy
    }

    /// Work-groups that a multiprocessor has warps for.
    pub(super) fn by_warps(&self) -> u64 {
        u64::from(self.gpu.warps) / self.warps
    }

    /// Work-groups that a multiprocessor has local memory for.
    pub(super) fn by_local_memory(&self) -> u64 {
        self.gpu.local_bytes / (self.local_bytes + SYSTEM_BYTES)
    }

    /// Multiprocessors that have work-groups, at least one.
    pub(super) fn active(&self) -> u64 {
        self.groups.clamp(1, self.gpu.multiprocessors.max(1).into())
    }

    /// Work-groups that are on a multiprocessor at once: no more than there are.
    pub(super) fn resident(&self) -> u64 {
        self.capacity
            .min(self.groups.div_ceil(self.active()))
            .max(1)
    }

    /// Work-groups that are on all multiprocessors at once.
    pub(super) fn resident_everywhere(&self) -> u64 {
        self.resident() * self.active()
    }

    /// Bytes of a multiprocessor's L1: what local memory leaves.
    pub(super) fn l1_bytes(&self) -> u64 {
        let local = self.resident() * self.local_bytes;
        self.gpu.l1_bytes.saturating_sub(local).max(16 << 10)
    }

    /// Bytes of the last cache that a work-group has for itself.
    pub(super) fn l2_share(&self) -> u64 {
        self.gpu.l2_bytes / self.resident_everywhere()
    }
}
