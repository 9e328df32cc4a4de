//! Arrays on the host: where an array lies before or after a call.

use std::{fs::File, io, os::unix::fs::FileExt};

use kerncast_opencl::Pinned;

use crate::{ElementType, Number, StreamError};

/// An array on the host. `S` is the slice of pageable memory: shared for sources, mutable for sinks.
pub struct Array<'a, S> {
    pub(crate) element: ElementType,
    /// Number of elements.
    pub(crate) length: u64,
    pub(crate) place: Place<'a, S>,
}

/// An array to read.
pub type Source<'a> = Array<'a, &'a [u8]>;
/// An array to write; its length is that of the result.
pub type Sink<'a> = Array<'a, &'a mut [u8]>;

pub(crate) enum Place<'a, S> {
    Slice(S),
    Pinned(&'a mut Pinned),
    /// A file, and the byte at which the array starts.
    File(&'a File, u64),
}

impl<'a, S> Array<'a, S> {
    /// Memory that is pinned already, borrowed for the call. A source is only read.
    pub fn pinned<T: Number>(data: &'a mut Pinned) -> Self {
        Self {
            element: T::TYPE,
            length: (data.bytes() / T::TYPE.bytes()) as u64,
            place: Place::Pinned(data),
        }
    }

    /// `length` elements of a file from byte `start` on; may be more than the host's memory holds.
    pub fn file(file: &'a File, start: u64, element: ElementType, length: u64) -> Self {
        Self {
            element,
            length,
            place: Place::File(file, start),
        }
    }

    fn reborrow_as<'l, L>(&'l mut self, slice: impl FnOnce(&'l mut S) -> L) -> Array<'l, L> {
        let place = match &mut self.place {
            Place::Slice(data) => Place::Slice(slice(data)),
            Place::Pinned(data) => Place::Pinned(data),
            Place::File(file, start) => Place::File(file, *start),
        };
        Array {
            element: self.element,
            length: self.length,
            place,
        }
    }
}

impl<'a> Source<'a> {
    /// Pageable memory: a slice, or a file that is mapped.
    pub fn slice<T: Number>(data: &'a [T]) -> Self {
        Self {
            element: T::TYPE,
            length: data.len() as u64,
            place: Place::Slice(bytemuck::cast_slice(data)),
        }
    }

    /// The source once more, for another trip.
    pub(crate) fn reborrow(&mut self) -> Source<'_> {
        self.reborrow_as(|data| *data)
    }
}

impl<'a> Sink<'a> {
    /// Pageable memory: a slice, or a file that is mapped.
    pub fn slice<T: Number>(data: &'a mut [T]) -> Self {
        Self {
            element: T::TYPE,
            length: data.len() as u64,
            place: Place::Slice(bytemuck::cast_slice_mut(data)),
        }
    }

    /// The sink once more, for a trip that writes it.
    pub(crate) fn reborrow(&mut self) -> Sink<'_> {
        self.reborrow_as(|data| &mut **data)
    }

    /// # Errors
    /// The array has another length or type.
    pub(crate) fn check(&self, element: ElementType, length: u64) -> Result<(), StreamError> {
        if self.element != element {
            return Err(StreamError::types("the output", self.element, element));
        }
        if self.length != length {
            return Err(StreamError::length("the output", self.length, length));
        }
        Ok(())
    }
}

/// A piece of an array.
pub(crate) enum Part<'a, S> {
    Slice(S),
    Pinned(Pinned),
    File(&'a File, u64),
}

/// A piece of an array, to be read.
pub(crate) type SourcePart<'a> = Part<'a, &'a [u8]>;
/// A piece of an array, to be written.
pub(crate) type SinkPart<'a> = Part<'a, &'a mut [u8]>;

impl SourcePart<'_> {
    /// The piece in memory; empty for a file.
    pub(crate) fn memory(&self) -> &[u8] {
        match self {
            Self::Slice(data) => data,
            Self::Pinned(data) => data,
            Self::File(..) => &[],
        }
    }

    /// Copies the piece to `staged`.
    pub(crate) fn stage(&self, staged: &mut [u8]) -> io::Result<()> {
        match self {
            Self::Slice(from) => staged.copy_from_slice(from),
            Self::Pinned(from) => staged.copy_from_slice(from),
            Self::File(file, at) => file.read_exact_at(staged, *at)?,
        }
        Ok(())
    }
}

impl SinkPart<'_> {
    /// The piece in memory; empty for a file.
    pub(crate) fn memory(&mut self) -> &mut [u8] {
        match self {
            Self::Slice(data) => data,
            Self::Pinned(data) => data,
            Self::File(..) => &mut [],
        }
    }

    /// Copies the first `bytes` of `staged` to the piece, which nobody reads soon.
    pub(crate) fn unstage(&mut self, staged: &Pinned, bytes: usize) -> io::Result<()> {
        match self {
            Self::Slice(into) => staged.copy_past_caches(into),
            Self::Pinned(into) => into.copy_from_slice(&staged[..bytes]),
            Self::File(file, at) => file.write_all_at(&staged[..bytes], *at)?,
        }
        Ok(())
    }
}
