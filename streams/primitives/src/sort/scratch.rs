//! The second array of a sort, on the host.

use memmap2::{Advice, MmapMut};

use crate::{ElementType, Sink, Source, StreamError, array, element::order, streamer::bytes};

/// Memory for one call, in large pages if the system has them. It is written only once, and touching small pages for
/// the first time takes as long as moving them over the bus.
pub(crate) struct Scratch {
    memory: MmapMut,
    element: ElementType,
    length: u64,
}

impl Scratch {
    pub(crate) fn new(element: ElementType, length: u64) -> Result<Self, StreamError> {
        let bytes = bytes(length, element);
        let memory = MmapMut::map_anon(bytes).map_err(|why| StreamError::File {
            what: format!("allocating {bytes} bytes on the host for runs"),
            why,
        })?;
        // It works without large pages, only slower.
        let _ = memory.advise(Advice::HugePage);
        Ok(Self {
            memory,
            element,
            length,
        })
    }

    pub(crate) fn sink(&mut self) -> Sink<'_> {
        Sink {
            element: self.element,
            length: self.length,
            place: array::Place::Slice(&mut self.memory),
        }
    }

    pub(crate) fn source(&self) -> Source<'_> {
        Source {
            element: self.element,
            length: self.length,
            place: array::Place::Slice(&self.memory),
        }
    }

    /// The element at `index` as a number with the same order.
    pub(crate) fn order_at(&self, index: u64) -> u64 {
        let at = bytes(index, self.element);
        order(self.element, &self.memory[at..at + self.element.bytes()])
    }

    /// The largest value of [`order_at`](Self::order_at) for the type of the elements.
    pub(crate) fn largest_order(&self) -> u64 {
        u64::MAX >> (64 - 8 * self.element.bytes())
    }
}
