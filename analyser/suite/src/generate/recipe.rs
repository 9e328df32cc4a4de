//! What a generated kernel does, block by block, before its text is written.

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
    /// Reads of a step, none of which waits for another; of a chase, chases side by side.
    pub(super) at_once: u32,
    /// Whether the pointers say that no other points to the same.
    pub(super) restrict: bool,
    pub(super) operation: &'static Operation,
    /// For branches and mixes.
    pub(super) other: &'static Operation,
    /// Operations on each number that is read.
    pub(super) times: u32,
    /// Results that do not wait for each other.
    pub(super) chains: u32,
    pub(super) uneven: Option<Uneven>,
    pub(super) private: Option<Private>,
    pub(super) local: Option<Local>,
    pub(super) atomic: Option<Atomic>,
    pub(super) storing: Option<Storing>,
}

/// Where a work-item reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Path {
    /// Once, before the first step.
    Start,
    /// Beside its neighbours.
    Side,
    /// So many elements from its neighbours.
    Strided(u32),
    /// Beside its neighbours, and so far to the right of that.
    Neighbours(u32),
    /// Where an array of indices says.
    Places,
    /// Where a hash says.
    Anywhere,
    /// Where the last read says.
    Next,
    /// Where everybody reads.
    Same,
    /// A row of its own, element by element.
    Row,
    /// A column of its own, element by element.
    Column,
    /// A row of its own, which it changes; `carried` says whether each element needs the result of the last.
    RowInPlace { carried: bool },
    /// A column of its own, changed likewise.
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

    /// Whether it changes what it reads.
    pub(super) fn is_in_place(self) -> bool {
        self.line().is_some_and(|line| line.carried.is_some())
    }
}

/// A row or a column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) is_row: bool,
    /// Where it is changed, whether each element needs the result of the last.
    pub(super) carried: Option<bool>,
}

/// How work-items differ in what they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Uneven {
    /// One operation or the other, as the number read is.
    ByNumber,
    /// One operation or the other, in turns of so many work-items.
    ByTurns(u32),
    /// Up to so many times as much arithmetic as another.
    Times(u32),
    /// Arithmetic by one of so many.
    OneOf(u32),
    /// Some work-items take a quarter of the steps, others up to all.
    Steps,
}

/// An array of each work-item that cannot stay in registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Private {
    pub(super) length: u32,
    /// Changes a step.
    pub(super) touches: u32,
    /// Whether all work-items change the same element at a time.
    pub(super) alike: bool,
}

/// What is done with local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Local {
    /// Numbers that the group has read are read again, neighbours `stride` apart.
    Reads {
        words: u32,
        stride: u32,
        touches: u32,
    },
    /// As `Path::Next`.
    Chase { words: u32, touches: u32 },
    /// As [`Private`]; whether the elements of one work-item lie together.
    Own {
        length: u32,
        touches: u32,
        contiguous: bool,
    },
    /// Each gives its number to the one `reach` further on.
    Exchange { reach: u32, touches: u32 },
    /// A sum over the group, by halving.
    Sum,
    /// A prefix sum over the group, by doubling.
    Prefix,
    /// Atomic counts in so many bins.
    Counts { bins: u32, touches: u32 },
}

/// What is done to a table in global memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Atomic {
    pub(super) kind: AtomicKind,
    /// Slots, where they are few; else there is a table.
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

/// What is stored in every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storing {
    /// Results in turn, the last `last` of which stay, beside the neighbours'.
    Side { last: u32 },
    /// Results in turn, the last `last` of which stay, one after the other.
    Row { last: u32 },
    /// Where the line was read, in another buffer.
    Line,
    /// A mark, to so many addresses.
    Few(u32),
    /// A mark, anywhere.
    Scattered,
}
