//! Local memory, written for existing OpenCL C: which arrays of a kernel go there, and the edits of the author's own
//! text. It stands on [`crate::accesses`]; docs/localize.md says how.
//!
//! Whatever is not proved is refused. A tile is a box of an array that a work-group fills between two barriers: the
//! hull of all its references. Algebra finds it for all sizes at once, and then every point is visited at every size.
//!
//! An array's way to local memory goes downhill: [`find_arrays`] proves it and renders its text, in which nothing but
//! new names is open, and [`PlacedArrays::write`] puts all texts together.

mod columns;
mod formulas;
mod hoist;
mod inline;
mod kernel;
mod local_array;
mod part;
mod placement;
mod privatised;
mod refusal;
mod reverse_loops;
mod specialise;
mod staged;
mod subject;
mod syntax;
mod table;
mod text;
mod tile;
mod wraparound;

pub use inline::inline_calls;
pub use kernel::required_group_size;
pub use local_array::{LocalArray, Mechanism};
pub use refusal::{Reason, Refusal};
pub use reverse_loops::reverse_loops;
pub use subject::{ArgumentFactor, Buffer, KernelLaunch, LengthFormula, Rule, Subject, TileForm};
pub use syntax::{is_name, words};
pub use text::{Edit, apply_edits};

// The words that all rooms use.
use self::{
    formulas::{Formulas, LaunchValue, LaunchValues, MOST_FORMULA_DEPTH, Scope, Split, Strip},
    kernel::Kernel,
    placement::{
        ArraySearch, ArrayUse, Contents, LEAST_FAR_STRIDE, Memory, NAME, PLACE, Placement, Proved,
        accesses_of_group,
    },
    refusal::{ReasonAt, refuse_if},
    syntax::{
        ForLoop, behind_word, counted, exprs, has_word, line_start, mentions, places_of, stmts,
        subexprs,
    },
    table::Table,
    text::{ItemLoop, Renderer, Rewrite, local_declaration, nested, occurrences, sum_text},
    tile::prove::ProvedTile,
};
use crate::ast::Space;

/// The result of rewriting a kernel.
#[derive(Clone, Debug, Default)]
pub struct Localized {
    /// Arrays in local memory; empty where nothing is rewritten.
    pub placed: Vec<LocalArray>,
    /// Changes of the source.
    pub edits: Vec<Edit>,
    /// Parameters that the rewritten kernel no longer has.
    pub dropped_parameters: Vec<usize>,
    /// Local memory that it takes as arguments, behind its last.
    pub local_arguments: Vec<LocalArgument>,
    /// Arrays that stay in global memory, and why.
    pub refusals: Vec<Refusal>,
    /// Conditions that a launch must meet for local memory to be used, as `width == 64`: others run as the author wrote
    /// it.
    pub only_for: Vec<String>,
}

/// Local memory that a kernel takes as an argument, whose length a launch decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalArgument {
    /// Its name.
    pub name: String,
    /// The parameter whose buffer has elements of the same type.
    pub like: usize,
    /// Bytes of an element.
    pub element_bytes: u64,
    /// Number of its elements.
    pub length: Length,
    /// Its declaration in the kernel's head.
    declaration: String,
}

/// Number of elements of local memory that is an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Length {
    /// The number of elements of the buffer of [`LocalArgument::like`].
    Buffer,
    /// The sum of these numbers, each times the values that the launch gives these parameters.
    Sum(Vec<(i64, Vec<usize>)>),
}

/// Rewrites a kernel as far as it is proved to be the same.
pub fn localize(subject: Subject<'_>) -> Localized {
    let general = localize_for(subject, &LaunchValues::new());
    match subject.rule {
        Rule::Shared => specialise::specialise(subject, general),
        Rule::Paper => general,
    }
}

/// Rewrites a kernel for launches that have these values alone.
fn localize_for(subject: Subject<'_>, values: &LaunchValues) -> Localized {
    let mut localized = Localized::default();
    let refusals = &mut localized.refusals;
    let kernel = match Kernel::new(subject) {
        Ok(kernel) => kernel,
        Err(refusal) => {
            refusals.push(refusal);
            return localized;
        }
    };
    let subject = Subject {
        most_bytes: subject.most_bytes.saturating_sub(own_local_bytes(subject)),
        ..subject
    };
    let mut formulas = Formulas::new(subject.accesses, kernel.local, values);
    formulas.wraps = wraparound::compares(subject);
    let mut placed = find_arrays(subject, &mut formulas, &kernel, refusals);
    let mut rewrite = Rewrite::default();
    let text = placed.write(subject, &formulas, &kernel, refusals, &mut rewrite);
    if placed.is_empty() {
        return localized;
    }
    let finished = text.and_then(|()| finish(subject, &formulas, &kernel, values, &mut rewrite));
    if let Err(reason) = finished {
        refusals.push(kernel.refusal(reason));
        return localized;
    }
    let dropped = placed
        .placements
        .iter()
        .filter_map(|it| it.dropped.as_ref());
    localized.dropped_parameters = dropped.map(|(parameter, _)| *parameter).collect();
    localized.placed = placed.summaries(&formulas);
    localized.local_arguments = rewrite.local_arguments;
    localized.only_for = rewrite.only_for;
    localized.edits = rewrite.edits;
    localized
}

