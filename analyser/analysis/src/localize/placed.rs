//! What is said of arrays in local memory.

use serde::Serialize;

use super::{
    formula::{Formulas, Scope},
    prove::Chosen,
};

/// An array, or a part of it, in local memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Placed {
    /// The argument.
    pub array: String,
    /// How.
    pub mechanism: Mechanism,
    /// Elements by dimension, outermost first.
    pub extents: Vec<i64>,
    /// Bytes of an element.
    pub element_bytes: u64,
    /// Bytes of local memory.
    pub bytes: u64,
    /// Reads of a work-group from the time that it is filled to the next; absent of parts, which it writes itself.
    pub reads: Option<u64>,
    /// Elements that are brought for them from global memory; absent likewise.
    pub fills: Option<u64>,
}

/// How an array goes to local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mechanism {
    /// Filled once, with the halo of all references.
    Tile,
    /// Filled for some passes of a loop at a time.
    Strip,
    /// What a work-group's work-items hand to each other.
    Part,
    /// What is a work-item's own, an element of each row.
    Columns,
    /// Counted in by atomics, and added to the array at the end.
    Privatised,
    /// Turned there before it is stored.
    Staged,
    /// The whole array, filled once.
    Table,
}

impl Chosen {
    pub(super) fn placed(&self, formulas: &Formulas) -> Placed {
        Placed {
            array: formulas.all.arrays[self.tile.array].name.clone(),
            mechanism: match self.tile.scope {
                Scope::Kernel => Mechanism::Tile,
                Scope::Strip { .. } => Mechanism::Strip,
            },
            extents: self.tile.sides.iter().map(|side| side.extent).collect(),
            element_bytes: formulas.all.arrays[self.tile.array].element_bytes,
            bytes: self.bytes,
            reads: Some(self.coverage.reads),
            fills: Some(self.tile.elements().unsigned_abs()),
        }
    }
}
