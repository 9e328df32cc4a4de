//! The time of a work-item's instructions one after the other, as far as they wait for each other.

use crate::{
    llvm::Space,
    run::{AccessKind, BlockId, Program},
};

/// Cycles by which memory answers later on the second clock.
const LATE_CYCLES: f64 = 1000.0;

/// Two clocks: with all memory answering from the first cache, and with global memory answering late.
type Clocks = [f64; 2];

/// The cycles at which a work-item's registers are ready.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    ready: Vec<Clocks>,
    last: Clocks,
}

impl Chain {
    pub(super) fn new(slots: u32) -> Self {
        Self {
            ready: vec![Clocks::default(); slots as usize],
            last: Clocks::default(),
        }
    }

    /// Ends the chain and begins anew. Returns the cycles until the last result is ready, and the number of loads among
    /// what it waits for.
    pub(super) fn end(&mut self) -> (f64, f64) {
        self.ready.fill(Clocks::default());
        let [near, far] = std::mem::take(&mut self.last);
        (near, (far - near) / LATE_CYCLES)
    }

    /// Executes a block with the latencies of its instructions.
    pub(super) fn walk(&mut self, program: &Program, id: BlockId, latencies: &[f64]) {
        let block = &program.blocks[id.place()];
        for (instruction, latency) in block.instructions.iter().zip(latencies) {
            let mut ready = Clocks::default();
            for slot in &instruction.operands {
                later(&mut ready, &self.ready[slot.0 as usize]);
            }
            let is_far = program
                .access(instruction)
                .is_some_and(|it| it.kind == AccessKind::Load && it.space == Space::Global);
            ready[0] += latency;
            ready[1] += latency + if is_far { LATE_CYCLES } else { 0.0 };
            for result in &instruction.results {
                self.ready[result.0 as usize] = ready;
            }
            later(&mut self.last, &ready);
        }
        block.copy_over_edges(&mut self.ready);
    }
}

fn later(one: &mut Clocks, other: &Clocks) {
    for (one, other) in one.iter_mut().zip(other) {
        *one = one.max(*other);
    }
}
