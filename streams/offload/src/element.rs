//! What arrays are made of.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A type of elements that hosts and devices share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "their names say it")]
pub enum ElementType {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl ElementType {
    /// Bytes of an element, its name in Rust, and in OpenCL C.
    fn facts(self) -> (usize, &'static str, &'static str) {
        match self {
            Self::I8 => (1, "i8", "char"),
            Self::U8 => (1, "u8", "uchar"),
            Self::I16 => (2, "i16", "short"),
            Self::U16 => (2, "u16", "ushort"),
            Self::I32 => (4, "i32", "int"),
            Self::U32 => (4, "u32", "uint"),
            Self::I64 => (8, "i64", "long"),
            Self::U64 => (8, "u64", "ulong"),
            Self::F32 => (4, "f32", "float"),
            Self::F64 => (8, "f64", "double"),
        }
    }

    /// Bytes of an element.
    #[must_use]
    pub fn bytes(self) -> usize {
        self.facts().0
    }

    /// Its name in Rust.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.facts().1
    }

    /// Its name in OpenCL C.
    #[must_use]
    pub fn opencl(self) -> &'static str {
        self.facts().2
    }

    /// The unsigned type of the same width, in OpenCL C: a radix sort sees bits.
    #[must_use]
    pub fn bits(self) -> &'static str {
        self.unsigned().opencl()
    }

    /// The unsigned type of the same width.
    #[must_use]
    pub fn unsigned(self) -> Self {
        match self.bytes() {
            1 => Self::U8,
            2 => Self::U16,
            4 => Self::U32,
            _ => Self::U64,
        }
    }

    /// Whether it has negative integers.
    #[must_use]
    pub fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64)
    }

    /// Whether it is floating point.
    #[must_use]
    pub fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }
}
