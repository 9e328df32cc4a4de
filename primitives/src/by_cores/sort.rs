//! Sorts of keys by the host's cores: where they lie, or in memory of the call.

use bytemuck::PodCastError;
use rayon::prelude::*;

use super::{
    copy::{Told, read, write},
    go_on,
};
use crate::{Cancel, Number, Sink, Source, StreamError, Streamer, Type, sort::Scratch};

impl Streamer {
    /// Sorts numbers of `from`, or else those of `to`, into `to`. Of equal numbers all bits are equal, so that nobody sees
    /// whether it is stable.
    pub(crate) fn sort_by_cores(
        &self,
        element: Type,
        from: Option<&Source<'_>>,
        to: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let moved = self.moved();
        let told = &Told {
            cancel: &self.cancel,
            moved: &moved,
        };
        go_on(told.cancel)?;
        if let Some(data) = to.memory_mut().filter(|it| lies_well(element, it)) {
            if let Some(from) = from {
                read(from, data, told)?;
            }
            return sort(element, data, told);
        }
        let in_place = from.is_none();
        let mut scratch = Scratch::new(element.into(), to.length)?;
        let data = scratch.bytes();
        match from {
            Some(from) => read(from, data, told)?,
            None => read(&to.source(), data, told)?,
        }
        sort(element, data, told)?;
        // Ended in between, an array in place would have some elements twice, and others no more.
        let to_the_end = Cancel::default();
        let cancel = if in_place { &to_the_end } else { told.cancel };
        write(data, to, &Told { cancel, ..*told })
    }
}

fn sort(element: Type, data: &mut [u8], told: &Told<'_>) -> Result<(), StreamError> {
    go_on(told.cancel)?;
    match element {
        Type::I8 => sorted::<i8>(data),
        Type::U8 => sorted::<u8>(data),
        Type::I16 => sorted::<i16>(data),
        Type::U16 => sorted::<u16>(data),
        Type::I32 => sorted::<i32>(data),
        Type::U32 => sorted::<u32>(data),
        Type::I64 => sorted::<i64>(data),
        Type::U64 => sorted::<u64>(data),
        Type::F32 => sorted::<f32>(data),
        Type::F64 => sorted::<f64>(data),
    }
    go_on(told.cancel)
}

fn sorted<T: Number>(data: &mut [u8]) {
    let data: &mut [T] = bytemuck::cast_slice_mut(data);
    data.par_sort_unstable_by_key(|it| it.order());
}

/// Whether elements can be looked at where they are: part of pinned memory may begin anywhere.
fn lies_well(element: Type, data: &[u8]) -> bool {
    fn of<T: Number>(data: &[u8]) -> Result<&[T], PodCastError> {
        bytemuck::try_cast_slice(data)
    }
    match element.bytes() {
        1 => true,
        2 => of::<u16>(data).is_ok(),
        4 => of::<u32>(data).is_ok(),
        _ => of::<u64>(data).is_ok(),
    }
}
