//! Sorts of keys by the host's cores: where they lie, or in memory of the call.

use bytemuck::try_cast_slice;
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
        let told = &self.told();
        go_on(told.cancel)?;
        // Part of pinned memory may begin anywhere.
        let lies_well = |it: &&mut [u8]| by_type!(element, try_cast_slice::<u8, T>(it).is_ok());
        if let Some(data) = to.memory_mut().filter(lies_well) {
            if let Some(from) = from {
                read(from, data, told)?;
            }
            return sort(element, data, told);
        }
        let in_place = from.is_none();
        let mut scratch = Scratch::new(element.into(), to.length)?;
        let data = scratch.bytes_mut();
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
    by_type!(element, sorted::<T>(data));
    go_on(told.cancel)
}

fn sorted<T: Number>(data: &mut [u8]) {
    let data: &mut [T] = bytemuck::cast_slice_mut(data);
    data.par_sort_unstable_by_key(|it| it.order());
}
