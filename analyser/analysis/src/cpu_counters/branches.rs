//! Branches that a CPU predicts wrongly, by the last times that the same work-item came there (two-level adaptive
//! prediction: Yeh, Patt, MICRO 24, 1991).

use crate::run::{BlockId, End, Program};

/// Number of outcomes of a branch that are remembered.
const HISTORY_LENGTH: u32 = 4;

/// A two-level branch predictor.
pub(super) struct Branches {
    /// A counter for each branch and history, 0 to 3: 2 and more predict that it is taken.
    counters: Vec<u8>,
    /// The last block of each lane of a work-group, and its outcomes at each branch.
    lanes: Vec<Lane>,
    blocks: usize,
}

#[derive(Clone)]
struct Lane {
    before: u32,
    history: Vec<u8>,
}

impl Branches {
    pub(super) fn new(blocks: usize, lanes: usize) -> Self {
        let lane = Lane {
            before: u32::MAX,
            history: vec![0; blocks],
        };
        Self {
            counters: vec![1; blocks << HISTORY_LENGTH],
            lanes: vec![lane; lanes],
            blocks,
        }
    }

    /// Begins another work-group: its lanes have no history, but the counters of branches stay.
    pub(super) fn begin(&mut self) {
        for lane in &mut self.lanes {
            lane.before = u32::MAX;
            lane.history.fill(0);
        }
    }

    /// Moves a lane to a block. Returns the block whose branch was predicted wrongly, if any was.
    pub(super) fn enter(&mut self, program: &Program, lane: usize, to: BlockId) -> Option<usize> {
        let lane = self.lanes.get_mut(lane)?;
        let before = std::mem::replace(&mut lane.before, to.0) as usize;
        if before >= self.blocks {
            return None;
        }
        let End::Branch { then, other, .. } = &program.blocks[before].end else {
            return None;
        };
        if then.to == other.to {
            return None;
        }
        let is_taken = then.to == to;
        let history = &mut lane.history[before];
        let counter = &mut self.counters[(before << HISTORY_LENGTH) + usize::from(*history)];
        let is_wrong = (*counter >= 2) != is_taken;
        *counter = if is_taken {
            (*counter + 1).min(3)
        } else {
            counter.saturating_sub(1)
        };
        *history = (*history << 1 | u8::from(is_taken)) & ((1 << HISTORY_LENGTH) - 1);
        is_wrong.then_some(before)
    }
}
