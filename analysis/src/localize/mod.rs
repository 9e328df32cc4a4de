//! Local memory, written for existing OpenCL C: which arrays of a kernel go there, and the edits of the author's own
//! text. It stands on [`crate::accesses`]; docs/localize.md says how.
//!
//! Whatever is not proved is refused. A tile is a box of an array that a work-group fills between two barriers: the
//! hull of all its references, found by algebra of no size at all, and gone through point by point at every size.

mod edit;
mod fill;
mod formula;
mod kernel;
mod plan;
mod prove;
mod refusal;
mod strip;
mod subject;
mod tile;
mod words;
mod write;

use serde::Serialize;

pub use edit::{Edit, edited};
pub use refusal::{Reason, Refusal};
pub use subject::{At, Buffer, Subject};

use self::{formula::Formulas, kernel::Kernel, write::Written};

/// What becomes of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Localized {
    /// Arrays in local memory; empty where nothing is rewritten.
    pub placed: Vec<Placed>,
    /// Changes of the source.
    pub edits: Vec<Edit>,
    /// Parameters that the rewritten kernel no longer has.
    pub dropped: Vec<usize>,
    /// What stays where it is, and why.
    pub refusals: Vec<Refusal>,
}

/// An array, or a part of it, in local memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Placed {
    /// The argument.
    pub array: String,
    /// How.
    pub mechanism: Mechanism,
    /// Elements by dimension, outermost first.
    pub extents: Vec<i64>,
    /// Bytes of local memory.
    pub bytes: u64,
    /// Reads of a work-group from the time that it is filled to the next.
    pub reads: u64,
    /// Elements that are brought for them from global memory.
    pub fills: u64,
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
}

/// Rewrites a kernel as far as it is proved to be the same.
pub fn localize(subject: Subject<'_>) -> Localized {
    let mut localized = Localized::default();
    let kernel = match Kernel::of(subject) {
        Ok(kernel) => kernel,
        Err(refusal) => {
            localized.refusals.push(refusal);
            return localized;
        }
    };
    let mut formulas = Formulas::new(subject.accesses, kernel.local);
    let mut chosen = plan::read_only(subject, &mut formulas, &mut localized.refusals);
    // A tile without a text leaves the others.
    chosen.retain(|one| {
        let alone = std::slice::from_ref(one);
        let mut written = Written::default();
        match write::tiles(subject, &formulas, &kernel.sizes, alone, &mut written) {
            Ok(()) => true,
            Err(reason) => {
                localized.refusals.push(Refusal {
                    array: Some(formulas.all.arrays[one.tile.array].name.clone()),
                    reason,
                    place: subject.accesses.accesses[one.tile.served[0].access].span.begin.clone(),
                });
                false
            }
        }
    });
    let mut written = Written::default();
    if write::tiles(subject, &formulas, &kernel.sizes, &chosen, &mut written).is_err() {
        return localized;
    }
    if chosen.is_empty() {
        return localized;
    }
    kernel.finish(subject, &mut written);
    if edited(subject.source, &written.edits).is_none() {
        localized.refusals.push(kernel.refused(Reason::Text));
        return localized;
    }
    localized.placed = chosen.iter().map(|one| one.placed(&formulas)).collect();
    localized.edits = written.edits;
    localized
}

impl plan::Chosen {
    fn placed(&self, formulas: &Formulas) -> Placed {
        Placed {
            array: formulas.all.arrays[self.tile.array].name.clone(),
            mechanism: match self.tile.scope {
                formula::Scope::Kernel => Mechanism::Tile,
                formula::Scope::Strip { .. } => Mechanism::Strip,
                formula::Scope::Pass { .. } => Mechanism::Plane,
            },
            extents: self.tile.sides.iter().map(|side| side.extent).collect(),
            bytes: self.bytes,
            reads: self.coverage.reads,
            fills: self.tile.elements().unsigned_abs(),
        }
    }
}
