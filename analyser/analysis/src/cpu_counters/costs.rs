//! Costs of LLVM's instructions on a CPU with vectors of 32 bytes.
//!
//! Numbers are rounded ones of recent x86-64 (Fog, Instruction tables, 2022; uops.info): micro-operations, cycles of
//! the divider, and cycles until the result is there. A fit finds by which factor they are off.

use super::functions::{LONGEST_INLINED, micro_operations};
use crate::{
    callee::{argument_type, callee},
    llvm::Binary,
    run::{Block, Instruction, Operation, Program, Real},
};

/// The cost of a block for one work-item, or for [`LANES`](super::LANES) side by side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cost {
    /// Micro-operations of whole numbers, comparisons and choices; none for addresses.
    pub(super) integers: f64,
    /// Micro-operations of floating-point numbers, and of conversions.
    pub(super) floats: f64,
    /// Cycles of the divider.
    pub(super) divider: f64,
    /// Micro-operations of mathematical functions.
    pub(super) functions: f64,
    pub(super) branches: f64,
}

impl Cost {
    fn add(&mut self, other: &Self) {
        self.integers += other.integers;
        self.floats += other.floats;
        self.divider += other.divider;
        self.functions += other.functions;
        self.branches += other.branches;
    }

    /// Micro-operations, without those of memory.
    pub(super) fn all(&self) -> f64 {
        self.integers + self.floats + self.functions + self.branches
    }
}

/// Costs of a block, from the text alone.
#[derive(Clone, Debug, Default)]
pub(super) struct Costs {
    /// Cost of one work-item by itself.
    pub(super) one: Cost,
    /// Cost of neighbours side by side.
    pub(super) packed: Cost,
    /// Cycles until each instruction's result is ready.
    pub(super) latencies: Vec<f64>,
}

pub(super) fn block_costs(
    program: &Program,
    block: &Block,
    is_uniform: impl Fn(&Instruction) -> bool,
) -> Costs {
    let mut costs = Costs::default();
    for instruction in &block.instructions {
        let (cost, bits, latency) = instruction_cost(instruction);
        costs.one.add(&cost);
        costs.latencies.push(latency);
        if is_uniform(instruction) {
            costs.packed.add(&cost);
            continue;
        }
        // Vectors have 8 numbers of 32 bits.
        let vectors = (f64::from(bits) / 32.0).max(0.25);
        costs.packed.add(&Cost {
            integers: cost.integers * vectors,
            floats: cost.floats * vectors,
            // Whole numbers are divided one by one, others half as fast as one.
            divider: cost.divider
                * if cost.integers > 0.0 {
                    8.0
                } else {
                    1.5 * vectors
                },
            functions: 0.0,
            branches: 0.0,
        });
    }
    let (mut functions, mut latency) = (0.0, 0.0);
    for counted in &block.counted {
        let name = &program.names[counted.name as usize];
        if let Some(length) = length(name) {
            functions += f64::from(counted.count) * length;
            latency += f64::from(counted.count) * length;
        }
    }
    let instructions = block.instructions.iter();
    let calls = instructions.filter(|it| it.is_function()).count();
    for (instruction, late) in block.instructions.iter().zip(&mut costs.latencies) {
        if instruction.is_function() {
            *late = latency / calls as f64;
        }
    }
    costs.one.functions = functions;
    costs.packed.functions = functions;
    if block.end.decides().is_some() {
        costs.one.branches = 1.0;
        costs.packed.branches = 1.0;
    }
    costs
}

/// An instruction's cost, the bits of its numbers, and its latency; memory's is not in it.
fn instruction_cost(instruction: &Instruction) -> (Cost, u32, f64) {
    let integers = |count: f64, bits: u32, latency: f64| {
        let cost = Cost {
            integers: count,
            ..Cost::default()
        };
        (cost, bits, latency)
    };
    let floats = |count: f64, real: Real, latency: f64| {
        let cost = Cost {
            floats: count,
            ..Cost::default()
        };
        (cost, bits_of(real), latency)
    };
    match &instruction.operation {
        Operation::Integer(Binary::UDiv | Binary::SDiv | Binary::URem | Binary::SRem, bits) => {
            let (mut cost, bits, latency) = integers(4.0, *bits, 20.0);
            cost.divider = if bits > 32 { 20.0 } else { 8.0 };
            (cost, bits, latency)
        }
        Operation::Integer(Binary::Mul, bits) => integers(1.0, *bits, 3.5),
        Operation::Integer(_, bits) | Operation::Compare(_, bits) => integers(1.0, *bits, 1.0),
        Operation::Mask(bits) | Operation::SignExtend(bits, _) if *bits < 32 => {
            integers(0.5, *bits, 1.0)
        }
        Operation::Select | Operation::Test1(..) | Operation::Test2(..) => integers(1.0, 32, 1.0),
        Operation::Pick => integers(2.0, 32, 4.0),
        Operation::Whole1(_, bits) | Operation::Whole2(_, bits) | Operation::Whole3(_, bits) => {
            integers(1.5, *bits, 2.0)
        }
        Operation::Float(Binary::FDiv, real) => {
            let (mut cost, bits, latency) = floats(1.0, *real, 12.0);
            cost.divider = if bits > 32 { 4.0 } else { 3.0 };
            (cost, bits, latency)
        }
        Operation::Float(Binary::FRem, real) => floats(30.0, *real, 40.0),
        Operation::Float(_, real) | Operation::FloatCompare(_, real) => floats(1.0, *real, 4.0),
        Operation::Negate(real) | Operation::Math3(_, real) => floats(1.0, *real, 4.0),
        Operation::Resize(_, real)
        | Operation::ToInteger(real, ..)
        | Operation::FromInteger(_, _, real)
        | Operation::Round(real, ..) => floats(1.0, *real, 5.0),
        Operation::Access(_) => (Cost::default(), 32, 5.0),
        // Part of what follows.
        Operation::Index(..) => (Cost::default(), 32, 1.0),
        _ => (Cost::default(), 32, 0.0),
    }
}

fn bits_of(real: Real) -> u32 {
    match real {
        Real::Half => 16,
        Real::Float => 32,
        Real::Double => 64,
    }
}

/// Micro-operations of the function that a counted call calls; none if it is no call of a long function.
fn length(name: &str) -> Option<f64> {
    micro_operations(callee(name)?, argument_type(name) == "double")
}

/// Whether a block calls a function that is not inlined.
pub(super) fn is_call(program: &Program, block: &Block) -> bool {
    let names = block
        .counted
        .iter()
        .map(|it| &program.names[it.name as usize]);
    let mut lengths = names.filter_map(|name| length(name));
    lengths.any(|it| it > LONGEST_INLINED)
}
