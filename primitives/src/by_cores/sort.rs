//! Sorts of keys by the host's cores: where they lie, or in memory of the call.

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
        match element {
            Type::I8 => self.sort_numbers::<i8>(from, to),
            Type::U8 => self.sort_numbers::<u8>(from, to),
            Type::I16 => self.sort_numbers::<i16>(from, to),
            Type::U16 => self.sort_numbers::<u16>(from, to),
            Type::I32 => self.sort_numbers::<i32>(from, to),
            Type::U32 => self.sort_numbers::<u32>(from, to),
            Type::I64 => self.sort_numbers::<i64>(from, to),
            Type::U64 => self.sort_numbers::<u64>(from, to),
            Type::F32 => self.sort_numbers::<f32>(from, to),
            Type::F64 => self.sort_numbers::<f64>(from, to),
        }
    }

    fn sort_numbers<T: Number>(
        &self,
        from: Option<&Source<'_>>,
        to: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let told = &self.told();
        go_on(told.cancel)?;
        // Part of pinned memory may begin anywhere.
        let lies_well = |it: &&mut [u8]| bytemuck::try_cast_slice::<u8, T>(it).is_ok();
        if let Some(data) = to.memory_mut().filter(lies_well) {
            if let Some(from) = from {
                read(from, data, told)?;
            }
            return sort::<T>(data, told);
        }
        let in_place = from.is_none();
        let mut scratch = Scratch::new(T::TYPE, to.length)?;
        let data = scratch.bytes_mut();
        match from {
            Some(from) => read(from, data, told)?,
            None => read(&to.source(), data, told)?,
        }
        sort::<T>(data, told)?;
        // Ended in between, an array in place would have some elements twice, and others no more.
        let to_the_end = Cancel::default();
        let cancel = if in_place { &to_the_end } else { told.cancel };
        write(data, to, &Told { cancel, ..*told })
    }
}

fn sort<T: Number>(data: &mut [u8], told: &Told<'_>) -> Result<(), StreamError> {
    go_on(told.cancel)?;
    let data: &mut [T] = bytemuck::cast_slice_mut(data);
    data.par_sort_unstable_by_key(|it| it.order());
    go_on(told.cancel)
}
