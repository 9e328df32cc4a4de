//! Buffers that are filled part by part when they are read: a few work-groups read little of gigabytes.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
};

use foldhash::fast::FixedState;
use kerncast_suite::{Data, Input};

/// Bytes of a part, which is filled at once.
const PART: usize = 1 << 10;
/// The most parts of a buffer that are held.
const MOST_PARTS: usize = 1 << 20;

#[derive(Debug)]
pub(super) struct LazyBuffer<'a> {
    input: Input<'a>,
    length: usize,
    /// The place of each held part in `parts`.
    places: RefCell<HashMap<usize, usize, FixedState>>,
    parts: RefCell<Vec<Data>>,
    /// The part that was read last, and its place.
    last: Cell<(usize, usize)>,
    /// The reason why a part could not be filled.
    pub(super) fault: RefCell<Option<String>>,
}

impl<'a> LazyBuffer<'a> {
    pub(super) fn new(input: Input<'a>) -> Self {
        Self {
            input,
            length: input.length(),
            places: RefCell::default(),
            parts: RefCell::default(),
            last: Cell::new((usize::MAX, 0)),
            fault: RefCell::default(),
        }
    }

    /// A number of 1 to 8 bytes; none beyond the end.
    pub(super) fn number(&self, start: usize, bytes: usize) -> Option<u64> {
        let end = start.checked_add(bytes).filter(|end| *end <= self.length)?;
        if start / PART == (end - 1) / PART {
            return self.within(start, bytes);
        }
        let mut bytes = (0..bytes).rev();
        bytes.try_fold(0, |number, at| {
            Some(number << 8 | self.within(start + at, 1)?)
        })
    }

    /// A number of 1 to 8 bytes within a part.
    fn within(&self, start: usize, bytes: usize) -> Option<u64> {
        let place = self.place(start / PART)?;
        let parts = self.parts.borrow();
        let start = start % PART;
        let from = parts.get(place)?.bytes().get(start..start + bytes)?;
        Some(number(from))
    }

    fn place(&self, part: usize) -> Option<usize> {
        let (last, place) = self.last.get();
        if last == part {
            return Some(place);
        }
        let place = self.places.borrow().get(&part).copied();
        let place = match place {
            Some(place) => place,
            None => self.fill(part)?,
        };
        self.last.set((part, place));
        Some(place)
    }

    fn fill(&self, part: usize) -> Option<usize> {
        let mut parts = self.parts.borrow_mut();
        let start = part * PART;
        if parts.len() >= MOST_PARTS {
            let most = (MOST_PARTS * PART) >> 20;
            let fault = format!("work-groups read more than {most} MiB of a buffer");
            self.fault.borrow_mut().get_or_insert(fault);
            return None;
        }
        match self.input.part(start..(start + PART).min(self.length)) {
            Ok(data) => {
                let data = data.unwrap_or(Data::Uchar(Vec::new()));
                parts.push(data);
                self.places.borrow_mut().insert(part, parts.len() - 1);
                Some(parts.len() - 1)
            }
            Err(why) => {
                self.fault.borrow_mut().get_or_insert(why.to_string());
                None
            }
        }
    }
}

/// The number that up to eight bytes are.
pub(super) fn number(from: &[u8]) -> u64 {
    match from {
        // The two that are most of all.
        &[a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
        from => {
            let mut number = [0; 8];
            number[..from.len()].copy_from_slice(from);
            u64::from_le_bytes(number)
        }
    }
}
