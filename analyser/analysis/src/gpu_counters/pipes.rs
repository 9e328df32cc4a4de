//! Costs of LLVM's instructions on a GPU: instructions of a warp by pipe, and the cycles until the result is ready.
//!
//! Numbers are those of NVIDIA's GPUs since Volta, as documents and microbenchmarks have them (Jia and others, 2018;
//! the CUDA programming guide's table of arithmetic throughput), rounded. A fit finds by which factor they are off.

use crate::{
    llvm::{Binary, Space},
    run::{Access, AccessKind, Instruction, Operation, Program, Real},
};

/// The pipe that a warp's instruction keeps busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pipe {
    /// Whole numbers and logic.
    Alu,
    /// Single precision, and products of whole numbers.
    Fma,
    Fp64,
    /// Special functions and conversions.
    Special,
    /// Loads, stores and atomics.
    Memory,
    /// Constants and barriers.
    Other,
    Branch,
}

/// Number of pipes.
pub(super) const PIPES: usize = 7;

/// Cycles for which a warp's instruction keeps each pipe busy, in the order of [`Pipe`].
pub(super) const PIPE_CYCLES: [f64; PIPES] = [2.0, 1.0, 2.0, 8.0, 4.0, 1.0, 1.0];

/// Names of counters of each pipe, in the order of [`Pipe`].
pub(super) const PIPE_NAMES: [&str; PIPES] = [
    "alu_instructions",
    "fma_instructions",
    "fp64_instructions",
    "special_instructions",
    "memory_instructions",
    "other_instructions",
    "branches",
];

/// The memory that answers an access late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Global,
    GlobalAtomic,
    Local,
    LocalAtomic,
    Private,
}

/// The cost of an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cost {
    /// A warp's instructions, by pipe.
    pub(super) instructions: [f64; PIPES],
    /// Cycles from the issue to the result.
    pub(super) latency: f64,
}

impl Cost {
    pub(super) const NOTHING: Self = Self {
        instructions: [0.0; PIPES],
        latency: 0.0,
    };

    /// A warp's instructions of all pipes.
    pub(super) fn all(&self) -> f64 {
        self.instructions.iter().sum()
    }

    pub(super) fn new(parts: &[(Pipe, f64)], latency: f64) -> Self {
        let mut instructions = [0.0; PIPES];
        for (pipe, count) in parts {
            instructions[*pipe as usize] += count;
        }
        Self {
            instructions,
            latency,
        }
    }
}

/// The cost of an instruction; memory's latency is not in it.
pub(super) fn cost(
    program: &Program,
    instruction: &Instruction,
    constants: &[Option<u64>],
    narrow: &[bool],
) -> Cost {
    let constant = |at: usize| {
        let operand = instruction.operands.get(at);
        operand.and_then(|slot| constants[slot.0 as usize])
    };
    let is_constant = |at: usize| constant(at).is_some();
    match &instruction.operation {
        // Called functions are added by their names.
        Operation::Math1(..) | Operation::Math2(..) => Cost::NOTHING,
        Operation::Copy | Operation::Offset(_) | Operation::Address | Operation::Negate(_) => {
            Cost::NOTHING
        }
        Operation::Mask(bits) | Operation::SignExtend(bits, _) => match bits {
            // Registers have 32 bits; what makes 64 of them is part of what follows.
            32.. => Cost::NOTHING,
            _ => Cost::new(&[(Pipe::Alu, 1.0)], 4.5),
        },
        Operation::Integer(operation, 64) => {
            let long = instruction.operands.iter();
            let long = long.filter(|it| !narrow[it.0 as usize]).count();
            long_integer(*operation, long as f64, constant(1))
        }
        Operation::Integer(operation, bits) => integer(*operation, *bits, is_constant(1)),
        Operation::Float(operation, real) => float(*operation, *real),
        Operation::Compare(_, bits) => Cost::new(&[(Pipe::Alu, words(*bits))], 4.5),
        Operation::FloatCompare(_, Real::Double) => Cost::new(&[(Pipe::Fp64, 1.0)], 8.0),
        Operation::FloatCompare(..)
        | Operation::Select
        | Operation::Test1(..)
        | Operation::Test2(..)
        | Operation::Whole1(..)
        | Operation::Whole2(..)
        | Operation::Whole3(..)
        | Operation::Call(_)
        | Operation::Unknown(_) => Cost::new(&[(Pipe::Alu, 1.0)], 4.5),
        Operation::Resize(..)
        | Operation::ToInteger(..)
        | Operation::FromInteger(..)
        | Operation::Round(..) => Cost::new(&[(Pipe::Special, 1.0)], 18.0),
        Operation::Pick => {
            let others = instruction.operands.len().saturating_sub(2);
            Cost::new(
                &[(Pipe::Alu, 2.0 * others as f64)],
                4.5 * (others.max(1) as f64).log2().max(1.0),
            )
        }
        Operation::Index(..) if is_constant(1) => Cost::NOTHING,
        Operation::Index(..) => Cost::new(&[(Pipe::Fma, 1.0)], 4.5),
        // Special registers.
        Operation::Place(_) => Cost::new(&[(Pipe::Alu, 1.0)], 15.0),
        Operation::Math3(_, Real::Double) => Cost::new(&[(Pipe::Fp64, 1.0)], 8.0),
        Operation::Math3(..) => Cost::new(&[(Pipe::Fma, 1.0)], 4.0),
        Operation::Access(access) => access_cost(&program.accesses[access.0 as usize]),
        Operation::Barrier => Cost::new(&[(Pipe::Other, 1.0)], 0.0),
    }
}