/// Arrays that go to local memory.
#[derive(Default)]
struct PlacedArrays {
    placements: Vec<Placement>,
    fences: Vec<Edit>,
    tables: Vec<Table>,
    tiles: Vec<ProvedTile>,
}

/// Finds arrays that may go to local memory: first those that a work-item or a work-group has to itself, then those
/// that atomics and stores go to, then those that are only read.
fn find_arrays(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    kernel: &Kernel,
    refusals: &mut Vec<Refusal>,
) -> PlacedArrays {
    let mut search = ArraySearch {
        subject,
        kernel,
        bytes_left: subject.most_bytes,
        refusals,
        placements: Vec::new(),
        fences: Vec::new(),
    };
    let is_shared = subject.rule == Rule::Shared;
    if is_shared {
        if !kernel.varies() {
            search.by_array(formulas, columns::find);
        }
        part::find(&mut search, formulas);
    }
    let (mut tiles, mut tables) = (Vec::new(), Vec::new());
    if kernel.varies() {
        let refusal = kernel.refusal(Reason::GroupSizeVaries);
        search.refusals.push(refusal);
    } else {
        if is_shared {
            search.by_array(formulas, privatised::find);
            search.by_array(formulas, staged::find);
        }
        let subject = Subject {
            most_bytes: search.bytes_left,
            ..subject
        };
        let placed_arrays = search.placed_arrays();
        (tiles, tables) = tile::plan::read_only(subject, formulas, &placed_arrays, search.refusals);
    }
    PlacedArrays {
        placements: search.placements,
        fences: search.fences,
        tables,
        tiles,
    }
}

impl PlacedArrays {
    fn is_empty(&self) -> bool {
        self.placements.is_empty() && self.tiles.is_empty() && self.tables.is_empty()
    }

    fn summaries(&self, formulas: &Formulas) -> Vec<LocalArray> {
        let placements = self.placements.iter().map(|it| it.summary.clone());
        let tiles = self.tiles.iter();
        let tiles = tiles.map(|it| it.summary(formulas));
        let tables = self.tables.iter();
        let tables = tables.map(|it| it.summary(formulas));
        placements.chain(tiles).chain(tables).collect()
    }

    /// Writes all texts into one rewrite. Tiles that have no text are refused here.
    ///
    /// # Errors
    /// A table has no text, or some work-items may not come to a barrier.
    fn write(
        &mut self,
        subject: Subject<'_>,
        formulas: &Formulas,
        kernel: &Kernel,
        refusals: &mut Vec<Refusal>,
        rewrite: &mut Rewrite,
    ) -> Result<(), Reason> {
        let renderer = kernel.renderer(subject, formulas);
        let is_own =
            |it: &&Placement| matches!(it.summary.mechanism, Mechanism::Columns | Mechanism::Part);
        let (own, others): (Vec<_>, Vec<_>) = self.placements.iter().partition(is_own);
        for placement in own {
            placement.write(subject, rewrite);
        }
        for Edit { range, text } in &self.fences {
            rewrite.replace(range.clone(), text.as_str());
        }
        let mut tables = self.tables.iter();
        let tables = tables.try_for_each(|table| {
            table.render(&renderer)?.write(subject, rewrite);
            Ok(())
        });
        // Where some may have left before, all must come to the barrier at the kernel's end.
        let ends = kernel.returns && !others.is_empty();
        for placement in others {
            placement.write(subject, rewrite);
        }
        let refuse = |array, reason| refusals.push(subject.refusal(array, (reason, None)));
        let tiles = tile::write::write(&renderer, &mut self.tiles, ends, rewrite, refuse);
        tables.and(tiles)
    }
}

/// Adds what the kernel as a whole needs beside the arrays' texts.
///
/// # Errors
/// A name means something else, or texts overlap.
fn finish(
    subject: Subject<'_>,
    formulas: &Formulas,
    kernel: &Kernel,
    values: &LaunchValues,
    rewrite: &mut Rewrite,
) -> Result<(), Reason> {
    kernel.add_arguments(subject, rewrite)?;
    let renderer = kernel.renderer(subject, formulas);
    specialise::keep_for_others(subject, &renderer, values, rewrite)?;
    kernel.finish(subject, rewrite);
    let are_plain = rewrite.edits.iter().all(|it| is_plain(subject, &it.text));
    refuse_if(!are_plain, Reason::Name)?;
    let edited = apply_edits(subject.source, &rewrite.edits);
    refuse_if(edited.is_none(), Reason::Text)
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
fn own_local_bytes(subject: Subject<'_>) -> u64 {
    let arrays = subject.accesses.arrays.iter();
    let local = arrays.filter(|array| array.space == Space::Local);
    local.fold(0, |bytes, array| {
        let elements = array.lengths.iter().product();
        bytes.saturating_add(array.element_bytes.saturating_mul(elements))
    })
}
