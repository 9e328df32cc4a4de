//! What all elements until here come to, at every place.

mod kernels;

use std::time::Instant;

pub(crate) use kernels::{Kernels, Scanned};

use crate::{
    Element, Operation, Report, Sink, Source, StreamError, Streamer, Work,
    pipeline::in_order,
    streamer::{Launched, Leg, TILE, Task, bytes},
};

/// Which elements count at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scan<T> {
    /// Those until here.
    Inclusive,
    /// This value, and those before here.
    Exclusive(T),
}

impl Streamer {
    /// `output[i] = input[0] · … · input[i]`, or with `Exclusive(v)` `v · input[0] · … · input[i - 1]`, where `operation` of
    /// `a` and `b` is an associative `·`, which need not be commutative. The bus is passed once each way: what the chunks
    /// until now come to stays on the device. Sums of floats depend on how long the chunks are. On an error some of the
    /// output may have been written.
    ///
    /// # Errors
    /// Input or output are of another type than `T`, or of different lengths; the operation does not compile, or the
    /// device or a file fails.
    pub fn scan<T: Element>(
        &mut self,
        operation: &Operation,
        kind: Scan<T>,
        input: Source<'_>,
        output: Sink<'_>,
    ) -> Result<Report, StreamError> {
        let start = Instant::now();
        if input.element != T::TYPE {
            return Err(StreamError::types("the input", input.element, T::TYPE));
        }
        let length = input.length;
        output.check(T::TYPE, length)?;
        self.check_types(&[T::TYPE], Some(operation))?;
        let mut kernels = Kernels::new(self, operation, T::TYPE)?;

        let wish = self.wish(length, T::TYPE.bytes());
        let count = self.slot_count(&[&input], &output);
        let (chunk, (slots, _leases, sums, carry)) = self.fit(wish, |chunk| {
            let what = "a scan";
            let (slots, leases) =
                self.slots(what, count, chunk, &[T::TYPE], Some(&[(T::TYPE, 1)]))?;
            let sums = self.memory.take(what, bytes(chunk / TILE, T::TYPE))?;
            let carry = self.memory.take(what, T::TYPE.bytes())?;
            Ok((slots, leases, sums, carry))
        })?;
        if let Scan::Exclusive(first) = kind {
            self.queues[1].write(&carry, bytemuck::bytes_of(&first))?;
        }
        let exclusive = matches!(kind, Scan::Exclusive(_));
        let segments = in_order(length, chunk);
        let inputs = vec![Leg {
            array: input,
            segments: segments.clone(),
        }];
        let outputs = vec![Leg {
            array: output,
            segments: segments.clone(),
        }];
        let task = Task {
            chunk,
            chunks: segments.len(),
            launched: Some(Launched {
                work: Some(Work::Scan),
                element: T::TYPE,
                key: kernels.source.clone(),
                elements: length,
            }),
        };
        let trip = self.trip(
            task,
            &slots,
            inputs,
            outputs,
            false,
            |index, slot, launches| {
                let part = &segments[index].host;
                let scanned = Scanned {
                    input: &slot.buffers_in[0],
                    output: &slot.buffers_out[0],
                    length: part.end - part.start,
                    carried: exclusive || index > 0,
                    exclusive,
                };
                kernels.launch(&scanned, &sums.share(), &carry.share(), launches)
            },
        )?;
        Ok(Report::new("scan", T::TYPE, length, start, vec![trip]))
    }
}
