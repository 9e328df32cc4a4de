//! Memory of a launch: its contents before, and what the launch writes.

use std::{rc::Rc, sync::Arc};

use kerncast_suite::{Data, Input};

use super::{
    ObjectKind, Program,
    lazy_buffer::{LazyBuffer, number},
};
use crate::llvm::Space;

/// Addresses in global memory are `(buffer + 1) << BUFFER_SHIFT` and on, by the buffer's place in the launch: each
/// buffer begins at a multiple of every transfer's size, and what runs over its end meets no other.
pub const BUFFER_SHIFT: u32 = 40;

/// The place of the program's tables among buffers: behind all buffers of a launch.
pub(crate) const TABLES: u64 = 1 << 20;

/// Buffers of a launch, as far as anybody reads them. A copy costs nothing until one is written to.
#[derive(Clone, Debug, Default)]
pub struct Memory<'a> {
    buffers: Vec<Option<Buffer<'a>>>,
    tables: Vec<Vec<u8>>,
}

#[derive(Clone, Debug)]
enum Buffer<'a> {
    Whole(Arc<Data>),
    Parts(Rc<LazyBuffer<'a>>),
}

impl<'a> Memory<'a> {
    /// Memory of these buffers, by their place in the launch; none where nothing reads a buffer.
    pub fn new(buffers: Vec<Option<Data>>) -> Self {
        let buffers = buffers
            .into_iter()
            .map(|it| Some(Buffer::Whole(Arc::new(it?))));
        Self {
            buffers: buffers.collect(),
            tables: Vec::new(),
        }
    }

    /// Sets a buffer that is filled where somebody reads it.
    pub(crate) fn put_parts(&mut self, place: usize, input: Input<'a>) {
        self.buffers[place] = Some(Buffer::Parts(Rc::new(LazyBuffer::new(input))));
    }

    /// The contents of a buffer, if all of them are here.
    pub fn buffer(&self, place: usize) -> Option<&Data> {
        match self.buffers.get(place)?.as_ref()? {
            Buffer::Whole(data) => Some(data),
            Buffer::Parts(_) => None,
        }
    }

    /// The reason why a part that was read could not be filled.
    pub(super) fn fault(&self) -> Option<String> {
        self.buffers.iter().flatten().find_map(|it| match it {
            Buffer::Whole(_) => None,
            Buffer::Parts(filled) => filled.fault.borrow().clone(),
        })
    }

    /// Adds the program's tables.
    pub(super) fn tabulate(&mut self, program: &Program) {
        self.tables = program
            .objects
            .iter()
            .map(|object| match &object.kind {
                ObjectKind::Table { holds, .. } => holds.clone(),
                _ => Vec::new(),
            })
            .collect();
    }

    /// Sets the contents of a table: the program's object in this place.
    pub(super) fn put_table(&mut self, object: usize, bytes: &[u8]) {
        if let Some(table) = self.tables.get_mut(object) {
            table.clear();
            table.extend_from_slice(bytes);
        }
    }

    /// A number of `bytes` bytes at an address; none where there is none.
    fn number(&self, address: u64, bytes: usize) -> Option<u64> {
        let (buffer, start) = split(address)?;
        let all = match buffer.checked_sub(TABLES) {
            None => {
                let place = usize::try_from(buffer - 1).ok()?;
                match self.buffers.get(place)?.as_ref()? {
                    Buffer::Whole(data) => data.bytes(),
                    Buffer::Parts(filled) => return filled.number(start, bytes),
                }
            }
            Some(table) => self.tables.get(usize::try_from(table).ok()?)?,
        };
        all.get(start..start.checked_add(bytes)?).map(number)
    }

    fn at_mut(&mut self, address: u64, bytes: usize) -> Option<&mut [u8]> {
        let (buffer, start) = split(address)?;
        let buffer = usize::try_from(buffer - 1).ok()?;
        let Buffer::Whole(data) = self.buffers.get_mut(buffer)?.as_mut()? else {
            return None;
        };
        let all = Arc::make_mut(data).bytes_mut();
        all.get_mut(start..start.checked_add(bytes)?)
    }
}

fn split(address: u64) -> Option<(u64, usize)> {
    let buffer = address >> BUFFER_SHIFT;
    let start = usize::try_from(address & ((1 << BUFFER_SHIFT) - 1)).ok()?;
    (buffer > 0).then_some((buffer, start))
}

/// The memories of a lane.
pub(super) struct Spaces<'a, 'm> {
    pub(super) memory: &'a mut Memory<'m>,
    pub(super) local: &'a mut [u8],
    /// The lane's private memory.
    pub(super) private: &'a mut [u8],
}

impl Spaces<'_, '_> {
    /// A number of 1 to 8 bytes; 0 outside of all memory.
    pub(super) fn load(&self, space: Space, address: u64, bytes: u8) -> u64 {
        let length = usize::from(bytes.min(8));
        let number = match space {
            Space::Global | Space::Constant => self.memory.number(address, length),
            Space::Local => inside(self.local, address, length).map(number),
            Space::Private => inside(self.private, address, length).map(number),
        };
        number.unwrap_or(0)
    }

    /// Stores a number; outside of all memory nothing happens.
    pub(super) fn store(&mut self, space: Space, address: u64, bytes: u8, number: u64) {
        let length = usize::from(bytes.min(8));
        let to = match space {
            Space::Global | Space::Constant => self.memory.at_mut(address, length),
            Space::Local => inside_mut(self.local, address, length),
            Space::Private => inside_mut(self.private, address, length),
        };
        if let Some(to) = to {
            to.copy_from_slice(&number.to_le_bytes()[..length]);
        }
    }
}

fn inside(all: &[u8], address: u64, bytes: usize) -> Option<&[u8]> {
    let start = usize::try_from(address).ok()?;
    all.get(start..start.checked_add(bytes)?)
}

fn inside_mut(all: &mut [u8], address: u64, bytes: usize) -> Option<&mut [u8]> {
    let start = usize::try_from(address).ok()?;
    all.get_mut(start..start.checked_add(bytes)?)
}
