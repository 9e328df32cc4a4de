//! An entry's parameters, one a line:
//! ```text
//! .entry mm(
//!     .param .u64 .ptr .global .align 4 mm_param_0,
//!     .param .u32 mm_param_1,
//!     .param .align 16 .b8 mm_param_2[16]
//! )
//! ```

use std::{fmt, ops::Range};

use super::Unpatchable;

/// A parameter of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// A `__global` or `__constant` pointer: an address in global memory.
    Buffer,
    /// A `__local` pointer: an address in shared memory.
    Local {
        /// The alignment of the address, bytes.
        align: usize,
    },
    /// A scalar, vector or structure by value.
    Value {
        /// Its size.
        bytes: usize,
    },
}

impl Parameter {
    /// Bytes that the driver copies for it.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::Buffer | Self::Local { .. } => size_of::<u64>(),
            Self::Value { bytes } => bytes,
        }
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Buffer => f.write_str("a buffer"),
            Self::Local { .. } => f.write_str("local memory"),
            Self::Value { bytes } => write!(f, "{bytes} bytes"),
        }
    }
}

/// The place of a function in the text, and its parameters.
pub(super) struct Entry {
    pub(super) parameters: Vec<Parameter>,
    /// The lines of the body, between `)` and `}`.
    pub(super) body: Range<usize>,
}

impl Entry {
    pub(super) fn find(lines: &[&str], function: &str) -> Result<Self, Unpatchable> {
        let missing = || Unpatchable::NoEntry(function.to_owned());
        let head = format!(".entry {function}(");
        let next_line = |from: usize, is_it: &dyn Fn(&str) -> bool| {
            let place = lines[from..].iter().position(|line| is_it(line));
            place.map(|place| from + place).ok_or_else(missing)
        };
        let start = next_line(0, &|line| line.contains(&head))? + 1;
        let close = next_line(start, &|line| line.starts_with(')'))?;
        let end = next_line(close, &|line| line.starts_with('}'))?;
        let parameters = lines[start..close]
            .iter()
            .map(|line| line.trim())
            .filter(|line| !line.is_empty())
            .map(|line| {
                let words: Vec<&str> = line.trim_end_matches(',').split_whitespace().collect();
                parameter(&words).ok_or_else(|| Unpatchable::Parameter(line.to_owned()))
            });
        Ok(Self {
            parameters: parameters.collect::<Result<_, _>>()?,
            body: close + 1..end,
        })
    }
}

fn parameter(words: &[&str]) -> Option<Parameter> {
    match *words {
        [
            ".param",
            ".u64",
            ".ptr",
            ".global" | ".const",
            ".align",
            _,
            _,
        ] => Some(Parameter::Buffer),
        [".param", ".u64", ".ptr", ".shared", ".align", align, _] => Some(Parameter::Local {
            align: align.parse::<u16>().ok()?.into(),
        }),
        [".param", ".align", _, ".b8", array] => {
            let (_, length) = array.strip_suffix(']')?.split_once('[')?;
            // All parameters together have 32 KiB at most.
            let bytes: u16 = length.parse().ok()?;
            Some(Parameter::Value {
                bytes: bytes.into(),
            })
        }
        [".param", scalar, _] => {
            let bits = scalar.trim_start_matches(['.', 'u', 's', 'b', 'f']);
            let bits: usize = bits.parse().ok()?;
            Some(Parameter::Value { bytes: bits / 8 })
        }
        _ => None,
    }
}

/// Removes `.ptr .global .align 4` from a parameter, which the CUDA driver does not take.
pub(super) fn without_pointer(code: &str) -> String {
    let Some((before, after)) = code.split_once(" .ptr ") else {
        return code.to_owned();
    };
    let name = after.split_whitespace().last().unwrap_or_default();
    format!("{before} {name}")
}
