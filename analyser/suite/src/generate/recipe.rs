//! Recipes: the blocks of a generated kernel, before its text is written.

use super::{
    number::{Number, Operation, Storage},
    theme::Theme,
};

/// A kernel's blocks.
#[derive(Clone, Debug)]
pub(super) struct Recipe {
    pub(super) theme: Theme,
    /// Work-items of a work-group.
    pub(super) group: u32,
    pub(super) number: Number,
    pub(super) storage: Storage,
    pub(super) path: Path,
    /// Number of reads in a step, none of which waits for another; for chases, the number of chases side by side.
    pub(super) at_once: u32,
    /// Whether the pointers are declared `restrict`.
    pub(super) restrict: bool,
    pub(super) operation: &'static Operation,
    /// The other operation, for branches and mixes.
    pub(super) other: &'static Operation,
    /// Number of operations on each number that is read.
    pub(super) times: u32,
    /// Number of results that do not wait for each other.
    pub(super) chains: u32,
    pub(super) uneven: Option<Uneven>,
    pub(super) private: Option<Private>,
    pub(super) local: Option<Local>,
    pub(super) atomic: Option<Atomic>,
    pub(super) storing: Option<Storing>,
}

/// The places where a work-item reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Path {
    /// One place, before the first step.
    Start,
    /// The place beside its neighbours.
    Side,
    /// A place this many elements from its neighbours.
    Strided(u32),
    /// Places this far apart, the first beside its neighbours' first ones.
    Neighbours(u32),
    /// Places from an array of indices.
    Places,
    /// Places from a hash.
    Anywhere,
    /// The place that the last read gave.
    Next,
    /// One place for everybody.
    Same,
    /// A row of its own, element by element.
    Row,
    /// A column of its own, element by element.
    Column,
    /// A row of its own, which it changes; `carried` says whether each element needs the result of the last.
    RowInPlace { carried: bool },
    /// A column of its own, which it changes; `carried` as for a row.
    ColumnInPlace { carried: bool },
}

impl Path {
    /// Whether a step is one of a row or column, and whether that is changed.
    pub(super) fn line(self) -> Option<Line> {
        match self {
            Self::Row => Some(Line {
                is_row: true,
                carried: None,
            }),
            Self::Column => Some(Line {
                is_row: false,
                carried: None,
            }),
            Self::RowInPlace { carried } => Some(Line {
                is_row: true,
                carried: Some(carried),
            }),
            Self::ColumnInPlace { carried } => Some(Line {
                is_row: false,
                carried: Some(carried),
            }),
            _ => None,
        }
    }

    /// Whether the kernel changes what it reads.
    pub(super) fn is_in_place(self) -> bool {
        self.line().is_some_and(|line| line.carried.is_some())
    }
}

/// A row or a column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) is_row: bool,
    /// Whether each element needs the result of the last; none if the line is not changed.
    pub(super) carried: Option<bool>,
}

/// The ways in which work-items differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Uneven {
    /// One operation or the other, by the number that was read.
    ByNumber,
    /// One operation or the other, in turns of this many work-items.
    ByTurns(u32),
    /// Up to this many times as much arithmetic as another.
    Times(u32),
    /// Arithmetic by one work-item in this many.
    OneOf(u32),
    /// Some work-items take a quarter of the steps, others up to all.
    Steps,
}

/// An array of each work-item that cannot stay in registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Private {
    pub(super) length: u32,
    /// Number of changes in a step.
    pub(super) touches: u32,
    /// Whether all work-items change the same element at a time.
    pub(super) alike: bool,
}

/// The uses of local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Local {
    /// Reads again of numbers that the group has read, neighbours `stride` apart.
    Reads {
        words: u32,
        stride: u32,
        touches: u32,
    },
    /// A chase in local memory, as `Path::Next`.
    Chase { words: u32, touches: u32 },
    /// An array of each work-item, as [`Private`]. `contiguous`: whether the elements of one work-item lie together.
    Own {
        length: u32,
        touches: u32,
        contiguous: bool,
    },
    /// An exchange: each work-item gives its number to the one `reach` further on.
    Exchange { reach: u32, touches: u32 },
    /// A sum over the group, by halving.
    Sum,
    /// A prefix sum over the group, by doubling.
    Prefix,
    /// Atomic counts in this many bins.
    Counts { bins: u32, touches: u32 },
}

/// Atomics on a table in global memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Atomic {
    pub(super) kind: AtomicKind,
    /// Number of slots, if they are few; else the size decides.
    pub(super) few: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtomicKind {
    Add,
    Max,
    Xor,
    /// An addition whose answer the next one waits for.
    AddAndWait,
    /// An addition by comparing and exchanging, again until it succeeds.
    CompareExchange,
}

/// The stores of every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storing {
    /// Results in turn, the last `last` of which stay, beside the neighbours'.
    Side { last: u32 },
    /// Results in turn, the last `last` of which stay, one after the other.
    Row { last: u32 },
    /// The place where the line was read, in another buffer.
    Line,
    /// A mark, to this many addresses.
    Few(u32),
    /// A mark, anywhere.
    Scattered,
}
