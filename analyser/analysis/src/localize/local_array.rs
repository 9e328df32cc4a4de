//! Reports on arrays in local memory.

use serde::Serialize;

use crate::accesses::Array;

/// An array, or a part of it, in local memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LocalArray {
    /// The argument.
    pub array: String,
    /// The mechanism by which it is used.
    pub mechanism: Mechanism,
    /// Elements by dimension, outermost first.
    pub extents: Vec<i64>,
    /// Bytes of an element.
    pub element_bytes: u64,
    /// Bytes of local memory, at the size that takes most.
    pub bytes: u64,
    /// Reads of a work-group between two fills; none for arrays that the work-group writes itself.
    pub reads: Option<u64>,
    /// Elements that one fill reads from global memory; none for arrays that the work-group writes itself.
    pub fills: Option<u64>,
}

/// The mechanism by which an array goes to local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mechanism {
    /// Tile: filled once, with the halo of all references.
    Tile,
    /// Strip: filled for some iterations of a loop at a time.
    Strip,
    /// Part: work-items of a work-group exchange numbers in it.
    Part,
    /// Columns: each work-item has an element of each row to itself.
    Columns,
    /// Privatised: atomics work on a copy, which is combined with the array at the end.
    Privatised,
    /// Staged: stores are turned there before they go to the array.
    Staged,
    /// Table: the whole array, filled once.
    Table,
}

impl LocalArray {
    /// A report without extents, reads and fills.
    pub(super) fn new(array: &Array, mechanism: Mechanism, bytes: u64) -> Self {
        Self {
            array: array.name.clone(),
            mechanism,
            extents: Vec::new(),
            element_bytes: array.element_bytes,
            bytes,
            reads: None,
            fills: None,
        }
    }
}
