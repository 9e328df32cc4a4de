//! The greatest elements.

mod kernels;

use std::{cmp::Reverse, time::Instant};

use kerncast_offload::needs::LONGEST_RUN;
use rayon::prelude::*;

use crate::{
    Report, Sink, Source, StreamError, Streamer,
    array::Into,
    element::order,
    pipeline::in_order,
    streamer::{Leg, Task},
};
use kernels::{Held, Kernels};

impl Streamer {
    /// The greatest elements, as many as the output has, the greatest first; floats as `total_cmp` orders them: NaN is the
    /// greatest. They stay on the device, and of each chunk only what is greater than the least of them is looked at again.
    ///
    /// # Errors
    /// The output has another type, or more elements than the input or than 2³¹; it does not fit the device's memory, or the
    /// device or a file fails. The output is then as it was, but for an error of its own file.
    pub fn top_k(
        &mut self,
        input: Source<'_>,
        mut output: Sink<'_>,
    ) -> Result<Report, StreamError> {
        let start = Instant::now();
        let (element, length, k) = (input.element, input.length, output.length);
        if output.element != element {
            return Err(StreamError::types("the output", output.element, element));
        }
        let most = length.min(LONGEST_RUN);
        if k > most {
            return Err(StreamError::Shape {
                what: "the output".to_owned(),
                found: format!("{k} elements"),
                expected: format!("{most} at most"),
            });
        }
        if k == 0 {
            return Ok(Report::new("top_k", element, length, start, Vec::new()));
        }
        let number = element.number("the input")?;
        if self.is_left_further(&[element]) {
            if !self.planning {
                by_type!(number, self.top_k_by_cores::<T>(&input, &mut output)?);
            }
            return Ok(Report::of_cores("top_k", element, length, start, None));
        }
        let mut kernels = Kernels::new(self, element)?;
        let wish = self.wish(length, element.bytes()).min(LONGEST_RUN);
        let (chunk, (slots, _leases, held)) = self.fit(wish, |chunk| {
            let what = "the greatest elements";
            let (slots, leases) =
                self.slots(what, self.options.slots, chunk, &[element], Some(&[]))?;
            Ok((slots, leases, Held::new(self, element, k, chunk)?))
        })?;
        held.clear(self)?;
        let segments = in_order(length, chunk);
        let inputs = vec![Leg::new(input, &segments)];
        let task = Task::of(
            (chunk, segments.len()),
            element,
            kernels.source.clone(),
            length,
        );
        let trip = self.trip(
            task,
            &slots,
            inputs,
            Vec::new(),
            false,
            |index, slot, launches| {
                let part = &segments[index].host;
                let n = part.end - part.start;
                kernels.launch(&slot.buffers_in[0], &held, n, launches)
            },
        )?;
        if self.planning {
            return Ok(Report::new("top_k", element, length, start, vec![trip]));
        }
        let found = kernels.read(self, &held)?;
        let mut found: Vec<&[u8]> = found.chunks_exact(element.bytes()).collect();
        found.par_sort_unstable_by_key(|it| Reverse(order(element, it)));
        output.restore(&Sink {
            element,
            length: k,
            place: Into::Slice(&mut found.concat()),
        })?;
        Ok(Report::new("top_k", element, length, start, vec![trip]))
    }
}
