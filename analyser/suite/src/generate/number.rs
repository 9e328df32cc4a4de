//! Types of numbers, how they are stored, and the operations on them.

use Number::{Double, Float, Uint, Ulong};

/// The type of what a kernel computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Float,
    Double,
    Uint,
    Ulong,
}

/// The storage in memory of the numbers that a kernel reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    /// The type that is computed with.
    Plain,
    /// A type half as wide, or a quarter.
    Narrow,
    /// A vector type: several numbers at once.
    Vector,
}

impl Number {
    /// The type's name in OpenCL C.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Float => "float",
            Self::Double => "double",
            Self::Uint => "uint",
            Self::Ulong => "ulong",
        }
    }

    pub(super) fn is_real(self) -> bool {
        matches!(self, Self::Float | Self::Double)
    }

    /// A constant of this type.
    pub(super) fn constant(self, whole: u32) -> String {
        match self {
            Self::Float => format!("{whole}.0f"),
            Self::Double => format!("{whole}.0"),
            Self::Uint => format!("{whole}u"),
            Self::Ulong => format!("{whole}UL"),
        }
    }

    /// The element type of a buffer, its bytes, and a fill that keeps results within bounds.
    pub(super) fn element(self, storage: Storage) -> (&'static str, u32, &'static str) {
        match (self, storage) {
            (Self::Float, Storage::Plain) => ("float", 4, "uniform = [-1.0, 1.0]"),
            // The bits of halves, from 1/16 to 1.
            (Self::Float, Storage::Narrow) => ("ushort", 2, "uniform = [11264, 15359]"),
            (Self::Float, Storage::Vector) => ("float4", 16, "uniform = [-1.0, 1.0]"),
            (Self::Double, Storage::Plain) => ("double", 8, "uniform = [-1.0, 1.0]"),
            (Self::Double, Storage::Narrow) => ("float", 4, "uniform = [-1.0, 1.0]"),
            (Self::Double, Storage::Vector) => ("double2", 16, "uniform = [-1.0, 1.0]"),
            (Self::Uint, Storage::Plain) => ("uint", 4, "uniform = [0, 4294967295]"),
            (Self::Uint, Storage::Narrow) => ("uchar", 1, "uniform = [0, 255]"),
            (Self::Uint, Storage::Vector) => ("uint4", 16, "uniform = [0, 4294967295]"),
            (Self::Ulong, Storage::Plain) => ("ulong", 8, "uniform = [0, 9223372036854775807]"),
            (Self::Ulong, Storage::Narrow) => ("ushort", 2, "uniform = [0, 65535]"),
            (Self::Ulong, Storage::Vector) => ("ulong2", 16, "uniform = [0, 9223372036854775807]"),
        }
    }

    /// The expression for the number that is read in `numbers[at]`.
    pub(super) fn fetched(self, storage: Storage) -> &'static str {
        match (self, storage) {
            (Self::Float, Storage::Narrow) => "vload_half(at, (__global const half *)numbers)",
            (Self::Float | Self::Uint, Storage::Vector) => {
                "numbers[at].x + numbers[at].y + numbers[at].z + numbers[at].w"
            }
            (Self::Double | Self::Ulong, Storage::Vector) => "numbers[at].x + numbers[at].y",
            _ => "numbers[at]",
        }
    }
}

/// A step of arithmetic with `a`, which the step before has made, and `x`, which was read.
#[derive(Debug)]
pub(super) struct Operation {
    pub(super) number: Number,
    /// The operation in words for people.
    pub(super) words: &'static str,
    /// The expression. For real numbers it draws differences together: rounding stays rounding, however often it is
    /// done.
    pub(super) text: &'static str,
    /// About the number of cycles of a large GPU until the next operation can begin.
    pub(super) wait: f64,
    /// About the number of instructions.
    pub(super) instructions: f64,
}

macro_rules! operations {
    ($($number:ident $words:literal $text:literal $wait:literal $instructions:literal,)*) => {
        static OPERATIONS: &[Operation] = &[$(Operation {
            number: $number,
            words: $words,
            text: $text,
            wait: $wait,
            instructions: $instructions,
        },)*];
    };
}

operations! {
    Float "multiply and add" "a * 0.75f + x" 4.0 1.0,
    Float "multiply and add" "0.5f * a - x" 4.0 1.0,
    Float "maximum and minimum" "fmin(fmax(a * 0.5f, x), 4.0f)" 14.0 3.0,
    Float "square root" "0.5f * sqrt(fabs(a) + 1.0f) + x" 45.0 11.0,
    Float "sine by the special unit" "0.5f * native_sin(a) + x" 30.0 4.0,
    Float "exponential" "exp(-fabs(a)) * 0.5f + x" 45.0 10.0,
    Float "division" "x / (fabs(a) + 1.0f) + 0.25f" 50.0 12.0,
    Double "multiply and add" "a * 0.75 + x" 8.0 1.0,
    Double "multiply and add" "0.5 * a - x" 8.0 1.0,
    Double "square root" "0.5 * sqrt(fabs(a) + 1.0) + x" 150.0 25.0,
    Double "division" "x / (fabs(a) + 1.0) + 0.25" 130.0 20.0,
    Uint "multiply and add" "a * 1664525u + x" 5.0 1.0,
    Uint "shift and exclusive or" "(a ^ (a << 7)) + x" 9.0 2.0,
    Uint "rotation and maximum" "max(rotate(a, 13u), x ^ a)" 12.0 3.0,
    Uint "upper half of a product" "mul_hi(a, 2654435761u) + x" 9.0 2.0,
    Uint "remainder" "(x % (a | 1u)) + (a >> 1)" 70.0 20.0,
    Uint "count of bits" "popcount(a) * 16777619u + x" 16.0 3.0,
    Uint "conversion to float and back" "(uint)((float)(a & 65535u) * 1.5f) + x" 35.0 4.0,
    Ulong "multiply and add" "a * 6364136223846793005UL + x" 16.0 4.0,
    Ulong "shift and exclusive or" "(a ^ (a >> 9)) + x" 12.0 5.0,
    Ulong "remainder" "(x % (a | 1UL)) + (a >> 1)" 350.0 80.0,
}

/// Every operation on numbers of a type.
pub(super) fn operations(number: Number) -> Vec<&'static Operation> {
    (OPERATIONS.iter())
        .filter(|operation| operation.number == number)
        .collect()
}
