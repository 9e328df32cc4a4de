//! What is said of arrays in local memory.

use serde::Serialize;

use super::{
    Found, Halo,
    columns::Columns,
    formula::{Formulas, Scope},
    owned::Owned,
    privatised::Privatised,
    prove::Chosen,
    staged::Staged,
    table::Table,
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
    /// By dimension: how far it reaches beyond what is the work-group's own.
    pub halo: Vec<Halo>,
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
    /// Filled in every pass of a loop.
    Plane,
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
    /// Back in global memory: a part of a buffer for each work-group.
    Scratch,
    /// Back in global memory: read where it was copied from.
    Source,
}

impl Found {
    pub(super) fn placed(&self, formulas: &Formulas) -> Vec<Placed> {
        let columns = self.columns.iter().map(|one| one.placed(formulas));
        let owned = self.owned.iter().map(|one| one.placed(formulas));
        let privatised = self.privatised.iter().map(|one| one.placed(formulas));
        let staged = self.staged.iter().map(|one| one.placed(formulas));
        let chosen = self.chosen.iter().map(|one| one.placed(formulas));
        let tables = self.tables.iter().map(|one| one.placed(formulas));
        let written = columns.chain(owned).chain(privatised).chain(staged);
        written.chain(chosen).chain(tables).collect()
    }
}

impl Table {
    fn placed(&self, formulas: &Formulas) -> Placed {
        Placed {
            array: formulas.all.arrays[self.array].name.clone(),
            mechanism: Mechanism::Table,
            extents: vec![i64::try_from(self.elements).unwrap_or(i64::MAX)],
            halo: vec![Halo::default()],
            element_bytes: formulas.all.arrays[self.array].element_bytes,
            bytes: self.bytes,
            reads: Some(self.reads),
            fills: Some(self.elements),
        }
    }
}

impl Owned {
    fn placed(&self, formulas: &Formulas) -> Placed {
        Placed {
            array: formulas.all.arrays[self.array].name.clone(),
            mechanism: Mechanism::Part,
            extents: vec![self.extent],
            halo: vec![Halo::default()],
            element_bytes: formulas.all.arrays[self.array].element_bytes,
            bytes: self.bytes,
            reads: None,
            fills: None,
        }
    }
}

impl Columns {
    fn placed(&self, formulas: &Formulas) -> Placed {
        Placed {
            array: formulas.all.arrays[self.array].name.clone(),
            mechanism: Mechanism::Columns,
            extents: vec![self.most_rows, formulas.local[0]],
            halo: vec![Halo::default(); 2],
            element_bytes: formulas.all.arrays[self.array].element_bytes,
            bytes: self.bytes,
            reads: None,
            fills: None,
        }
    }
}

impl Privatised {
    fn placed(&self, formulas: &Formulas) -> Placed {
        let element_bytes = formulas.all.arrays[self.array].element_bytes;
        Placed {
            array: formulas.all.arrays[self.array].name.clone(),
            mechanism: Mechanism::Privatised,
            extents: vec![i64::try_from(self.bytes / element_bytes).unwrap_or(i64::MAX)],
            halo: vec![Halo::default()],
            element_bytes,
            bytes: self.bytes,
            reads: None,
            fills: None,
        }
    }
}

impl Staged {
    fn placed(&self, formulas: &Formulas) -> Placed {
        Placed {
            array: formulas.all.arrays[self.array].name.clone(),
            mechanism: Mechanism::Staged,
            extents: vec![self.side; 2],
            halo: vec![Halo::default(); 2],
            element_bytes: formulas.all.arrays[self.array].element_bytes,
            bytes: self.bytes,
            reads: None,
            fills: None,
        }
    }
}

impl Chosen {
    fn placed(&self, formulas: &Formulas) -> Placed {
        Placed {
            array: formulas.all.arrays[self.tile.array].name.clone(),
            mechanism: match self.tile.scope {
                Scope::Kernel => Mechanism::Tile,
                Scope::Strip { .. } => Mechanism::Strip,
                Scope::Pass { .. } => Mechanism::Plane,
            },
            extents: self.tile.sides.iter().map(|side| side.extent).collect(),
            halo: self.tile.halo(formulas),
            element_bytes: formulas.all.arrays[self.tile.array].element_bytes,
            bytes: self.bytes,
            reads: Some(self.coverage.reads),
            fills: Some(self.tile.elements().unsigned_abs()),
        }
    }
}
