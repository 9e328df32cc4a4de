//! How a program was seen to launch a kernel.

use super::types;
use crate::ast::{Kind, Scalar};

/// One launch, and what it was given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TracedLaunch {
    /// Work-items by dimension.
    pub global: Vec<i64>,
    /// The work-group's size; none where the driver chose it.
    pub local: Option<Vec<i64>>,
    /// In the function's order.
    pub arguments: Vec<TracedArgument>,
}

/// What a launch passes.
#[derive(Clone, Debug, PartialEq)]
pub enum TracedArgument {
    /// By value: its bytes.
    Value(Vec<u8>),
    /// A buffer.
    Buffer {
        /// Its size.
        bytes: u64,
        /// Whether what it held was kept.
        has_contents: bool,
    },
    /// Bytes of local memory, or a null buffer.
    Nothing(u64),
    /// An image: its width and height, pixels, and its format as a launch file names it.
    Image([u64; 2], String),
    /// A sampler, as a launch file writes it.
    Sampler(String),
    /// Nothing that a launch file could say.
    Unknown,
}

impl TracedArgument {
    /// A whole number as a size, if it is one: 1 or more, and no more than lengths may be.
    pub(super) fn size(&self, of: Scalar) -> Option<i64> {
        let Self::Value(bytes) = self else {
            return None;
        };
        if of.kind == Kind::Float || bytes.len() != usize::from(of.bytes) {
            return None;
        }
        let number: i64 = types::number(of, bytes)?.parse().ok()?;
        (1..=i64::from(u32::MAX))
            .contains(&number)
            .then_some(number)
    }
}

/// A NumPy file that a launch file names: of one argument what its buffer held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The argument's place.
    pub argument: usize,
    /// The file's name.
    pub file: String,
    /// NumPy's name of the type: `<f4`.
    pub of: String,
    /// Bytes of a number.
    pub bytes: usize,
}
