//! Numbers as elements of arrays.

use bytemuck::Pod;
use kerncast_offload::ElementType;

/// A Rust type that is one of the [`ElementType`]s.
pub trait Number: Pod + PartialEq + Send + Sync {
    /// The type as a value.
    const TYPE: ElementType;

    /// A number with the same order as the elements; floats are ordered as by `total_cmp`.
    fn order(self) -> u64;
}

/// The size of `elements` in bytes; saturates.
pub(crate) fn bytes(elements: u64, element: ElementType) -> usize {
    usize::try_from(elements)
        .unwrap_or(usize::MAX)
        .saturating_mul(element.bytes())
}

/// [`Number::order`] of an element that is given as bytes.
pub(crate) fn order(element: ElementType, bytes: &[u8]) -> u64 {
    fn order_of<T: Number>(bytes: &[u8]) -> u64 {
        bytemuck::pod_read_unaligned::<T>(bytes).order()
    }
    match element {
        ElementType::I8 => order_of::<i8>(bytes),
        ElementType::U8 => order_of::<u8>(bytes),
        ElementType::I16 => order_of::<i16>(bytes),
        ElementType::U16 => order_of::<u16>(bytes),
        ElementType::I32 => order_of::<i32>(bytes),
        ElementType::U32 => order_of::<u32>(bytes),
        ElementType::I64 => order_of::<i64>(bytes),
        ElementType::U64 => order_of::<u64>(bytes),
        ElementType::F32 => order_of::<f32>(bytes),
        ElementType::F64 => order_of::<f64>(bytes),
    }
}

/// OpenCL C that defines keys: an element's bits, changed by `turned` so that they have the order of the elements. Other
/// sources are appended to it.
pub(crate) fn keys(element: ElementType) -> String {
    let kind = match element {
        it if it.is_float() => 2,
        it => u8::from(it.is_signed()),
    };
    format!(
        "#define KEY {}\n#define KIND {kind}\n#line 1 \"keys.cl\"\n{}",
        element.bits(),
        include_str!("keys.cl")
    )
}

macro_rules! numbers {
    ($($rust:ty, $variant:ident, |$bits:ident: $unsigned:ty| $order:expr;)*) => {$(
        impl Number for $rust {
            const TYPE: ElementType = ElementType::$variant;

            fn order(self) -> u64 {
                let $bits: $unsigned = bytemuck::cast(self);
                u64::from($order)
            }
        }
    )*};
}

numbers! {
    i8, I8, |bits: u8| bits ^ 1 << 7;
    u8, U8, |bits: u8| bits;
    i16, I16, |bits: u16| bits ^ 1 << 15;
    u16, U16, |bits: u16| bits;
    i32, I32, |bits: u32| bits ^ 1 << 31;
    u32, U32, |bits: u32| bits;
    i64, I64, |bits: u64| bits ^ 1 << 63;
    u64, U64, |bits: u64| bits;
    f32, F32, |bits: u32| if bits >> 31 == 1 { !bits } else { bits | 1 << 31 };
    f64, F64, |bits: u64| if bits >> 63 == 1 { !bits } else { bits | 1 << 63 };
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
