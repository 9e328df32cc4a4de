//! Sums over work-groups, and the names of counters made from them.

use std::collections::BTreeMap;

use super::lines::Touched;
use crate::sampling::{GroupTotals, sums};

sums! {
    ItemInstructions "cpu_item_instructions",
    Instructions "cpu_instructions",
    ScalarInstructions "cpu_scalar_instructions",
    VectorInstructions "cpu_vector_instructions",
    Integers "cpu_integer_instructions",
    Floats "cpu_float_instructions",
    Divider "cpu_divider_cycles",
    Functions "cpu_function_instructions",
    Branches "cpu_branches",
    Mispredictions "cpu_mispredictions",
    Loads "cpu_loads",
    Stores "cpu_stores",
    Gathered "cpu_gathered_loads",
    Scattered "cpu_scattered_stores",
    PrivateAccesses "cpu_private_accesses",
    LocalAccesses "cpu_local_accesses",
    Atomics "cpu_atomics",
    LocalAtomics "cpu_local_atomics",
    Barriers "cpu_barriers",
    Iterations "cpu_turns",
    Chain "cpu_chain",
    SerialLoads "cpu_serial_loads",
    GlobalLoads "cpu_item_loads",
    IterationInstructions "cpu_turn_instructions",
    Streamed32K,
    Streamed256K,
    Streamed2M,
    Strayed32K,
    Strayed256K,
    Strayed2M,
}

/// Sums over work-groups.
#[derive(Clone, Debug, Default)]
pub(super) struct Totals {
    pub(super) sums: [f64; SUMS],
    /// Touched lines, by buffer.
    pub(super) touched: BTreeMap<u64, Touched>,
    /// Atomics by line: those on one line wait for each other.
    pub(super) atomics: BTreeMap<u64, f64>,
    /// Instructions of the longest work-group.
    pub(super) longest: f64,
}

impl Totals {
    pub(super) fn sum(&self, sum: Sum) -> f64 {
        self.sums[sum as usize]
    }
}

impl GroupTotals for Totals {
    fn add(&mut self, other: &Self, count: f64, among: f64) {
        let weight = count / among;
        for (sum, more) in self.sums.iter_mut().zip(&other.sums) {
            // In this order what is alike in all stays whole.
            *sum += count * more / among;
        }
        for (line, more) in &other.atomics {
            *self.atomics.entry(*line).or_default() += weight * more;
        }
        for (buffer, more) in &other.touched {
            let sum = self.touched.entry(*buffer).or_default();
            sum.lines += weight * more.lines;
            sum.writes += weight * more.writes;
            for (sum, more) in sum.first.iter_mut().zip(more.first) {
                *sum += weight * more;
            }
        }
        self.longest = self.longest.max(other.longest);
    }
}
