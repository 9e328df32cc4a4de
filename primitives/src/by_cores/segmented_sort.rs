//! Each segment sorted by itself, by the host's cores.

use rayon::prelude::*;

use super::{
    SHARE,
    copy::{Told, read},
    go_on,
    held::fill,
    size,
};
use crate::{Number, Sink, Source, StreamError, Streamer};

impl Streamer {
    /// As [`segmented_sort`](Self::segmented_sort), whose offsets were checked.
    pub(crate) fn segments_by_cores<T: Number>(
        &self,
        input: &Source<'_>,
        offsets: &[u64],
        output: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let told = &self.told();
        fill::<T>(output, told, |output| {
            read(input, bytemuck::cast_slice_mut(output), told)?;
            sorted(output, offsets, told)
        })
    }
}

/// Segments from each offset to the next one, of which the first begins where `data` does.
fn sorted<T: Number>(data: &mut [T], offsets: &[u64], told: &Told<'_>) -> Result<(), StreamError> {
    let segments = offsets.len() - 1;
    if segments == 1 {
        go_on(told.cancel)?;
        data.par_sort_unstable_by_key(|it| it.order());
        return Ok(());
    }
    if data.len() <= SHARE {
        let mut rest = data;
        for ends in offsets.windows(2) {
            let (segment, behind) = rest.split_at_mut(size(ends[1] - ends[0]));
            segment.sort_unstable_by_key(|it| it.order());
            rest = behind;
        }
        return go_on(told.cancel);
    }
    let middle = segments / 2;
    let (before, behind) = data.split_at_mut(size(offsets[middle] - offsets[0]));
    let (one, other) = rayon::join(
        || sorted(before, &offsets[..=middle], told),
        || sorted(behind, &offsets[middle..], told),
    );
    one.and(other)
}
