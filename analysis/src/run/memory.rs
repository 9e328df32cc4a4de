//! What a launch finds in memory, and what it writes there.

use std::sync::Arc;

use kerncast_suite::Data;

use super::{ObjectKind, Program};
use crate::llvm::Space;

/// Addresses in global memory are `(buffer + 1) << BUFFER_SHIFT` and on, by the buffer's place in the launch: each
/// buffer begins at a multiple of every transfer's size, and what runs over its end meets no other.
pub const BUFFER_SHIFT: u32 = 40;

/// Tables of the program come behind all buffers of a launch.
pub(crate) const TABLES: u64 = 1 << 20;

/// Buffers of a launch, as far as anybody reads them. A copy costs nothing until one is written to.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    buffers: Vec<Option<Arc<Data>>>,
    tables: Vec<Vec<u8>>,
}

impl Memory {
    /// Of buffers by their place in the launch; none where nobody reads what is in it.
    pub fn new(buffers: Vec<Option<Data>>) -> Self {
        let buffers = buffers.into_iter().map(|buffer| buffer.map(Arc::new));
        Self {
            buffers: buffers.collect(),
            tables: Vec::new(),
        }
    }

    /// What a buffer holds.
    pub fn buffer(&self, place: usize) -> Option<&Data> {
        self.buffers.get(place)?.as_deref()
    }

    /// Takes over the program's tables.
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

    /// So many bytes from an address on; none where there are none.
    fn at(&self, address: u64, bytes: usize) -> Option<&[u8]> {
        let (buffer, start) = split(address)?;
        let all = match buffer.checked_sub(TABLES) {
            None => self
                .buffers
                .get(usize::try_from(buffer - 1).ok()?)?
                .as_ref()?
                .bytes(),
            Some(table) => self.tables.get(usize::try_from(table).ok()?)?,
        };
        all.get(start..start.checked_add(bytes)?)
    }

    fn at_mut(&mut self, address: u64, bytes: usize) -> Option<&mut [u8]> {
        let (buffer, start) = split(address)?;
        let buffer = usize::try_from(buffer - 1).ok()?;
        let all = Arc::make_mut(self.buffers.get_mut(buffer)?.as_mut()?).bytes_mut();
        all.get_mut(start..start.checked_add(bytes)?)
    }
}

fn split(address: u64) -> Option<(u64, usize)> {
    let buffer = address >> BUFFER_SHIFT;
    let start = usize::try_from(address & ((1 << BUFFER_SHIFT) - 1)).ok()?;
    (buffer > 0).then_some((buffer, start))
}

/// Where a lane's accesses go.
pub(super) struct Spaces<'a> {
    pub(super) memory: &'a mut Memory,
    pub(super) local: &'a mut [u8],
    /// Of the lane.
    pub(super) private: &'a mut [u8],
}

impl Spaces<'_> {
    /// A number of 1 to 8 bytes; 0 outside of all memory.
    pub(super) fn load(&self, space: Space, address: u64, bytes: u8) -> u64 {
        let length = usize::from(bytes.min(8));
        let from = match space {
            Space::Global | Space::Constant => self.memory.at(address, length),
            Space::Local => inside(self.local, address, length),
            Space::Private => inside(self.private, address, length),
        };
        match from {
            // The two that are most of all.
            Some(&[a, b, c, d]) => u64::from(u32::from_le_bytes([a, b, c, d])),
            Some(from) => {
                let mut number = [0; 8];
                number[..from.len()].copy_from_slice(from);
                u64::from_le_bytes(number)
            }
            None => 0,
        }
    }

    /// Outside of all memory nothing happens.
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
