//! Tables: arrays that are read at any index, and small enough to be copied as a whole.

use std::{collections::BTreeMap, ops::Range};

use super::{
    Edit, Formulas, ItemLoop, LocalArray, Mechanism, Memory, NAME, PLACE, Placement, Reason,
    Renderer, Subject, accesses_of_group, occurrences, refuse_if,
};
use crate::accesses::{Access, Does};

/// A whole array in local memory.
pub(super) struct Table {
    pub(super) array: usize,
    elements: u64,
    pub(super) bytes: u64,
    /// Reads of a work-group at the smallest size.
    reads: u64,
    /// Places of the accesses that it serves.
    pub(super) served: Vec<usize>,
    /// The ranges of the array's name in their text.
    names: Vec<Range<usize>>,
}

/// The array as a table, for accesses that no tile serves, with the reasons for that.
///
/// # Errors
/// The array is no table: it has another length at another size, it is too large, or it is not read often enough.
pub(super) fn table(
    subject: Subject<'_>,
    formulas: &Formulas,
    array: usize,
    unserved: &BTreeMap<usize, Reason>,
    bytes_left: u64,
) -> Result<Table, Reason> {
    let argument = &formulas.all.arrays[array];
    let parameter = argument.parameter.ok_or(Reason::Written)?;
    let launches = subject.launches.iter();
    let lengths = launches.map(|at| Some(at.buffer(parameter)?.elements));
    let mut lengths: Vec<Option<u64>> = lengths.collect();
    lengths.dedup();
    let [Some(elements)] = lengths.as_slice() else {
        return Err(Reason::SizeDepends);
    };
    let bytes = elements.saturating_mul(argument.element_bytes);
    let is_large = bytes > bytes_left || elements > &(i32::MAX as u64);
    refuse_if(is_large, Reason::TooLarge)?;
    let (mut served, mut names) = (Vec::new(), Vec::new());
    for (index, reason) in unserved {
        let by_any = [
            Reason::DataDependent,
            Reason::UnknownIndex,
            Reason::Shape,
            Reason::SizeDepends,
        ];
        let access = &subject.accesses.accesses[*index];
        if by_any.contains(reason)
            && is_load(subject, access)
            && let Some(name) = name(subject, access, &argument.name)
        {
            served.push(*index);
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    // A macro makes the accesses: the name stands where the macro is given it.
    let all = &subject.accesses.accesses;
    if names.is_empty()
        && unserved.values().all(|reason| *reason == Reason::InMacro)
        && all.iter().filter(|it| it.touches(array)).count() == unserved.len()
        && unserved.keys().all(|it| is_load(subject, &all[*it]))
    {
        names = occurrences::indexed(subject, array)?;
        served = unserved.keys().copied().collect();
    }
    let reads = served
        .iter()
        .map(|it| accesses_of_group(subject, formulas, &all[*it]));
    let reads = reads.fold(0, u64::saturating_add);
    refuse_if(names.is_empty(), Reason::DataDependent)?;
    refuse_if(reads < 2 * elements || *elements < 2, Reason::FillCosts)?;
    Ok(Table {
        array,
        elements: *elements,
        bytes,
        reads,
        served,
        names,
    })
}

/// Whether an access reads the array by its name, in the kernel itself.
fn is_load(subject: Subject<'_>, access: &Access) -> bool {
    access.does == Does::Load
        && access.also.is_empty()
        && access.calls.is_empty()
        && subject.is_named(access)
}

/// The array's name at the beginning of an access's text.
fn name(subject: Subject<'_>, access: &Access, name: &str) -> Option<Range<usize>> {
    if access.span.spelled.is_some() {
        return None;
    }
    let range = subject.tokens(&access.span).ok()?;
    let rest = subject.text(&range).strip_prefix(name)?;
    rest.trim_start()
        .starts_with('[')
        .then(|| range.start..range.start + name.len())
}

impl Table {
    pub(super) fn summary(&self, formulas: &Formulas) -> LocalArray {
        let argument = &formulas.all.arrays[self.array];
        LocalArray {
            extents: vec![i64::try_from(self.elements).unwrap_or(i64::MAX)],
            reads: Some(self.reads),
            fills: Some(self.elements),
            ..LocalArray::new(argument, Mechanism::Table, self.bytes)
        }
    }

    /// Renders the table, and the loop that fills it.
    ///
    /// # Errors
    /// The element's type has no text here.
    pub(super) fn render(&self, renderer: &Renderer<'_>) -> Result<Placement, Reason> {
        let array = &renderer.formulas.all.arrays[self.array].name;
        let summary = self.summary(renderer.formulas);
        let head = ItemLoop::new(renderer).head(PLACE, &self.elements.to_string());
        let names = self.names.iter();
        Ok(Placement {
            array: self.array,
            dropped: None,
            name: format!("{array}_table"),
            element: renderer.element(self.array)?,
            memory: Memory::Declared(summary.extents.clone(), false),
            summary,
            edits: names.map(|it| Edit::replace(it.clone(), NAME)).collect(),
            prologue: vec![head, format!("    {NAME}[{PLACE}] = {array}[{PLACE}];")],
            epilogue: Vec::new(),
        })
    }
}
