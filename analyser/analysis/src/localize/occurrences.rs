//! Where a kernel says an array's name, in its own text: also in what it gives a macro.

use std::ops::Range;

use super::{refusal::Reason, spelling::places_of, subject::Subject};
use crate::ast::{Expr, ExprKind, Part, VariableId, visit_expr};

/// Where the kernel says the name, each place once, where all that it does with it is `name[…]`: another name of the
/// same elements may then stand there.
///
/// # Errors
/// It does something else with it, or a macro's definition says the name.
pub(super) fn indexed(subject: Subject<'_>, array: usize) -> Result<Vec<Range<usize>>, Reason> {
    let variable = subject.accesses.arrays[array].variable;
    let function = subject.function().ok_or(Reason::Text)?;
    let (mut all, mut own) = (0, Vec::new());
    subject.unit.visit(&function.body, &mut |part| {
        let Part::Expr(expr) = part else { return };
        match &expr.kind {
            ExprKind::Variable(id) if *id == variable => all += 1,
            ExprKind::Index(base, _) => own.extend(said(base, variable)),
            _ => {}
        }
    });
    match all == own.len() {
        true => places(subject, array, &own),
        false => Err(Reason::Text),
    }
}

/// The variable's name, where a pointer is nothing else.
pub(super) fn said(pointer: &Expr, variable: VariableId) -> Option<&Expr> {
    let mut found = None;
    visit_expr(pointer, &mut |part| {
        if let Part::Expr(expr) = part
            && matches!(expr.kind, ExprKind::Variable(id) if id == variable)
        {
            found = Some(expr);
        }
    });
    let is_alone = match &pointer.kind {
        ExprKind::Load(of) => matches!(of.kind, ExprKind::Variable(id) if id == variable),
        _ => false,
    };
    found.filter(|_| is_alone)
}

/// Where these stand in the kernel's own text: a name given to a macro stands where it is given.
///
/// # Errors
/// A macro's definition says it, or the kernel does once more than these.
pub(super) fn places(
    subject: Subject<'_>,
    array: usize,
    said: &[&Expr],
) -> Result<Vec<Range<usize>>, Reason> {
    let name = &*subject.accesses.arrays[array].name;
    let body = subject.range(&subject.function().ok_or(Reason::Text)?.body.span)?;
    let mut places = Vec::new();
    let mut is_given = false;
    for expr in said {
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
        if !is_there {
            return Err(Reason::InMacro);
        }
        if !places.contains(&range) {
            places.push(range);
        }
    }
    // What a macro does with a name beside reading it is not in the tree: its size is another.
    let asks = ["sizeof", "typeof", "__typeof__", "#"];
    if is_given && definitions(subject).any(|it| asks.iter().any(|word| it.contains(word))) {
        return Err(Reason::InMacro);
    }
    match subject.is_said_only_at(&body, name, &places) {
        true => Ok(places),
        false => Err(Reason::Text),
    }
}

/// All that macros are defined as, with the lines that a definition goes on in.
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
    pub(super) fn is_said_only_at(
        &self,
        within: &Range<usize>,
        name: &str,
        places: &[Range<usize>],
    ) -> bool {
        let text = self.text(within);
        let mut own = places_of(text, name).filter(|at| {
            let line = text[..*at].rfind('\n').map_or(0, |it| it + 1);
            !text[line..*at].contains("//")
        });
        own.all(|at| {
            let at = within.start + at;
            places.iter().any(|range| range.contains(&at))
        })
    }
}
