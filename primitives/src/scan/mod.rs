//! What all elements until here come to, at every place.

mod carried;
mod kernels;

use std::{ops::Range, time::Instant};

pub(crate) use carried::Carried;
pub(crate) use kernels::{Kernels, Scanned};

use crate::{
    Element, Operation, Report, Sink, Source, StreamError, Streamer, Work,
    pipeline::{Launches, Slot, in_order},
    streamer::{Launched, Leg, Member, TILE, Task, bytes},
};

/// Which elements count at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scan<T> {
    /// Those until here.
    Inclusive,
    /// This value, and those before here.
    Exclusive(T),
}

impl<T: Element> Scan<T> {
    /// What comes before the first element.
    pub(crate) fn first(&self) -> Option<Vec<u8>> {
        match self {
            Self::Inclusive => None,
            Self::Exclusive(first) => Some(bytemuck::bytes_of(first).to_vec()),
        }
    }
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
        if input.element != T::KIND {
            return Err(StreamError::types("the input", input.element, T::KIND));
        }
        let length = input.length;
        output.check(T::KIND, length)?;
        let kernels = self.each(|it| {
            it.check_sums(T::KIND, operation)?;
            Kernels::new(it, operation, T::KIND)
        })?;

        let wish = self.wish(length, T::KIND.bytes());
        let outs = [(T::KIND, 1)];
        let (chunk, held) = self.fit(wish, |chunk| {
            let what = "a scan";
            self.of_each(|it| {
                let count = it.slot_count(&[&input], &output);
                let (slots, leases) = it.slots(what, count, chunk, &[T::KIND], Some(&outs))?;
                let sums = it.memory.take(what, bytes(chunk / TILE, T::KIND))?;
                let carry = it.memory.take(what, T::KIND.bytes())?;
                Ok((slots, leases, sums, carry))
            })
        })?;
        let first = kind.first();
        // Of one device it stays there from chunk to chunk.
        let stays = held.len() == 1;
        if let (Some(first), true) = (&first, stays) {
            self.queues[1].write(&held[0].3, first)?;
        }
        let carried = Carried::new(first);
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
                element: T::KIND,
                key: kernels[0].source.clone(),
                elements: length,
            }),
        };
        let (segments, carried) = (&segments, &carried);
        let members = kernels.into_iter().zip(&held);
        let members = members.map(|(mut kernels, (slots, _, sums, carry))| Member {
            slots,
            compute: move |index: usize, slot: &Slot, launches: &mut Launches<'_>| {
                let part: &Range<u64> = &segments[index].host;
                let scanned = Scanned {
                    input: &slot.buffers_in[0],
                    output: &slot.buffers_out[0],
                    length: part.end - part.start,
                    carried: exclusive || index > 0,
                    exclusive,
                };
                let (sums, carry) = (sums.share(), carry.share());
                match stays {
                    true => kernels.launch(&scanned, &sums, &carry, launches),
                    false => {
                        carried.launch(index, &mut kernels, scanned, [&sums, &carry], launches)
                    }
                }
            },
        });
        let trip = self.shared_trip(task, members.collect(), None, inputs, outputs, false)?;
        Ok(Report::new("scan", T::KIND, length, start, vec![trip]))
    }
}
