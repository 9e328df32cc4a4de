//! Columns: arrays in which a work-item has an element of each row to itself, whichever row data say. They go to local
//! memory without a barrier; a row there is as long as the work-group.

mod index;
mod write;

use std::{collections::BTreeSet, ops::Range};

use self::index::{Class, Leaf, Pointers};
use crate::{
    accesses::{Access, Atom, AtomId, Does, Id, Polynomial},
    ast::{ExprKind, Kind, Unary, VariableId},
    localize::{
        ArrayUse, Contents, Formulas, KernelLaunch, Reason, ReasonAt, Subject, accesses_of_group,
        exprs, part::pointers::memory, refuse_if,
    },
};

/// The most rows beyond an argument's value, or below it.
const MOST_ROWS_MORE: i64 = 8;

/// The columns of an array that belong to a work-group.
pub(super) struct Columns {
    array: usize,
    rows: Rows,
    /// Number of rows, at the size that has most.
    most_rows: i64,
    /// Bytes of the columns, at the size that takes most.
    bytes: u64,
    contents: Contents,
    text: ColumnText,
}

/// The texts that are rewritten.
struct ColumnText {
    /// Words that are rewritten: names, row lengths and columns.
    leaves: Vec<(Range<usize>, Leaf)>,
    /// The ranges of `__global` in declarations of pointers into the array.
    pointers: Vec<Range<usize>>,
}

/// Number of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rows {
    /// The same number at every size.
    Fixed(i64),
    /// The value of this argument and this number.
    ArgumentPlus(usize, i64),
}

/// The array as columns. An array of another form is not refused: another mechanism may have it.
pub(super) fn find(
    array_use: &ArrayUse<'_>,
    formulas: &mut Formulas,
) -> Option<Result<Vec<Columns>, ReasonAt>> {
    are_columns(array_use, formulas).ok()?;
    let text = column_text(array_use).ok()?;
    let columns = columns(array_use, formulas, text).transpose()?;
    Some(columns.map(|it| vec![it]).map_err(|reason| (reason, None)))
}

/// Checks by algebra that each access is to the work-item's own column.
///
/// # Errors
/// An access is not, or somebody else may access the array.
fn are_columns(array_use: &ArrayUse<'_>, formulas: &mut Formulas) -> Result<(), Reason> {
    let (subject, element_bytes) = (array_use.subject, array_use.argument.element_bytes);
    let all = subject.accesses;
    let is_line = |it: &KernelLaunch| matches!(it.geometry.global, [_, 1, 1]);
    if !subject.launches.iter().all(is_line)
        || all.accesses.iter().any(|it| it.array.is_none())
        || subject.shares_buffer(array_use.parameter)
        || subject.is_volatile(array_use.array)
    {
        return Err(Reason::Shape);
    }
    for access in &array_use.accesses {
        let is_whole = access.bytes == element_bytes && access.within == 0;
        let is_plain = access.also.is_empty() && access.calls.is_empty();
        if !is_whole || !is_plain || access.does == Does::Atomic {
            return Err(Reason::Shape);
        }
        is_column(subject, formulas, access, element_bytes)?;
    }
    Ok(())
}

