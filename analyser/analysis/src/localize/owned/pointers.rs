//! Pointers into parts: what they are set to, and where the word for their memory stands.

use std::{collections::BTreeSet, ops::Range};

use super::{
    super::{
        formula::{Formulas, Split},
        refusal::Reason,
        spelling::{has_word, is_name},
        subject::Subject,
    },
    By, with_constant,
};
use crate::{
    accesses::{Pointing, Polynomial},
    ast::{ExprKind, Part, Type, Unary, Variable},
};

/// What a pointer is set to, its place where the array's name says it, and where its memory is declared. All are set
/// into the part that begins where the work-group's `shared` offset says: what is added to them is the same in it.
#[expect(
    clippy::type_complexity,
    reason = "the second is a place only where there is one"
)]
pub(super) fn pointer(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    array: usize,
    by: By<'_>,
    pointing: &Pointing,
    shared: &Polynomial,
) -> Result<(Range<usize>, Option<Polynomial>, Range<usize>), Reason> {
    if !pointing.arrays.is_subset(by.together) {
        return Err(Reason::SeveralArrays);
    }
    if !pointing.is_own {
        return Err(Reason::InFunction);
    }
    let of = &subject.accesses.arrays[array];
    let range = subject.range(&pointing.span)?;
    let variable = &subject.unit.variables[pointing.variable];
    let Type::Pointer(_, pointee) = &variable.of else {
        return Err(Reason::Text);
    };
    if **pointee != of.element {
        return Err(Reason::Shape);
    }
    let nest: Vec<usize> = (0..formulas.all.loops.len()).collect();
    let own = by
        .form
        .splits(formulas, &pointing.offset, of.element_bytes, &nest)?;
    if own.iter().any(|split| split.uniform != *shared) {
        return Err(Reason::PartsOverlap);
    }
    let is_said = has_word(subject.text(&range), &of.name);
    if is_said && pointing.arrays.len() != 1 {
        return Err(Reason::SeveralArrays);
    }
    let at = match (is_said, own.as_slice()) {
        (false, _) => None,
        (true, [split]) => Some(with_constant(split)),
        (true, _) => return Err(Reason::SeveralArrays),
    };
    Ok((range, at, memory(subject, variable)?))
}

/// Where the word for its memory stands in a pointer's declaration.
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
        let found = declared[..end].find(word)?;
        Some(begin + found..begin + found + word.len())
    });
    space.ok_or(Reason::Text)
}

/// Whether pointers into these arrays are only ever set to their beginnings, and never moved.
pub(super) fn are_set_to_begin(subject: Subject<'_>, formulas: &mut Formulas, by: By<'_>) -> bool {
    let all = subject.accesses;
    let nest: Vec<usize> = (0..formulas.all.loops.len()).collect();
    let mut variables = BTreeSet::new();
    for pointing in &all.pointers {
        for array in pointing.arrays.intersection(by.together) {
            let element = all.arrays[*array].element_bytes;
            let splits = by.form.splits(formulas, &pointing.offset, element, &nest);
            if !splits.is_ok_and(|splits| splits == [Split::default()]) {
                return false;
            }
            variables.insert(pointing.variable);
        }
    }
    let Some(function) = subject.function() else {
        return false;
    };
    let mut is_moved = false;
    subject.unit.visit(&function.body, &mut |part| {
        if let Part::Expr(expr) = part
            && let ExprKind::Increment { target, .. }
            | ExprKind::Assign(Some(_), target, _)
            | ExprKind::Unary(Unary::Address, target) = &expr.kind
        {
            is_moved |= matches!(target.kind, ExprKind::Variable(id) if variables.contains(&id));
        }
    });
    !variables.is_empty() && !is_moved
}

/// The pointer's name in `p[…]`, and where that stands.
pub(super) fn indexed<'a>(
    subject: Subject<'a>,
    range: &Range<usize>,
) -> Option<(&'a str, Range<usize>)> {
    let text = subject.text(range);
    let (pointer, _) = text.split_once('[')?;
    let end = range.start + text.rfind(']')? + 1;
    is_name(pointer).then_some((pointer, range.start..end))
}
