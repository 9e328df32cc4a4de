//! Operations of instructions.

use super::AccessId;
use crate::llvm::{Binary, FloatPredicate, IntegerPredicate};

/// A floating-point type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Real {
    /// IEEE 754 half, 16 bits.
    Half,
    /// IEEE 754 single, 32 bits.
    Float,
    /// IEEE 754 double, 64 bits.
    Double,
}

impl Real {
    /// The number that these bits are.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a slot's lower bits are the number"
    )]
    pub fn number(self, bits: u64) -> f64 {
        match self {
            Self::Half => half::f16::from_bits(bits as u16).to_f64(),
            Self::Float => f64::from(f32::from_bits(bits as u32)),
            Self::Double => f64::from_bits(bits),
        }
    }

    /// The bits of the nearest number.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "rounds as a conversion does"
    )]
    pub fn bits(self, number: f64) -> u64 {
        match self {
            Self::Half => u64::from(half::f16::from_f64(number).to_bits()),
            Self::Float => u64::from((number as f32).to_bits()),
            Self::Double => number.to_bits(),
        }
    }
}

/// Places and sizes in the launch that a work-item can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "OpenCL C names them alike")]
pub enum Id {
    GlobalId,
    LocalId,
    GroupId,
    GlobalSize,
    LocalSize,
    NumGroups,
    GlobalOffset,
    WorkDim,
    GlobalLinearId,
    LocalLinearId,
}

/// An operation; operands and results stand in the instruction.
#[derive(Clone, Debug)]
pub enum Operation {
    /// Takes over the operand's value. No copy is left in a finished program.
    Copy,
    /// Arithmetic of whole numbers of this many bits.
    Integer(Binary, u32),
    /// Arithmetic of floating-point numbers.
    Float(Binary, Real),
    /// Changes the sign.
    Negate(Real),
    /// Compares whole numbers of this many bits: 0 or 1.
    Compare(IntegerPredicate, u32),
    /// Compares floating-point numbers: 0 or 1.
    FloatCompare(FloatPredicate, Real),
    /// Keeps this many bits.
    Mask(u32),
    /// Extends the sign from the first number of bits to the second.
    SignExtend(u32, u32),
    /// Converts from one floating-point type to another.
    Resize(Real, Real),
    /// Converts a floating-point number to a whole one of this many bits, signed or not, towards 0.
    ToInteger(Real, u32, bool),
    /// Converts a whole number of this many bits, signed or not, to a floating-point one.
    FromInteger(u32, bool, Real),
    /// The second operand if the first is 1, else the third.
    Select,
    /// One of the operands behind the first; the first is its place among them.
    Pick,
    /// The sum of an address (first operand) and the second, of this many bits with a sign, times this many bytes.
    Index(u32, i64),
    /// The sum of an address and this many bytes.
    Offset(i64),
    /// A number as an address whose contents are not known.
    Address,
    /// A place in the launch; the operand is the dimension.
    Place(Id),
    /// A function of a floating-point number; operand and result have this type.
    Math1(fn(f64) -> f64, Real),
    /// A function of two floating-point numbers.
    Math2(fn(f64, f64) -> f64, Real),
    /// A function of three floating-point numbers.
    Math3(fn(f64, f64, f64) -> f64, Real),
    /// A test of a floating-point number: 0 or 1.
    Test1(fn(f64) -> bool, Real),
    /// A test of two floating-point numbers: 0 or 1.
    Test2(fn(f64, f64) -> bool, Real),
    /// A function of a whole number of this many bits.
    Whole1(fn(u64, u32) -> u64, u32),
    /// A function of two whole numbers of this many bits.
    Whole2(fn(u64, u64, u32) -> u64, u32),
    /// A function of three whole numbers of this many bits.
    Whole3(fn(u64, u64, u64, u32) -> u64, u32),
    /// A floating-point number rounded to a whole one of this many bits, signed or not, and clamped to its bounds.
    Round(Real, fn(f64) -> f64, u32, bool),
    /// A memory access.
    Access(AccessId),
    /// Waits for the work-group.
    Barrier,
    /// A call of an unknown function, by its name.
    Call(String),
    /// An operation that can't be computed, and why.
    Unknown(String),
}
