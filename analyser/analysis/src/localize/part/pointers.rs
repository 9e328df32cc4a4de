//! Pointers into parts: their values, and the word for their memory in declarations.

use std::{collections::BTreeSet, ops::Range};

use super::{PartLength, PartSearch};
use crate::{
    accesses::{Pointing, Polynomial},
    ast::{Expr, ExprKind, Type, Unary, Variable},
    localize::{Formulas, Reason, Split, Subject, exprs, has_word, is_name, refuse_if},
};

/// A pointer into a part, where it is set.
pub(super) struct Pointer {
    /// The range of the value that it is set to.
    pub(super) value: Range<usize>,
    /// The place in the array, if the value has the array's name.
    pub(super) at: Option<Polynomial>,
    /// The range of `__global` in its declaration.
    pub(super) space: Range<usize>,
}

impl Pointer {
    /// The pointer, if it is set into the part that begins at the work-group's `shared` offset. (What is added to such
    /// a pointer is the same in local memory.)
    ///
    /// # Errors
    /// The pointer is set to something else.
    pub(super) fn new(
        search: PartSearch<'_>,
        formulas: &mut Formulas,
        length: PartLength,
        pointing: &Pointing,
        shared: &Polynomial,
    ) -> Result<Self, Reason> {
        if !pointing.arrays.is_subset(search.group) {
            return Err(Reason::SeveralArrays);
        }
        refuse_if(!pointing.is_own, Reason::InFunction)?;
        let subject = search.subject;
        let argument = &subject.accesses.arrays[search.array];
        let value = subject.range(&pointing.span)?;
        let variable = &subject.unit.variables[pointing.variable];
        let Type::Pointer(_, pointee) = &variable.ty else {
            return Err(Reason::Text);
        };
        refuse_if(**pointee != argument.element, Reason::Shape)?;
        let nest: Vec<usize> = (0..formulas.all.loops.len()).collect();
        let splits = length.splits(formulas, &pointing.offset, argument.element_bytes, &nest)?;
        if splits.iter().any(|split| split.uniform != *shared) {
            return Err(Reason::PartsOverlap);
        }
        let at = if has_word(subject.text(&value), &argument.name) {
            let ([split], 1) = (splits.as_slice(), pointing.arrays.len()) else {
                return Err(Reason::SeveralArrays);
            };
            Some(split.within())
        } else {
            None
        };
        let space = memory(subject, variable)?;
        Ok(Self { value, at, space })
    }
}

/// The range of `__global` in a pointer's declaration.
pub(in crate::localize) fn memory(
    subject: Subject<'_>,
    variable: &Variable,
) -> Result<Range<usize>, Reason> {
    let begin = subject.tokens(&variable.span)?.start;
    let variables = subject.unit.variables.iter();
    let is_declared_there = |it: &&Variable| it.span.begin == variable.span.begin;
    if variables.filter(is_declared_there).count() > 1 {
        return Err(Reason::Text);
    }
    // The space stands before the type, and nothing else does: a type's name may hide it.
    let declared = subject.source.get(begin..).ok_or(Reason::Text)?;
    let end = declared.find('*').ok_or(Reason::Text)?;
    if !declared[..end].split_whitespace().all(is_name) {
        return Err(Reason::Text);
    }
    let space = ["__global", "global"].iter().find_map(|word| {
        let at = begin + declared[..end].find(word)?;
        Some(at..at + word.len())
    });
    space.ok_or(Reason::Text)
}

/// Whether there are pointers into the group, all of them only set to an array's beginning, and never moved.
pub(super) fn are_set_to_begin(
    search: PartSearch<'_>,
    formulas: &mut Formulas,
    length: PartLength,
) -> bool {
    let subject = search.subject;
    let all = subject.accesses;
    let nest: Vec<usize> = (0..formulas.all.loops.len()).collect();
    let mut variables = BTreeSet::new();
    for pointing in &all.pointers {
        for array in pointing.arrays.intersection(search.group) {
            let element = all.arrays[*array].element_bytes;
            let splits = length.splits(formulas, &pointing.offset, element, &nest);
            if !splits.is_ok_and(|splits| splits == [Split::default()]) {
                return false;
            }
            variables.insert(pointing.variable);
        }
    }
    let Some(function) = subject.function() else {
        return false;
    };
    let mut moved = exprs(subject.unit, &function.body)
        .into_iter()
        .filter_map(|expr| match &expr.kind {
            ExprKind::Increment { target, .. }
            | ExprKind::Assign(Some(_), target, _)
            | ExprKind::Unary(Unary::Address, target) => Some(target),
            _ => None,
        });
    let is_pointer =
        |it: &Expr| matches!(it.kind, ExprKind::Variable(id) if variables.contains(&id));
    !variables.is_empty() && !moved.any(|target| is_pointer(target))
}

/// The pointer's name in `p[…]`, and the range of the whole.
pub(super) fn indexed<'a>(
    subject: Subject<'a>,
    range: &Range<usize>,
) -> Option<(&'a str, Range<usize>)> {
    let text = subject.text(range);
    let (pointer, _) = text.split_once('[')?;
    let end = range.start + text.rfind(']')? + 1;
    is_name(pointer).then_some((pointer, range.start..end))
}
