//! Gathers by the host's cores.

use bytemuck::Pod;
use rayon::prelude::*;

use super::{
    SHARE, go_on,
    held::{Held, fill},
    index::Index,
};
use crate::{Sink, Source, StreamError, Streamer, Type};

impl Streamer {
    /// As [`gather`](Self::gather), of numbers.
    pub(crate) fn gather_by_cores(
        &self,
        index: &Source<'_>,
        values: &Source<'_>,
        output: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let told = &self.told();
        let is_wide = index.element == Type::U64.into();
        let held = Held::new::<u8>(index, told)?;
        let index = Index {
            bytes: held.elements(),
            is_wide,
        };
        index.check("values", values.length)?;
        by_width!(
            values.element.bytes(),
            self.gathered::<T>(&index, values, output)
        )
    }

    fn gathered<T: Pod + Send + Sync>(
        &self,
        index: &Index<'_>,
        values: &Source<'_>,
        output: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let told = &self.told();
        let values = Held::new::<T>(values, told)?;
        let values = values.elements::<T>();
        fill::<T>(output, told, |output| {
            let shares = output.par_chunks_mut(SHARE).enumerate();
            shares.try_for_each(|(share, output)| {
                go_on(told.cancel)?;
                index.each_of(share * SHARE, output, |to, at| *to = values[at]);
                Ok(())
            })
        })
    }
}
