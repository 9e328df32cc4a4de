//! Local memory, written for existing OpenCL C: which arrays of a kernel go there, and the edits of the author's own
//! text. It stands on [`crate::accesses`]; docs/localize.md says how.
//!
//! Whatever is not proved is refused. A tile is a box of an array that a work-group fills between two barriers: the
//! hull of all its references, found by algebra of no size at all, and gone through point by point at every size.

mod bounds;
mod columns;
mod edge;
mod edit;
mod expand;
mod fill;
mod formula;
mod halo;
mod hoist;
mod kernel;
mod named;
mod owned;
mod passes;
mod placed;
mod plan;
mod privatised;
mod prove;
mod reference;
mod refusal;
mod staged;
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

use std::collections::BTreeSet;

pub use edit::{Edit, edited};
pub use expand::expanded;
pub use halo::Halo;
pub use placed::{Mechanism, Placed};
pub use refusal::{Reason, Refusal};
pub use subject::{At, Buffer, Form, Rule, Subject};
pub use undo::{Scratch, is_global, undo};

use self::{
    columns::Columns, formula::Formulas, kernel::Kernel, owned::Owned, privatised::Privatised,
    prove::Chosen, staged::Staged, table::Table, words::Words, written::Written,
};
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
    /// Local memory that it takes as arguments, behind its last.
    pub added: Vec<Added>,
    /// Buffers that it takes in place of local memory.
    pub scratch: Vec<Scratch>,
    /// What stays where it is, and why.
    pub refusals: Vec<Refusal>,
}

/// Local memory that a kernel takes as an argument: a launch decides how much it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Added {
    /// Its name.
    pub name: String,
    /// The parameter whose buffer has elements of the same type.
    pub like: usize,
    /// Bytes of an element.
    pub element_bytes: u64,
    /// How many.
    pub length: Length,
    /// As it is declared.
    declared: String,
}

/// How many elements local memory has that is an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Length {
    /// As many as the buffer of [`Added::like`].
    Buffer,
    /// The sum of these numbers, each times what the launch gives these parameters.
    Sum(Vec<(i64, Vec<usize>)>),
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
    let found = found(subject, &mut formulas, &kernel, &mut localized);
    if found.is_empty() {
        return localized;
    }
    let mut written = Written::default();
    let done = found
        .write(subject, &formulas, &kernel, &mut written)
        .and_then(|()| {
            privatised::parameters(subject, &mut written)?;
            kernel.finish(subject, &mut written);
            let is_meant = |edit: &Edit| is_plain(subject, &edit.text);
            match written.edits.iter().all(is_meant) {
                true => edited(subject.source, &written.edits).ok_or(Reason::Text),
                false => Err(Reason::Name),
            }
        });
    if let Err(reason) = done {
        localized.refusals.push(kernel.refused(reason));
        return localized;
    }
    localized.placed = found.placed(&formulas);
    let owned = found.owned.iter().filter(|one| one.is_dropped());
    let columns = found.columns.iter().filter(|one| one.is_dropped());
    let dropped = owned
        .map(|one| one.array)
        .chain(columns.map(|one| one.array));
    localized.dropped = dropped
        .filter_map(|array| formulas.all.arrays[array].parameter)
        .collect();
    localized.added = written.added;
    localized.edits = written.edits;
    localized
}

/// What goes to local memory, by how.
#[derive(Default)]
struct Found {
    columns: Vec<Columns>,
    owned: Vec<Owned>,
    privatised: Vec<Privatised>,
    staged: Vec<Staged>,
    tables: Vec<Table>,
    chosen: Vec<Chosen>,
}

/// What is proved, and has a text by itself: what has none leaves the others.
fn found(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    kernel: &Kernel,
    localized: &mut Localized,
) -> Found {
    let mut found = Found::default();
    let mut bytes_left = subject.most_bytes;
    if subject.rule == Rule::Shared {
        let refusals = &mut localized.refusals;
        if !kernel.varies() {
            found.columns = columns::found(subject, formulas, kernel, &mut bytes_left, refusals);
            found.columns.retain(|one| {
                let words = words(subject, formulas, kernel);
                let done = columns_of(&words, std::slice::from_ref(one), &mut Written::default());
                refused_in(refusals, subject, one.array, done)
            });
        }
        let taken = found.taken();
        found.owned = owned::found(subject, formulas, kernel, &taken, bytes_left, refusals);
        found.owned.retain(|one| {
            let words = words(subject, formulas, kernel);
            let done = parts(&words, std::slice::from_ref(one), &mut Written::default());
            refused_in(refusals, subject, one.array, done)
        });
        let kept: BTreeSet<usize> = found.owned.iter().map(|one| one.array).collect();
        found.owned.retain(|one| one.together.is_subset(&kept));
        bytes_left -= found.owned.iter().map(|one| one.bytes).sum::<u64>();
    }
    if kernel.varies() {
        let refusal = kernel.refused(Reason::GroupSizeVaries);
        localized.refusals.push(refusal);
        return found;
    }
    if subject.rule == Rule::Shared {
        let refusals = &mut localized.refusals;
        found.privatised = privatised::found(subject, formulas, kernel, &mut bytes_left, refusals);
        found.privatised.retain(|one| {
            let words = words(subject, formulas, kernel);
            refused_in(
                refusals,
                subject,
                one.array,
                one.write(&words, &mut Written::default()),
            )
        });
        // What is counted in by two kinds of operation goes as a whole, or stays.
        let is_refused = |array: usize| {
            let name = &subject.accesses.arrays[array].name;
            refusals.iter().any(|it| it.array.as_ref() == Some(name))
        };
        found.privatised.retain(|one| !is_refused(one.array));
        found.staged = staged::found(subject, formulas, kernel, &mut bytes_left, refusals);
        found.staged.retain(|one| {
            let words = words(subject, formulas, kernel);
            refused_in(
                refusals,
                subject,
                one.array,
                one.write(&words, &mut Written::default()),
            )
        });
    }
    let left = Subject {
        most_bytes: bytes_left,
        ..subject
    };
    let taken = found.taken();
    (found.chosen, found.tables) = plan::read_only(left, formulas, &taken, &mut localized.refusals);
    let sizes = &kernel.sizes;
    found.chosen.retain(|one| {
        let (alone, mut written) = (std::slice::from_ref(one), Written::default());
        let done = write::tiles(subject, formulas, sizes, alone, false, &mut written);
        refused_in(&mut localized.refusals, subject, one.tile.array, done)
    });
    // Guards that are taken apart for one may be in the way of another.
    let (ends, mut written) = (found.ends(kernel), Written::default());
    if let Err(reason) = write::tiles(subject, formulas, sizes, &found.chosen, ends, &mut written) {
        found.chosen.retain(|one| {
            let done = if one.is_guarded { Err(reason) } else { Ok(()) };
            refused_in(&mut localized.refusals, subject, one.tile.array, done)
        });
    }
    found
}

