//! Numbers of a program's slots, blocks and accesses.

/// A register of every lane: 64 bits; whole numbers without their sign, floating-point numbers as their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(pub u32);

/// A block: its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

/// A memory access of the source: its place among [`Program::accesses`](super::Program::accesses).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccessId(pub u32);

impl BlockId {
    /// The block's place among the program's blocks.
    pub fn place(self) -> usize {
        self.0 as usize
    }
}
