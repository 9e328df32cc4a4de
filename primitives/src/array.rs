//! Where arrays are on the host, before and after.

use std::{fs::File, io, os::unix::fs::FileExt};

use kerncast_opencl::Pinned;

use crate::{Number, StreamError, Type};

/// An array to read.
pub struct Source<'a> {
    pub(crate) element: Type,
    /// Elements.
    pub(crate) length: u64,
    pub(crate) place: From<'a>,
}

/// An array to write, as long as what is written to it.
pub struct Sink<'a> {
    pub(crate) element: Type,
    /// Elements.
    pub(crate) length: u64,
    pub(crate) place: Into<'a>,
}

pub(crate) enum From<'a> {
    Slice(&'a [u8]),
    Pinned(&'a mut Pinned),
    /// From this byte on.
    File(&'a File, u64),
}

pub(crate) enum Into<'a> {
    Slice(&'a mut [u8]),
    Pinned(&'a mut Pinned),
    /// From this byte on.
    File(&'a File, u64),
}

impl<'a> Source<'a> {
    /// Pageable memory: a slice, or a file that is mapped.
    pub fn slice<T: Number>(data: &'a [T]) -> Self {
        Self {
            element: T::TYPE,
            length: data.len() as u64,
            place: From::Slice(bytemuck::cast_slice(data)),
        }
    }

    /// Memory that is pinned already. It is lent for the call, and only read.
    pub fn pinned<T: Number>(data: &'a mut Pinned) -> Self {
        Self {
            element: T::TYPE,
            length: (data.bytes() / T::TYPE.bytes()) as u64,
            place: From::Pinned(data),
        }
    }

    /// `length` elements of a file from byte `start` on, which may be more than the host has memory.
    pub fn file(file: &'a File, start: u64, element: Type, length: u64) -> Self {
        Self {
            element,
            length,
            place: From::File(file, start),
        }
    }
}

impl Source<'_> {
    /// As it is, for one more trip.
    pub(crate) fn again(&mut self) -> Source<'_> {
        let place = match &mut self.place {
            From::Slice(data) => From::Slice(data),
            From::Pinned(data) => From::Pinned(data),
            From::File(file, start) => From::File(file, *start),
        };
        Source {
            element: self.element,
            length: self.length,
            place,
        }
    }
}

impl<'a> Sink<'a> {
    /// Pageable memory: a slice, or a file that is mapped.
    pub fn slice<T: Number>(data: &'a mut [T]) -> Self {
        Self {
            element: T::TYPE,
            length: data.len() as u64,
            place: Into::Slice(bytemuck::cast_slice_mut(data)),
        }
    }

    /// Memory that is pinned already.
    pub fn pinned<T: Number>(data: &'a mut Pinned) -> Self {
        Self {
            element: T::TYPE,
            length: (data.bytes() / T::TYPE.bytes()) as u64,
            place: Into::Pinned(data),
        }
    }

    /// `length` elements of a file from byte `start` on.
    pub fn file(file: &'a File, start: u64, element: Type, length: u64) -> Self {
        Self {
            element,
            length,
            place: Into::File(file, start),
        }
    }

    /// As it is, for a trip that writes it.
    pub(crate) fn again(&mut self) -> Sink<'_> {
        let place = match &mut self.place {
            Into::Slice(data) => Into::Slice(data),
            Into::Pinned(data) => Into::Pinned(data),
            Into::File(file, start) => Into::File(file, *start),
        };
        Sink {
            element: self.element,
            length: self.length,
            place,
        }
    }

    /// # Errors
    /// It is not as long, or has another type.
    pub(crate) fn check(&self, element: Type, length: u64) -> Result<(), StreamError> {
        if self.element != element {
            return Err(StreamError::types("the output", self.element, element));
        }
        if self.length != length {
            return Err(StreamError::length("the output", self.length, length));
        }
        Ok(())
    }
}

/// A piece of an array, to be read.
pub(crate) enum Origin<'a> {
    Slice(&'a [u8]),
    Pinned(Pinned),
    File(&'a File, u64),
}

/// A piece of an array, to be written.
pub(crate) enum Target<'a> {
    Slice(&'a mut [u8]),
    Pinned(Pinned),
    File(&'a File, u64),
}

impl Origin<'_> {
    /// The piece where it lies; nothing of a file.
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

impl Target<'_> {
    /// The piece where it lies; nothing of a file.
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
