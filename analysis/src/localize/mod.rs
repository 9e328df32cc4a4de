//! Local memory, written for existing OpenCL C: which arrays of a kernel go there, and the edits of the author's own
//! text. It stands on [`crate::accesses`]; docs/localize.md says how.
//!
//! Whatever is not proved is refused. A tile is a box of an array that a work-group fills between two barriers: the
//! hull of all its references, found by algebra of no size at all, and gone through point by point at every size.

mod bounds;
mod edge;
mod edit;
mod fill;
mod formula;
mod halo;
mod hoist;
mod kernel;
mod owned;
mod plan;
mod prove;
mod reference;
mod refusal;
mod steady;
mod strip;
mod subject;
mod table;
mod tile;
mod undo;
mod words;
mod wrap;
mod write;
mod written;

use serde::Serialize;

pub use edit::{Edit, edited};
pub use halo::Halo;
pub use refusal::{Reason, Refusal};
pub use subject::{At, Buffer, Rule, Subject};
pub use undo::{Scratch, is_global, undo};

use self::{formula::Formulas, kernel::Kernel, owned::Owned, table::Table, written::Written};
use crate::ast::Space;

/// What becomes of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Localized {
    /// Arrays in local memory; empty where nothing is rewritten.
    pub placed: Vec<Placed>,
    /// Changes of the source.
    pub edits: Vec<Edit>,
    /// Parameters that the rewritten kernel no longer has.
    pub dropped: Vec<usize>,
    /// Buffers that it takes in place of local memory.
    pub scratch: Vec<Scratch>,
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
    /// The whole array, filled once.
    Table,
    /// Back in global memory: a part of a buffer for each work-group.
    Scratch,
    /// Back in global memory: read where it was copied from.
    Source,
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
    let subject = Subject {
        most_bytes: subject.most_bytes.saturating_sub(used(subject)),
        ..subject
    };
    let mut formulas = Formulas::new(subject.accesses, kernel.local);
    formulas.wraps = wrap::compares(subject);
    let mut owned = match subject.rule {
        Rule::Shared => owned::found(subject, &mut formulas, &kernel, &mut localized.refusals),
        Rule::Paper => Vec::new(),
    };
    owned.retain(|one| {
        let alone = std::slice::from_ref(one);
        let mut written = Written::default();
        let done = parts(subject, &formulas, &kernel, alone, &[], &mut written);
        done.map_err(|reason| localized.refuse(subject, one.array, reason))
            .is_ok()
    });
    let left = Subject {
        most_bytes: subject.most_bytes - owned.iter().map(|one| one.bytes).sum::<u64>(),
        ..subject
    };
    let (mut chosen, tables) =
        plan::read_only(left, &mut formulas, &owned, &mut localized.refusals);
    // A tile without a text leaves the others.
    chosen.retain(|one| {
        let alone = std::slice::from_ref(one);
        let mut written = Written::default();
        let done = write::tiles(subject, &formulas, &kernel.sizes, alone, &mut written);
        done.map_err(|reason| localized.refuse(subject, one.tile.array, reason))
            .is_ok()
    });
    // Guards that are taken apart for one may be in the way of another.
    let mut written = Written::default();
    if let Err(reason) = write::tiles(subject, &formulas, &kernel.sizes, &chosen, &mut written) {
        chosen.retain(|one| {
            if one.is_guarded {
                localized.refuse(subject, one.tile.array, reason);
            }
            !one.is_guarded
        });
    }
    if owned.is_empty() && chosen.is_empty() && tables.is_empty() {
        return localized;
    }
    let mut written = Written::default();
    let done = parts(subject, &formulas, &kernel, &owned, &tables, &mut written)
        .and_then(|()| write::tiles(subject, &formulas, &kernel.sizes, &chosen, &mut written))
        .and_then(|()| {
            kernel.finish(subject, &mut written);
            if written
                .edits
                .iter()
                .any(|edit| !is_plain(subject, &edit.text))
            {
                return Err(Reason::Name);
            }
            edited(subject.source, &written.edits).ok_or(Reason::Text)
        });
    if let Err(reason) = done {
        localized.refusals.push(kernel.refused(reason));
        return localized;
    }
    localized.placed = owned.iter().map(|one| one.placed(&formulas)).collect();
    localized
        .placed
        .extend(chosen.iter().map(|one| one.placed(&formulas)));
    localized
        .placed
        .extend(tables.iter().map(|one| one.placed(&formulas)));
    let dropped = owned.iter().filter(|one| one.is_dropped());
    localized.dropped = dropped
        .filter_map(|one| formulas.all.arrays[one.array].parameter)
        .collect();
    localized.edits = written.edits;
    localized
}

/// Whether the words of OpenCL C in a text mean nothing else in this source.
fn is_plain(subject: Subject<'_>, text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let mut words = words.filter(|word| {
        word.starts_with("get_") || ["barrier", "bool", "min", "max", "size_t"].contains(word)
    });
    let unit = subject.unit;
    words.all(|word| {
        let is_variable = unit.variables.iter().any(|it| &*it.name == word);
        let is_function = unit.function(word).is_some();
        !is_variable && !is_function && subject.definitions(word).is_empty()
    })
}

/// Bytes of local memory that the kernel declares itself.
fn used(subject: Subject<'_>) -> u64 {
    let arrays = subject.accesses.arrays.iter();
    let local = arrays.filter(|array| array.space == Space::Local);
    let bytes = local.map(|array| {
        array
            .element_bytes
            .saturating_mul(array.lengths.iter().product())
    });
    bytes.fold(0, u64::saturating_add)
}

/// Writes down the parts that work-groups own, and tables.
fn parts(
    subject: Subject<'_>,
    formulas: &Formulas,
    kernel: &Kernel,
    owned: &[Owned],
    tables: &[Table],
    written: &mut Written,
) -> Result<(), Reason> {
    let words = words::Words {
        subject,
        formulas,
        sizes: kernel.sizes.clone(),
        strips: Vec::new(),
    };
    for one in owned {
        one.write(&words, written)?;
        if let Some(parameter) = formulas.all.arrays[one.array]
            .parameter
            .filter(|_| one.is_dropped())
        {
            written.edits.push(subject.drop_parameter(parameter)?);
        }
    }
    for one in tables {
        one.write(&words, written)?;
    }
    match owned.is_empty() {
        true => Ok(()),
        false => owned::fences(subject, owned, written),
    }
}

impl Localized {
    fn refuse(&mut self, subject: Subject<'_>, array: usize, reason: Reason) {
        let of = &subject.accesses.arrays[array];
        let mut own = subject
            .accesses
            .accesses
            .iter()
            .filter(|it| it.array == Some(array));
        self.refusals.push(Refusal {
            array: Some(of.name.clone()),
            reason,
            place: own
                .next()
                .map_or_else(|| of.span.begin.clone(), |it| it.span.begin.clone()),
        });
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

impl prove::Chosen {
    fn placed(&self, formulas: &Formulas) -> Placed {
        Placed {
            array: formulas.all.arrays[self.tile.array].name.clone(),
            mechanism: match self.tile.scope {
                formula::Scope::Kernel => Mechanism::Tile,
                formula::Scope::Strip { .. } => Mechanism::Strip,
                formula::Scope::Pass { .. } => Mechanism::Plane,
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
