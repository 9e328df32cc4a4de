//! A launch of a kernel by a traced program.

use super::types;
use crate::ast::{Kind, Scalar};

/// One launch and its arguments.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TracedLaunch {
    /// Work-items by dimension.
    pub global: Vec<i64>,
    /// The work-group's size; none where the driver chose it.
    pub local: Option<Vec<i64>>,
    /// Its arguments, in the function's order.
    pub arguments: Vec<TracedArgument>,
}

/// An argument of a launch.
#[derive(Clone, Debug, PartialEq)]
pub enum TracedArgument {
    /// The bytes of a value.
    Value(Vec<u8>),
    /// A buffer.
    Buffer {
        /// Its size in bytes.
        bytes: u64,
        /// Whether its contents before the launch were saved.
        has_contents: bool,
    },
    /// Bytes of local memory, or a null buffer.
    Nothing(u64),
    /// An image: its width and height in pixels, and its format as a launch file names it.
    Image([u64; 2], String),
    /// A sampler, as a launch file writes it.
    Sampler(String),
    /// Something that a launch file has no words for.
    Unknown,
}

impl TracedArgument {
    /// The whole number that the argument is, if it may be a size: 1 or more, and no more than lengths may be.
    pub(super) fn size(&self, scalar: Scalar) -> Option<i64> {
        let Self::Value(bytes) = self else {
            return None;
        };
        if scalar.kind == Kind::Float || bytes.len() != usize::from(scalar.bytes) {
            return None;
        }
        let number: i64 = types::number_of_bytes(scalar, bytes)?.parse().ok()?;
        (1..=i64::from(u32::MAX))
            .contains(&number)
            .then_some(number)
    }
}

/// The contents of an argument's buffer before the launch: a NumPy file that a launch file names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The argument's place among all.
    pub argument: usize,
    /// The file's name.
    pub file: String,
    /// NumPy's name of the type: `<f4`.
    pub dtype: String,
    /// Bytes of a number.
    pub bytes: usize,
}