/// Finds the words of the text that are rewritten. Each index must have a row and the work-item's own column as such.
///
/// # Errors
/// An index has another form.
fn column_text(array_use: &ArrayUse<'_>) -> Result<ColumnText, Reason> {
    let (subject, argument) = (array_use.subject, array_use.argument);
    let pointers = subject.accesses.pointers.iter();
    let mut variables: BTreeSet<VariableId> = BTreeSet::new();
    for pointing in pointers.filter(|it| it.arrays.contains(&array_use.array)) {
        if !pointing.is_own || pointing.arrays.len() != 1 {
            return Err(Reason::SeveralArrays);
        }
        variables.insert(pointing.variable);
    }
    if !subject.is_fixed(argument.variable) || !variables.iter().all(|id| subject.is_fixed(*id)) {
        return Err(Reason::Name);
    }
    let mut pointers = Pointers {
        subject,
        element: argument.element.clone(),
        classes: [(argument.variable, Class::Rows)].into(),
    };
    let (mut leaves, mut declared) = (Vec::new(), Vec::new());
    for id in &variables {
        let variable = &subject.unit.variables[*id];
        let initial = variable.initial.as_ref().ok_or(Reason::Text)?;
        let (class, own) = pointers.value(initial)?;
        leaves.extend(own);
        declared.push(memory(subject, variable)?);
        pointers.classes.insert(*id, class);
    }
    // Each time that one of these is named it is accessed by an index, or sets another.
    let function = subject.function().ok_or(Reason::Text)?;
    let (mut names, mut indices, mut addresses) = (0, 0, 0);
    for expr in exprs(subject.unit, &function.body) {
        match &expr.kind {
            ExprKind::Variable(id) if pointers.classes.contains_key(id) => names += 1,
            ExprKind::Unary(Unary::Address, inner)
                if matches!(inner.kind, ExprKind::Index(..))
                    && pointers.indexed_variable(inner).is_some() =>
            {
                addresses += 1;
            }
            ExprKind::Index(..) if pointers.indexed_variable(expr).is_some() => {
                indices += 1;
                leaves.extend(pointers.place(expr)?);
            }
            _ => {}
        }
    }
    if names != indices + variables.len() || addresses > 0 {
        return Err(Reason::Text);
    }
    leaves.sort_by_key(|(range, _)| range.start);
    leaves.dedup();
    let body = subject.range(&function.body.span)?;
    let ranges: Vec<Range<usize>> = leaves.iter().map(|(range, _)| range.clone()).collect();
    if !subject.is_said_only_at(&body, &argument.name, &ranges) {
        return Err(Reason::Text);
    }
    Ok(ColumnText {
        leaves,
        pointers: declared,
    })
}

/// Whether the column of an access is the work-item's id, and all else in its index a number of rows.
fn is_column(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    access: &Access,
    element: u64,
) -> Result<(), Reason> {
    let size = i64::try_from(element).map_err(|_| Reason::Shape)?;
    let index = access.offset.divided(size).ok_or(Reason::UnknownIndex)?;
    let index = formulas.normal(&index).ok_or(Reason::Shape)?;
    let (mut by_group, mut by_item) = (0, 0);
    for (factors, number) in index.terms() {
        let atoms = factors.iter().map(|it| formulas.all.atoms.get(*it));
        let atoms: Vec<&Atom> = atoms.collect();
        match atoms.as_slice() {
            [Atom::Id(Id::Group, 0)] => by_group = number,
            [Atom::Id(Id::Local, 0)] => by_item = number,
            atoms if atoms.iter().any(|atom| is_row_length(subject, atom)) => {}
            _ => return Err(Reason::Shape),
        }
    }
    refuse_if((by_group, by_item) != (formulas.local[0], 1), Reason::Shape)
}

/// Whether an atom is the launch's number of work-items, at every size.
fn is_row_length(subject: Subject<'_>, atom: &Atom) -> bool {
    match atom {
        Atom::Id(Id::GlobalSize, 0) => true,
        Atom::Scalar(_, 0, bytes, _) if *bytes >= 4 => {
            let mut launches = subject.launches.iter();
            launches.all(|it| it.geometry.launch_constant(atom) == Some(it.geometry.global[0]))
        }
        _ => false,
    }
}

/// The columns; none where they are not worth it.
///
/// # Errors
/// There is no room, or the number of rows is not known.
fn columns(
    array_use: &ArrayUse<'_>,
    formulas: &Formulas,
    text: ColumnText,
) -> Result<Option<Columns>, Reason> {
    let (subject, parameter) = (array_use.subject, array_use.parameter);
    let mut rows = Vec::new();
    for launch in subject.launches {
        let buffer = launch.buffer(parameter);
        let elements = buffer.ok_or(Reason::BeyondBuffer)?.elements;
        let elements = i64::try_from(elements).map_err(|_| Reason::TooLarge)?;
        let [columns, ..] = launch.geometry.global;
        // Whoever is in the buffer is in a row then.
        refuse_if(columns < 1 || elements % columns != 0, Reason::BeyondBuffer)?;
        rows.push(elements / columns);
    }
    let smallest = *rows.first().ok_or(Reason::SizeDepends)?;
    let most_rows = rows.iter().copied().max().unwrap_or_default();
    let mut contents = Contents::new(subject, parameter);
    let is_stored = array_use.accesses.iter().any(|it| it.does == Does::Store);
    contents.is_output &= is_stored;
    // Nobody knows what it would read.
    let is_unknown = !contents.is_filled && !is_stored;
    if is_unknown || !is_worth_it(array_use, formulas, smallest, contents) {
        return Ok(None);
    }
    let rows = row_count(subject, &rows)?;
    if matches!(rows, Rows::ArgumentPlus(..)) && !subject.is_single_launch {
        return Err(Reason::SizeDepends);
    }
    refuse_if(
        contents.is_output && array_use.kernel.returns,
        Reason::Returns,
    )?;
    let elements = most_rows
        .checked_mul(formulas.local[0])
        .ok_or(Reason::TooLarge)?;
    let bytes = elements
        .unsigned_abs()
        .saturating_mul(array_use.argument.element_bytes);
    refuse_if(bytes > array_use.bytes_left, Reason::TooLarge)?;
    Ok(Some(Columns {
        array: array_use.array,
        rows,
        most_rows,
        bytes,
        contents,
        text,
    }))
}