fn words<'a>(subject: Subject<'a>, formulas: &'a Formulas, kernel: &Kernel) -> Words<'a> {
    Words {
        subject,
        formulas,
        sizes: kernel.sizes.clone(),
        strips: Vec::new(),
    }
}

/// Whether it is done; else it is said why not.
fn refused_in(
    refusals: &mut Vec<Refusal>,
    subject: Subject<'_>,
    array: usize,
    done: Result<(), Reason>,
) -> bool {
    let Err(reason) = done else {
        return true;
    };
    let of = &subject.accesses.arrays[array];
    let mut accesses = subject.accesses.accesses.iter();
    let own = accesses.find(|it| it.array == Some(array));
    let place = own.map_or(&of.span.begin, |it| &it.span.begin);
    refusals.push(Refusal {
        array: Some(of.name.clone()),
        reason,
        place: place.clone(),
    });
    false
}

impl Found {
    fn is_empty(&self) -> bool {
        self.taken().is_empty() && self.chosen.is_empty() && self.tables.is_empty()
    }

    /// Arrays that are not only read.
    fn taken(&self) -> Vec<usize> {
        let columns = self.columns.iter().map(|one| one.array);
        let owned = self.owned.iter().map(|one| one.array);
        let privatised = self.privatised.iter().map(|one| one.array);
        let staged = self.staged.iter().map(|one| one.array);
        let own = columns.chain(owned);
        own.chain(privatised).chain(staged).collect()
    }

    /// Whether a barrier comes to the kernel's end, where some may have left before.
    fn ends(&self, kernel: &Kernel) -> bool {
        kernel.returns && !(self.privatised.is_empty() && self.staged.is_empty())
    }

    fn write(
        &self,
        subject: Subject<'_>,
        formulas: &Formulas,
        kernel: &Kernel,
        written: &mut Written,
    ) -> Result<(), Reason> {
        let words = words(subject, formulas, kernel);
        columns_of(&words, &self.columns, written)?;
        parts(&words, &self.owned, written)?;
        for one in &self.tables {
            one.write(&words, written)?;
        }
        for one in &self.privatised {
            one.write(&words, written)?;
        }
        for one in &self.staged {
            one.write(&words, written)?;
        }
        let ends = self.ends(kernel);
        write::tiles(
            subject,
            formulas,
            &kernel.sizes,
            &self.chosen,
            ends,
            written,
        )
    }
}

/// Whether the words of OpenCL C in a text mean nothing else in this source.
fn is_plain(subject: Subject<'_>, text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let mut words = words.filter(|word| {
        word.starts_with("get_")
            || word.starts_with("atomic_")
            || ["barrier", "bool", "min", "max", "size_t"].contains(word)
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

/// Writes down the columns that work-items own.
fn columns_of(words: &Words<'_>, columns: &[Columns], written: &mut Written) -> Result<(), Reason> {
    for one in columns {
        one.write(words, written)?;
        let parameter = words.formulas.all.arrays[one.array].parameter;
        if let Some(parameter) = parameter.filter(|_| one.is_dropped()) {
            written.edits.push(words.subject.drop_parameter(parameter)?);
        }
    }
    Ok(())
}

/// Writes down the parts that work-groups own.
fn parts(words: &Words<'_>, owned: &[Owned], written: &mut Written) -> Result<(), Reason> {
    for one in owned {
        one.write(words, written)?;
        let parameter = words.formulas.all.arrays[one.array].parameter;
        if let Some(parameter) = parameter.filter(|_| one.is_dropped()) {
            written.edits.push(words.subject.drop_parameter(parameter)?);
        }
    }
    match owned.is_empty() {
        true => Ok(()),
        false => owned::fences(words.subject, owned, written),
    }
}
