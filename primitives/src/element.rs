//! What arrays are made of.

use bytemuck::Pod;
use serde::Serialize;

/// A type of elements that hosts and devices share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "their names say it")]
pub enum Type {
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

/// A Rust type that is one of [`Type`].
pub trait Element: Pod + Send + Sync + PartialEq {
    /// Which.
    const TYPE: Type;

    /// A number that orders as the elements do; floats as `total_cmp` says.
    fn order(self) -> u64;
}

impl Type {
    /// Of an element.
    pub fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    /// Its name in OpenCL C.
    pub fn opencl(self) -> &'static str {
        match self {
            Self::I8 => "char",
            Self::U8 => "uchar",
            Self::I16 => "short",
            Self::U16 => "ushort",
            Self::I32 => "int",
            Self::U32 => "uint",
            Self::I64 => "long",
            Self::U64 => "ulong",
            Self::F32 => "float",
            Self::F64 => "double",
        }
    }

    /// The unsigned type of the same width, in OpenCL C: a radix sort sees bits.
    pub(crate) fn bits(self) -> &'static str {
        match self.bytes() {
            1 => "uchar",
            2 => "ushort",
            4 => "uint",
            _ => "ulong",
        }
    }

    /// As [`Element::order`], of an element's bytes.
    pub(crate) fn order(self, bytes: &[u8]) -> u64 {
        fn of<T: Element>(bytes: &[u8]) -> u64 {
            bytemuck::pod_read_unaligned::<T>(bytes).order()
        }
        match self {
            Self::I8 => of::<i8>(bytes),
            Self::U8 => of::<u8>(bytes),
            Self::I16 => of::<i16>(bytes),
            Self::U16 => of::<u16>(bytes),
            Self::I32 => of::<i32>(bytes),
            Self::U32 => of::<u32>(bytes),
            Self::I64 => of::<i64>(bytes),
            Self::U64 => of::<u64>(bytes),
            Self::F32 => of::<f32>(bytes),
            Self::F64 => of::<f64>(bytes),
        }
    }

    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64)
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }
}

macro_rules! integers {
    ($($rust:ty, $unsigned:ty, $variant:ident, $flip:expr;)*) => {$(
        impl Element for $rust {
            const TYPE: Type = Type::$variant;

            fn order(self) -> u64 {
                u64::from(self.cast_unsigned_bits() ^ $flip)
            }
        }

        impl Bits for $rust {
            type Unsigned = $unsigned;

            fn cast_unsigned_bits(self) -> $unsigned {
                bytemuck::cast(self)
            }
        }
    )*};
}

/// The same bits as an unsigned number.
trait Bits {
    type Unsigned;
    fn cast_unsigned_bits(self) -> Self::Unsigned;
}

integers! {
    i8, u8, I8, 1 << 7;
    u8, u8, U8, 0;
    i16, u16, I16, 1 << 15;
    u16, u16, U16, 0;
    i32, u32, I32, 1 << 31;
    u32, u32, U32, 0;
    i64, u64, I64, 1 << 63;
    u64, u64, U64, 0;
}

impl Element for f32 {
    const TYPE: Type = Type::F32;

    fn order(self) -> u64 {
        let bits = self.to_bits();
        let negative = bits >> 31 == 1;
        u64::from(if negative { !bits } else { bits | 1 << 31 })
    }
}

impl Element for f64 {
    const TYPE: Type = Type::F64;

    fn order(self) -> u64 {
        let bits = self.to_bits();
        let negative = bits >> 63 == 1;
        if negative { !bits } else { bits | 1 << 63 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_those_of_std() {
        let floats = [
            f64::NEG_INFINITY,
            -1.5,
            -0.0,
            0.0,
            1e-300,
            2.0,
            f64::INFINITY,
            f64::NAN,
            -f64::NAN,
        ];
        for a in floats {
            for b in floats {
                assert_eq!(a.order().cmp(&b.order()), a.total_cmp(&b), "{a} {b}");
            }
        }
        let floats = [f32::MIN, -1.5, -0.0, 0.0, 2.0, f32::NAN, -f32::NAN];
        for a in floats {
            for b in floats {
                assert_eq!(a.order().cmp(&b.order()), a.total_cmp(&b), "{a} {b}");
            }
        }
        let integers = [i16::MIN, -7, -1, 0, 1, 900, i16::MAX];
        for a in integers {
            for b in integers {
                assert_eq!(a.order().cmp(&b.order()), a.cmp(&b));
                assert_eq!(i64::from(a).order().cmp(&i64::from(b).order()), a.cmp(&b));
            }
        }
    }
}