/// Whether the array is read, and accessed at least twice as often as it is copied in and back. If it is only read,
/// data must decide where: known rows are read side by side by neighbours anyway.
fn is_worth_it(
    array_use: &ArrayUse<'_>,
    formulas: &Formulas,
    rows: i64,
    contents: Contents,
) -> bool {
    let own = &array_use.accesses;
    let has = |does: Does| own.iter().any(|it| it.does == does);
    let is_by_data = own.iter().any(|it| {
        let atoms = it.offset.atoms();
        atoms.iter().any(|atom| depends_on_data(formulas, *atom))
    });
    let is_of_use = has(Does::Load) && (has(Does::Store) || is_by_data);
    let each = own.iter().map(|access| {
        let is_endless = |loop_index: &&usize| formulas.all.loops[**loop_index].trips.is_none();
        // A loop that nobody knows runs twice at least.
        let unknown = access.loops.iter().filter(is_endless).count();
        accesses_of_group(array_use.subject, formulas, access)
            .saturating_mul(1 + unknown.min(1) as u64)
    });
    let accesses = each.fold(0, u64::saturating_add);
    let elements = rows.saturating_mul(formulas.local[0]).unsigned_abs();
    let moves = u64::from(contents.is_filled) + u64::from(contents.is_output);
    is_of_use && rows > 1 && accesses >= elements.saturating_mul(2 * moves.max(1))
}

fn depends_on_data(formulas: &Formulas, atom: AtomId) -> bool {
    match formulas.all.atoms.get(atom) {
        Atom::Loaded(..) | Atom::Carried(_) | Atom::Computed(_) => true,
        Atom::Operation(_, operands) => {
            let mut atoms = operands.iter().flat_map(Polynomial::atoms);
            atoms.any(|it| depends_on_data(formulas, it))
        }
        _ => false,
    }
}

/// The number of rows, from the numbers at each size.
fn row_count(subject: Subject<'_>, rows: &[i64]) -> Result<Rows, Reason> {
    if rows.windows(2).all(|pair| pair[0] == pair[1]) {
        return Ok(Rows::Fixed(rows[0]));
    }
    let function = subject.function().ok_or(Reason::SizeDepends)?;
    let mut by_argument: Vec<(usize, i64)> = Vec::new();
    for (parameter, id) in function.parameters.iter().enumerate() {
        let Some(scalar) = subject.unit.variables[*id].ty.scalar() else {
            continue;
        };
        if !scalar.is_wide_whole() {
            continue;
        }
        let number = Atom::Scalar(parameter, 0, scalar.bytes, scalar.kind == Kind::Signed);
        let more = subject.launches.iter().zip(rows).map(|(launch, rows)| {
            let number = launch.geometry.launch_constant(&number)?;
            Some(rows - number)
        });
        let more: Option<BTreeSet<i64>> = more.collect();
        let more: Vec<i64> = more.unwrap_or_default().into_iter().collect();
        if let [more] = more.as_slice()
            && more.abs() <= MOST_ROWS_MORE
        {
            by_argument.push((parameter, *more));
        }
    }
    by_argument.sort_by_key(|(_, more)| more.abs());
    let (parameter, more) = by_argument.first().ok_or(Reason::SizeDepends)?;
    Ok(Rows::ArgumentPlus(*parameter, *more))
}
