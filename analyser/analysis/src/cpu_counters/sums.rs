//! Sums over work-groups, and the names of counters made from them.

use std::collections::BTreeMap;

use super::lines::Touched;
use crate::sampling::GroupTotals;

/// A sum of the launch: its place, as in [`COUNTER_NAMES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sum {
    ItemInstructions,
    Instructions,
    ScalarInstructions,
    VectorInstructions,
    Integers,
    Floats,
    Divider,
    Functions,
    Branches,
    Mispredictions,
    Loads,
    Stores,
    Gathered,
    Scattered,
    PrivateAccesses,
    LocalAccesses,
    Atomics,
    LocalAtomics,
    Barriers,
    Iterations,
    Chain,
    SerialLoads,
    GlobalLoads,
    IterationInstructions,
    Streamed32K,
    Streamed256K,
    Streamed2M,
    Strayed32K,
    Strayed256K,
    Strayed2M,
}

/// Number of sums.
pub(super) const SUMS: usize = Sum::Strayed2M as usize + 1;

/// Names of the counters that are the first sums, in their order; further counters are made from the other sums.
pub(super) const COUNTER_NAMES: [&str; 24] = [
    "cpu_item_instructions",
    "cpu_instructions",
    "cpu_scalar_instructions",
    "cpu_vector_instructions",
    "cpu_integer_instructions",
    "cpu_float_instructions",
    "cpu_divider_cycles",
    "cpu_function_instructions",
    "cpu_branches",
    "cpu_mispredictions",
    "cpu_loads",
    "cpu_stores",
    "cpu_gathered_loads",
    "cpu_scattered_stores",
    "cpu_private_accesses",
    "cpu_local_accesses",
    "cpu_atomics",
    "cpu_local_atomics",
    "cpu_barriers",
    "cpu_turns",
    "cpu_chain",
    "cpu_serial_loads",
    "cpu_item_loads",
    "cpu_turn_instructions",
];

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
