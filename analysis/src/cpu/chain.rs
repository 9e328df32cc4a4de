//! How long a work-item's instructions take one after the other, as far as they wait for each other.

use crate::run::{BlockId, Program};

/// When a work-item's registers are there, cycles.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    ready: Vec<f64>,
    last: f64,
}

impl Chain {
    pub(super) fn new(slots: u32) -> Self {
        Self {
            ready: vec![0.0; slots as usize],
            last: 0.0,
        }
    }

    /// Cycles until the last result is there; begins anew.
    pub(super) fn end(&mut self) -> f64 {
        self.ready.fill(0.0);
        std::mem::take(&mut self.last)
    }

    /// A block with the latencies of its instructions.
    pub(super) fn walk(&mut self, program: &Program, id: BlockId, latencies: &[f64]) {
        let block = &program.blocks[id.place()];
        for (instruction, latency) in block.instructions.iter().zip(latencies) {
            let operands = instruction.operands.iter();
            let there = operands.fold(0.0, |there, slot| f64::max(there, self.ready[slot.0 as usize]));
            let done = there + latency;
            for result in &instruction.results {
                self.ready[result.0 as usize] = done;
            }
            self.last = self.last.max(done);
        }
        let copies = block.end.edges().flat_map(|edge| &edge.copies);
        let taken: Vec<(usize, f64)> = copies
            .map(|(to, from)| (to.0 as usize, self.ready[from.0 as usize]))
            .collect();
        for (to, ready) in taken {
            self.ready[to] = ready;
        }
    }
}
