//! Observers: they hear of each block and access that warps execute.

use super::{AccessId, BlockId};

/// A warp of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Warp {
    /// Its work-group.
    pub group: [u32; 3],
    /// Its place in the work-group, from 0.
    pub index: u32,
}

/// An observer of what the warps of a work-group do, in the order in which it happens. Lanes are places in the warp,
/// from 0, in order. The instructions of blocks are in the [`Program`](super::Program).
///
/// It hears of accesses only if the [`Slice`](super::Slice) has their addresses; those of a block come between the
/// block and the next of that warp.
pub trait Observer {
    /// A warp executes a block: all of its instructions, with these lanes.
    fn block(&mut self, warp: Warp, block: BlockId, lanes: &[u16]) {
        let _ = (warp, block, lanes);
    }

    /// A warp executes a memory access. `addresses`: one for each active lane, in the lanes' order. Global and constant
    /// addresses have the buffer above [`BUFFER_SHIFT`](super::BUFFER_SHIFT); local ones count from the beginning of
    /// the work-group's memory, private ones from the beginning of the work-item's.
    fn access(&mut self, warp: Warp, access: AccessId, lanes: &[u16], addresses: &[u64]) {
        let _ = (warp, access, lanes, addresses);
    }

    /// A warp waits at a barrier.
    fn barrier(&mut self, warp: Warp) {
        let _ = warp;
    }
}

/// An observer of nothing.
impl Observer for () {}