fn access_cost(access: &Access) -> Cost {
    match access.space {
        Space::Constant => Cost::new(&[(Pipe::Other, request_count(access))], 15.0),
        _ => Cost::new(&[(Pipe::Memory, request_count(access))], 0.0),
    }
}

fn words(bits: u32) -> f64 {
    f64::from(bits.div_ceil(32).max(1))
}

/// The cost of arithmetic of 64 bits. `long`: the number of operands that need them all.
fn long_integer(operation: Binary, long: f64, by: Option<u64>) -> Cost {
    match (operation, by) {
        // One of two words.
        (Binary::LShr, Some(32)) => Cost::NOTHING,
        (Binary::And, Some(mask)) if mask == u64::from(u32::MAX) => Cost::NOTHING,
        (Binary::Shl | Binary::AShr, Some(32)) => Cost::new(&[(Pipe::Alu, 1.0)], 4.5),
        // Words by words (IMAD.WIDE): of two long numbers, three of four.
        (Binary::Mul, _) => Cost::new(&[(Pipe::Fma, 1.0 + long)], 4.5 * (1.0 + long)),
        _ => integer(operation, 64, by.is_some()),
    }
}

fn integer(operation: Binary, bits: u32, by_constant: bool) -> Cost {
    let words = words(bits);
    match operation {
        Binary::Mul => Cost::new(&[(Pipe::Fma, words * words)], 4.5 * words),
        Binary::UDiv | Binary::SDiv | Binary::URem | Binary::SRem => match (by_constant, bits) {
            // A product with the reciprocal, and shifts.
            (true, _) => Cost::new(
                &[(Pipe::Fma, 2.0 * words), (Pipe::Alu, 2.0 * words)],
                14.0 * words,
            ),
            (false, ..=32) => Cost::new(
                &[(Pipe::Fma, 6.0), (Pipe::Alu, 10.0), (Pipe::Special, 3.0)],
                90.0,
            ),
            (false, _) => Cost::new(
                &[(Pipe::Fma, 30.0), (Pipe::Alu, 40.0), (Pipe::Special, 3.0)],
                300.0,
            ),
        },
        _ => Cost::new(&[(Pipe::Alu, words)], 4.5 * words),
    }
}

fn float(operation: Binary, real: Real) -> Cost {
    match (operation, real) {
        (Binary::FDiv, Real::Double) => Cost::new(
            &[(Pipe::Fp64, 9.0), (Pipe::Alu, 6.0), (Pipe::Special, 1.0)],
            130.0,
        ),
        (Binary::FDiv, _) => Cost::new(
            &[(Pipe::Fma, 7.0), (Pipe::Alu, 2.0), (Pipe::Special, 1.0)],
            55.0,
        ),
        (Binary::FRem, Real::Double) => Cost::new(&[(Pipe::Fp64, 20.0), (Pipe::Alu, 40.0)], 400.0),
        (Binary::FRem, _) => Cost::new(&[(Pipe::Fma, 20.0), (Pipe::Alu, 20.0)], 200.0),
        (_, Real::Double) => Cost::new(&[(Pipe::Fp64, 1.0)], 8.0),
        _ => Cost::new(&[(Pipe::Fma, 1.0)], 4.0),
    }
}

/// Bytes that a lane's instruction asks for: 16 at most, and no more than the address is a multiple of.
pub(super) fn request_bytes(access: &Access) -> u64 {
    access.align.clamp(1, 16)
}

/// Number of a warp's instructions that an access becomes.
pub(super) fn request_count(access: &Access) -> f64 {
    access.bytes.div_ceil(request_bytes(access)).max(1) as f64
}

/// The memory that answers an access; none for a store, and for constants, which are always near.
pub(super) fn answer(access: &Access) -> Option<Answer> {
    let atomic = access.kind.is_atomic();
    match (access.space, atomic) {
        _ if access.kind == AccessKind::Store => None,
        (Space::Global, false) => Some(Answer::Global),
        (Space::Global, true) => Some(Answer::GlobalAtomic),
        (Space::Local, false) => Some(Answer::Local),
        (Space::Local, true) => Some(Answer::LocalAtomic),
        (Space::Private, _) => Some(Answer::Private),
        (Space::Constant, _) => None,
    }
}
