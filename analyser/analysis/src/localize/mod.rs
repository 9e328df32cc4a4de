//! Local memory, written for existing OpenCL C: which arrays of a kernel go there, and the edits of the author's own
//! text. It stands on [`crate::accesses`]; docs/localize.md says how.
//!
//! Whatever is not proved is refused. A tile is a box of an array that a work-group fills between two barriers: the
//! hull of all its references, found by algebra of no size at all, and gone through point by point at every size.

mod bounds;
mod columns;
mod edge;
mod edit;
mod fill;
mod for_loop;
mod formula;
mod hoist;
mod in_place;
mod kernel;
mod named;
mod owned;
mod passes;
mod placed;
mod placement;
mod plan;
mod privatised;
mod prove;
mod reference;
mod refusal;
mod special;
mod spelling;
mod staged;
mod steady;
mod strip;
mod subject;
mod table;
mod tile;
mod upwards;
mod values;
mod words;
mod wrap;
mod write;
mod written;

pub use edit::{Edit, edited};
pub use in_place::in_place;
pub use kernel::required;
pub use placed::{Mechanism, Placed};
pub use refusal::{Reason, Refusal};
pub use spelling::{is_name, words};
pub use subject::{At, Buffer, Counted, Form, Rule, Subject};
pub use upwards::upwards;

use self::{
    formula::Formulas,
    kernel::Kernel,
    placement::{Placement, Search},
    prove::Chosen,
    table::Table,
    values::Values,
    written::Written,
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
    /// What stays where it is, and why.
    pub refusals: Vec<Refusal>,
    /// What must hold of a launch for local memory to be used, as `width == 64`: others run as the author has it.
    pub only_for: Vec<String>,
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
    let general = localized_for(subject, &Values::new());
    match subject.rule {
        Rule::Shared => special::special(subject, general),
        Rule::Paper => general,
    }
}

/// The same, for launches that have these values alone.
fn localized_for(subject: Subject<'_>, values: &Values) -> Localized {
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
    let mut formulas = Formulas::new(subject.accesses, kernel.local, values);
    formulas.wraps = wrap::compares(subject);
    let found = found(subject, &mut formulas, &kernel, &mut localized.refusals);
    if found.is_empty() {
        return localized;
    }
    let mut written = Written::default();
    let done = found
        .write(subject, &formulas, &kernel, &mut written)
        .and_then(|()| {
            privatised::parameters(subject, &mut written)?;
            special::others(
                subject,
                &kernel.words(subject, &formulas),
                values,
                &mut written,
            )?;
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
    let dropped = found.changed.iter().filter(|one| one.is_dropped());
    localized.dropped = dropped
        .filter_map(|one| formulas.all.arrays[one.what().0].parameter)
        .collect();
    localized.added = written.added;
    localized.only_for = written.only_for;
    localized.edits = written.edits;
    localized
}

/// What goes to local memory.
#[derive(Default)]
struct Found {
    /// Arrays that are not only read.
    changed: Vec<Box<dyn Placement>>,
    tables: Vec<Table>,
    chosen: Vec<Chosen>,
}

/// What is proved, and has a text by itself: what has none leaves the others.
fn found(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    kernel: &Kernel,
    refusals: &mut Vec<Refusal>,
) -> Found {
    let mut search = Search {
        subject,
        kernel,
        bytes_left: subject.most_bytes,
        refusals,
        found: Vec::new(),
    };
    let is_shared = subject.rule == Rule::Shared;
    if is_shared {
        if !kernel.varies() {
            search.by_array(formulas, columns::find);
        }
        owned::find(&mut search, formulas);
    }
    if kernel.varies() {
        search
            .refusals
            .push(kernel.refused(Reason::GroupSizeVaries));
        return Found {
            changed: search.found,
            ..Found::default()
        };
    }
    if is_shared {
        search.by_array(formulas, privatised::find);
        search.by_array(formulas, staged::find);
    }
    let left = Subject {
        most_bytes: search.bytes_left,
        ..subject
    };
    let (mut chosen, tables) = plan::read_only(left, formulas, &search.taken(), search.refusals);
    let sizes = &kernel.sizes;
    chosen.retain(|one| {
        let (alone, mut written) = (std::slice::from_ref(one), Written::default());
        let done = write::tiles(subject, formulas, sizes, alone, false, &mut written);
        search.is_done(one.tile.array, done)
    });
    // Guards that are taken apart for one may be in the way of another.
    let (ends, mut written) = (ends(&search.found, kernel), Written::default());
    if let Err(reason) = write::tiles(subject, formulas, sizes, &chosen, ends, &mut written) {
        chosen.retain(|one| {
            let done = if one.is_guarded { Err(reason) } else { Ok(()) };
            search.is_done(one.tile.array, done)
        });
    }
    Found {
        changed: search.found,
        tables,
        chosen,
    }
}

/// Whether a barrier comes to the kernel's end, where some may have left before.
fn ends(changed: &[Box<dyn Placement>], kernel: &Kernel) -> bool {
    kernel.returns && !changed.iter().all(|one| is_own(&**one))
}

/// Whether it is what a work-item or a work-group has to itself.
fn is_own(one: &dyn Placement) -> bool {
    matches!(one.what().1, Mechanism::Columns | Mechanism::Part)
}

impl Found {
    fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.chosen.is_empty() && self.tables.is_empty()
    }

    fn placed(&self, formulas: &Formulas) -> Vec<Placed> {
        let changed = self.changed.iter().map(|one| one.placed(formulas));
        let chosen = self.chosen.iter().map(|one| one.placed(formulas));
        let tables = self.tables.iter();
        let tables = tables.map(|one| (one as &dyn Placement).placed(formulas));
        changed.chain(chosen).chain(tables).collect()
    }

    fn write(
        &self,
        subject: Subject<'_>,
        formulas: &Formulas,
        kernel: &Kernel,
        written: &mut Written,
    ) -> Result<(), Reason> {
        let words = kernel.words(subject, formulas);
        let (own, others): (Vec<_>, Vec<_>) = self.changed.iter().partition(|one| is_own(&***one));
        for one in own {
            one.replace(&words, written)?;
        }
        let parts = self.changed.iter();
        let parts = parts.filter(|one| one.what().1 == Mechanism::Part);
        let parts: Vec<usize> = parts.map(|one| one.what().0).collect();
        owned::fences(subject, &parts, written)?;
        for one in &self.tables {
            one.write(&words, written)?;
        }
        for one in others {
            one.replace(&words, written)?;
        }
        let ends = ends(&self.changed, kernel);
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
    let mut words = words(text).filter(|word| {
        word.starts_with("get_")
            || word.starts_with("atomic_")
            || ["barrier", "bool", "min", "max", "size_t"].contains(word)
    });
    let unit = subject.unit;
    words.all(|word| {
        let is_variable = unit.variables.iter().any(|it| &*it.name == word);
        let is_function = unit.function(word).is_some();
        !is_variable && !is_function && !subject.is_macro(word)
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
