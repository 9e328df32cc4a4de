//! Arrays in memory, as their elements: where they lie, or in memory of the call.

use bytemuck::{AnyBitPattern, NoUninit, try_cast_slice, try_cast_slice_mut};

use super::copy::{Told, read, write};
use crate::{Sink, Source, StreamError, sort::Scratch};

/// An array's elements.
pub(super) enum Held<'a> {
    There(&'a [u8]),
    Read(Scratch),
}

impl<'a> Held<'a> {
    /// As elements `T`, which are as wide as the array's.
    ///
    /// # Errors
    /// A file cannot be read, there is too little memory, or somebody has ended the call.
    pub(super) fn new<T: AnyBitPattern>(
        from: &'a Source<'_>,
        told: &Told<'_>,
    ) -> Result<Self, StreamError> {
        // Part of pinned memory may begin anywhere.
        let lies_well = |it: &&[u8]| try_cast_slice::<u8, T>(it).is_ok();
        if let Some(there) = from.memory().filter(lies_well) {
            return Ok(Self::There(there));
        }
        let mut scratch = Scratch::new(from.element, from.length)?;
        read(from, scratch.bytes_mut(), told)?;
        Ok(Self::Read(scratch))
    }

    /// As it was made for.
    pub(super) fn elements<T: AnyBitPattern>(&self) -> &[T] {
        bytemuck::cast_slice(match self {
            Self::There(bytes) => bytes,
            Self::Read(scratch) => scratch.bytes(),
        })
    }
}

/// Has `make` make an array, whose elements `T` are as wide as the array's.
///
/// # Errors
/// `make`'s, a file cannot be written, there is too little memory, or somebody has ended the call.
pub(super) fn fill<T: AnyBitPattern + NoUninit>(
    to: &mut Sink<'_>,
    told: &Told<'_>,
    make: impl FnOnce(&mut [T]) -> Result<(), StreamError>,
) -> Result<(), StreamError> {
    let there = to.memory_mut().map(try_cast_slice_mut::<u8, T>);
    if let Some(Ok(there)) = there {
        return make(there);
    }
    let mut scratch = Scratch::new(to.element, to.length)?;
    make(bytemuck::cast_slice_mut(scratch.bytes_mut()))?;
    write(scratch.bytes(), to, told)
}

/// What is done with elements of a number's type, as `T`.
macro_rules! by_type {
    ($element:expr, $done:expr) => {{
        macro_rules! of {
            ($type:ty) => {{
                type T = $type;
                $done
            }};
        }
        match $element {
            crate::Type::I8 => of!(i8),
            crate::Type::U8 => of!(u8),
            crate::Type::I16 => of!(i16),
            crate::Type::U16 => of!(u16),
            crate::Type::I32 => of!(i32),
            crate::Type::U32 => of!(u32),
            crate::Type::I64 => of!(i64),
            crate::Type::U64 => of!(u64),
            crate::Type::F32 => of!(f32),
            crate::Type::F64 => of!(f64),
        }
    }};
}

/// What is done with elements of so many bytes, as `T`, a number of as many bits.
macro_rules! by_width {
    ($bytes:expr, $done:expr) => {{
        macro_rules! of {
            ($type:ty) => {{
                type T = $type;
                $done
            }};
        }
        match $bytes {
            1 => of!(u8),
            2 => of!(u16),
            4 => of!(u32),
            _ => of!(u64),
        }
    }};
}
