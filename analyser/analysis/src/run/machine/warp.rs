//! A warp: its lanes' registers, and the block that each lane is in.

use std::cell::Cell;

use crate::run::{BlockId, Warp};

/// The reason why a warp does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pause {
    Barrier,
    Done,
}

/// Lanes that go the same way.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub(super) block: BlockId,
    /// Instructions of the block that are behind it: places among the needed ones.
    pub(super) next: usize,
    /// The block at which it ends. The path below it on the stack goes on there, with these lanes among its own.
    pub(super) until: Option<BlockId>,
    pub(super) lanes: Vec<u16>,
}

/// A warp's registers and private memory, for one work-group after the other.
pub(super) struct Registers {
    pub(super) id: Warp,
    pub(super) lanes: Lanes,
    pub(super) paths: Vec<Path>,
    registers: usize,
    /// Vectors of lanes that were given back.
    spare: Vec<Vec<u16>>,
    pub(super) addresses: Vec<u64>,
    pub(super) copied: Vec<u64>,
}

pub(super) struct Lanes {
    /// Each register's lanes side by side.
    numbers: Vec<Cell<u64>>,
    pub(super) width: usize,
    private: Vec<u8>,
    private_bytes: usize,
    pub(super) items: Vec<[u32; 3]>,
}

impl Lanes {
    /// A lane's private memory.
    pub(super) fn private(&mut self, lane: usize) -> &mut [u8] {
        let start = lane * self.private_bytes;
        self.private
            .get_mut(start..start + self.private_bytes)
            .unwrap_or_default()
    }

    pub(super) fn register(&self, register: u32) -> &[Cell<u64>] {
        let start = register as usize * self.width;
        self.numbers
            .get(start..start + self.width)
            .unwrap_or_default()
    }
}

impl Registers {
    pub(super) fn new(
        width: usize,
        registers: usize,
        private_bytes: usize,
        first: &[(u32, u64)],
    ) -> Self {
        let lanes = Lanes {
            numbers: vec![Cell::new(0); registers * width],
            width,
            private: vec![0; width * private_bytes],
            private_bytes,
            items: Vec::new(),
        };
        for (register, bits) in first {
            for cell in lanes.register(*register) {
                cell.set(*bits);
            }
        }
        Self {
            id: Warp {
                group: [0; 3],
                index: 0,
            },
            lanes,
            paths: Vec::new(),
            registers,
            spare: Vec::new(),
            addresses: Vec::new(),
            copied: Vec::new(),
        }
    }

    pub(super) fn is_like(&self, width: usize, registers: usize, private: usize) -> bool {
        self.lanes.width == width
            && self.registers == registers
            && self.lanes.private_bytes == private
    }

    pub(super) fn begin(&mut self, id: Warp, items: &[[u32; 3]], by_value: &[(usize, Vec<u8>)]) {
        self.id = id;
        self.lanes.items.clear();
        self.lanes.items.extend(items);
        self.lanes.private.fill(0);
        for lane in 0..self.lanes.width {
            let private = self.lanes.private(lane);
            for (offset, bytes) in by_value {
                if let Some(target) = private
                    .get_mut(*offset..)
                    .filter(|target| target.len() >= bytes.len())
                {
                    target[..bytes.len()].copy_from_slice(bytes);
                }
            }
        }
        self.paths.clear();
        self.paths.push(Path {
            block: BlockId(0),
            next: 0,
            until: None,
            lanes: (0..items.len())
                .filter_map(|lane| u16::try_from(lane).ok())
                .collect(),
        });
    }

    pub(super) fn is_done(&self) -> bool {
        self.paths.is_empty()
    }

    /// Whether a path has come to where its lanes are awaited, before its own end: they have left a loop in which
    /// others are, and are awaited there no more.
    pub(super) fn joins(&mut self, path: &Path) -> bool {
        let awaits = |it: &Path| {
            it.block == path.block && it.next == 0 && it.lanes.binary_search(&path.lanes[0]).is_ok()
        };
        match self.paths.iter().rposition(awaits) {
            Some(at) => {
                self.forget(at + 1, &path.lanes);
                true
            }
            None => false,
        }
    }

    /// Removes lanes from the paths from place `from` on: none waits for them.
    pub(super) fn forget(&mut self, from: usize, lanes: &[u16]) {
        for path in &mut self.paths[from..] {
            path.lanes.retain(|lane| lanes.binary_search(lane).is_err());
        }
    }

    pub(super) fn take_spare(&mut self) -> Vec<u16> {
        let mut lanes = self.spare.pop().unwrap_or_default();
        lanes.clear();
        lanes
    }

    pub(super) fn give_back(&mut self, lanes: Vec<u16>) {
        self.spare.push(lanes);
    }
}
