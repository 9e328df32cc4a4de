//! Two sorted arrays become one.

use std::{io, time::Instant};

use rayon::prelude::*;

use crate::{
    Report, Sink, Source, StreamError, Streamer,
    element::keys,
    pipeline::{Segment, in_order},
    runs::parts,
    sort::select,
    streamer::{ITEMS, Leg, TILE, Task, WIDTH, groups, set},
};

impl Streamer {
    /// The elements of two sorted arrays, sorted; floats as `total_cmp` orders them. Both are cut exactly where a chunk of
    /// the output ends, whatever the keys are, so the bus is passed once each way. That they are sorted is not checked;
    /// what comes of arrays that are not is of no use. On an error some of the output may have been written.
    ///
    /// # Errors
    /// Types differ, the output is not as long as both, or the device or a file fails.
    pub fn merge(
        &mut self,
        a: Source<'_>,
        b: Source<'_>,
        mut output: Sink<'_>,
    ) -> Result<Report, StreamError> {
        let start = Instant::now();
        let (element, length) = (a.element, a.length + b.length);
        if b.element != element {
            return Err(StreamError::types("the second input", b.element, element));
        }
        output.check(element, length)?;
        let number = element.number("the inputs")?;
        if self.is_left_further(&[element]) {
            if !self.planning {
                by_type!(number, self.merge_by_cores::<T>([&a, &b], &mut output)?);
            }
            return Ok(Report::of_cores("merge", element, length, start, None));
        }
        let source = format!(
            "{}#define WIDTH {WIDTH}\n#define ITEMS {ITEMS}\n#line 1 \"stream_merge.cl\"\n{}",
            keys(number),
            include_str!("../../kernels/stream_merge/stream_merge.cl")
        );
        let mut function = self.program(source.clone())?.function("stream_merge")?;
        let wish = self.wish(length, element.bytes());
        let (chunk, (slots, _leases)) = self.fit(wish, |chunk| {
            let inputs = [element; 2];
            self.slots(
                "a merge",
                self.options.slots,
                chunk,
                &inputs,
                Some(&[(element, 1)]),
            )
        })?;
        let segments = in_order(length, chunk);
        let cuts = cuts(&a, &b, &segments)?;
        let inputs = [a, b]
            .into_iter()
            .enumerate()
            .map(|(which, array)| Leg::new(array, &parts(cuts[1..].iter().map(|cut| cut[which]))));
        let inputs: Vec<_> = inputs.collect();
        let outputs = vec![Leg::new(output, &segments)];
        let task = Task::of((chunk, segments.len()), element, source, length);
        let trip = self.trip(
            task,
            &slots,
            inputs,
            outputs,
            false,
            |index, slot, launches| {
                let [from, to] = [cuts[index], cuts[index + 1]];
                let many = [to[0] - from[0], to[1] - from[1]];
                let buffers = [
                    &slot.buffers_in[0],
                    &slot.buffers_in[1],
                    &slot.buffers_out[0],
                ];
                set(&mut function, &buffers, &many)?;
                launches.launch(&function, groups(many[0] + many[1], TILE), WIDTH)
            },
        )?;
        Ok(Report::new("merge", element, length, start, vec![trip]))
    }
}

/// Where both arrays are cut: before the first chunk, and behind each.
fn cuts(a: &Source<'_>, b: &Source<'_>, chunks: &[Segment]) -> Result<Vec<[u64; 2]>, StreamError> {
    let middle = a.length;
    let order_at = |place: u64| match place.checked_sub(middle) {
        None => a.order_at(place),
        Some(place) => b.order_at(place),
    };
    let runs = [0..middle, middle..middle + b.length];
    let most = u64::MAX >> (64 - 8 * a.element.bytes());
    let ends = chunks.par_iter().map(|chunk| {
        let end = chunk.host.end;
        Ok(select(&runs, end, most, order_at)?.1[0])
    });
    let ends: io::Result<Vec<u64>> = ends.collect();
    let ends = ends.map_err(|why| StreamError::File {
        what: "reading sorted arrays".to_owned(),
        why,
    })?;
    let mut cuts = vec![[0, 0]];
    let mut last = 0;
    for (chunk, end) in chunks.iter().zip(ends) {
        // Of arrays that are not sorted a cut may lie before the one before it.
        last = end.clamp(last, last + (chunk.host.end - chunk.host.start));
        cuts.push([last, chunk.host.end - last]);
    }
    Ok(cuts)
}
