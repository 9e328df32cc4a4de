//! Occurrences of an array's name in a kernel's own text, also in arguments of macros.

use std::ops::Range;

use crate::{
    ast::{Expr, ExprKind, VariableId},
    localize::{Reason, Subject, exprs, line_start, places_of, refuse_if},
};

/// The places of an array's name, each once, if all occurrences are `name[…]`: another name of the same elements may
/// then stand there.
///
/// # Errors
/// The name is used otherwise, or a macro's definition has it.
pub(crate) fn indexed(subject: Subject<'_>, array: usize) -> Result<Vec<Range<usize>>, Reason> {
    let variable = subject.accesses.arrays[array].variable;
    let function = subject.function().ok_or(Reason::Text)?;
    let (mut all, mut own) = (0, Vec::new());
    for expr in exprs(subject.unit, &function.body) {
        match &expr.kind {
            ExprKind::Variable(id) if *id == variable => all += 1,
            ExprKind::Index(base, _) => own.extend(name_in(base, variable)),
            _ => {}
        }
    }
    if all == own.len() {
        places(subject, array, &own)
    } else {
        Err(Reason::Text)
    }
}

/// The variable's name, if a pointer's value is nothing else.
pub(crate) fn name_in(pointer: &Expr, variable: VariableId) -> Option<&Expr> {
    let is_name = |it: &Expr| matches!(it.kind, ExprKind::Variable(id) if id == variable);
    match &pointer.kind {
        ExprKind::Load(inner) if is_name(inner) => Some(&**inner),
        _ => None,
    }
}

/// The places of these names in the kernel's own text. A name given to a macro stands where it is given.
///
/// # Errors
/// A macro's definition has the name, or the kernel has it elsewhere too.
pub(crate) fn places(
    subject: Subject<'_>,
    array: usize,
    names: &[&Expr],
) -> Result<Vec<Range<usize>>, Reason> {
    let name = &*subject.accesses.arrays[array].name;
    let body = subject.range(&subject.function().ok_or(Reason::Text)?.body.span)?;
    let mut places = Vec::new();
    let mut is_given = false;
    for expr in names {
        let place = match &expr.span.spelled {
            Some(spelled) => &spelled.0,
            None => &expr.span.begin,
        };
        is_given |= expr.span.spelled.is_some();
        let begin = place.offset as usize;
        let range = begin..begin + name.len();
        let is_there = *place.file == *subject.file
            && body.contains(&begin)
            && subject.source.get(range.clone()) == Some(name);
        refuse_if(!is_there, Reason::InMacro)?;
        if !places.contains(&range) {
            places.push(range);
        }
    }
    // What a macro does with a name beside reading it is not in the tree: its size is another.
    let asks = ["sizeof", "typeof", "__typeof__", "#"];
    if is_given && definitions(subject).any(|it| asks.iter().any(|word| it.contains(word))) {
        return Err(Reason::InMacro);
    }
    refuse_if(!subject.is_said_only_at(&body, name, &places), Reason::Text)?;
    Ok(places)
}

/// The definitions of all macros, with their continued lines.
fn definitions(subject: Subject<'_>) -> impl Iterator<Item = String> {
    let texts = [subject.source, subject.included];
    let joined = texts.map(|text| text.replace("\\\n", " "));
    let lines = joined.map(|text| {
        let lines = text.lines().filter_map(|line| {
            let line = line.trim_start().strip_prefix('#')?.trim_start();
            line.strip_prefix("define").map(str::to_owned)
        });
        lines.collect::<Vec<_>>()
    });
    lines.into_iter().flatten()
}

impl Subject<'_> {
    /// Whether a part of the source has a name nowhere but in these places and in comments.
    pub(crate) fn is_said_only_at(
        &self,
        within: &Range<usize>,
        name: &str,
        places: &[Range<usize>],
    ) -> bool {
        let text = self.text(within);
        let mut own = places_of(text, name).filter(|at| {
            let line = line_start(text, *at);
            !text[line..*at].contains("//")
        });
        own.all(|at| {
            let at = within.start + at;
            places.iter().any(|range| range.contains(&at))
        })
    }
}
