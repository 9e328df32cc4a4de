//! Statements that nothing is left of: assignments to arrays that are gone, barriers that guard nothing, and the loops and
//! conditions that only have such.

use std::ops::Range;

use super::{
    super::{edit::Edit, refusal::Reason, subject::Subject, written::Written},
    Held,
    copies::Copied,
};
use crate::{
    accesses::{Access, Does},
    ast::{Expr, ExprKind, Function, Part, Space, Stmt, StmtKind, visit_expr},
};

/// What is read of copies is read where they came from, and what only filled them goes.
pub(super) fn gone(
    subject: Subject<'_>,
    function: &Function,
    held: &[Held],
    copied: &[Copied],
    all: &mut Written,
) -> Result<(), Reason> {
    let stores: Vec<Range<usize>> = copied.iter().flat_map(|it| it.stores.clone()).collect();
    // What is in global memory may be handed over behind these barriers, too.
    let accesses = &subject.accesses.accesses;
    let hands_over = accesses.iter().any(|one| {
        let is_written = one.does != Does::Load;
        let arrays = |it: &Access| {
            it.array
                .into_iter()
                .chain(it.also.clone())
                .collect::<Vec<_>>()
        };
        let is_private = |array: &usize| {
            let of = &subject.accesses.arrays[*array];
            of.space == Space::Private || held.iter().any(|it| it.variable == of.variable)
        };
        let own = arrays(one);
        is_written
            && (own.is_empty() || !own.iter().all(is_private))
            && accesses.iter().any(|it| {
                let read = arrays(it);
                it.does == Does::Load
                    && (own.is_empty() || read.is_empty() || read.iter().any(|it| own.contains(it)))
            })
    });
    let gone = Gone {
        stores: &stores,
        has_barriers: copied.len() == held.len() && !hands_over,
    };
    let ranges = removed(subject, function, &gone)?;
    let is_gone = |range: &Range<usize>| {
        let mut all = ranges.iter();
        all.any(|it| it.start <= range.start && range.end <= it.end)
    };
    if !stores.iter().all(is_gone) {
        return Err(Reason::Text);
    }
    for (range, text) in copied.iter().flat_map(|it| &it.reads) {
        if !is_gone(range) {
            all.replace(range.clone(), text);
        }
    }
    let edits = ranges.iter().map(|range| without(subject, range));
    all.edits.extend(edits);
    Ok(())
}

/// What is gone.
struct Gone<'a> {
    /// Assignments.
    stores: &'a [Range<usize>],
    /// Whether barriers of local memory are.
    has_barriers: bool,
}

/// Places of the source that go.
///
/// # Errors
/// A statement is not in the text.
fn removed(
    subject: Subject<'_>,
    function: &Function,
    gone: &Gone<'_>,
) -> Result<Vec<Range<usize>>, Reason> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut done = Ok(());
    // The outermost come first.
    subject.unit.visit(&function.body, &mut |part| {
        let Part::Stmt(stmt) = part else { return };
        if !gone.is_all_of(subject, stmt) {
            return;
        }
        match subject
            .begin(stmt)
            .and_then(|begin| Ok(begin..subject.end(stmt)?))
        {
            Ok(range) => {
                if !ranges
                    .iter()
                    .any(|it| it.start <= range.start && range.end <= it.end)
                {
                    ranges.push(range);
                }
            }
            Err(reason) => done = Err(reason),
        }
    });
    done?;
    Ok(ranges)
}

/// Takes a statement out, with its line where it is alone there.
pub(super) fn without(subject: Subject<'_>, range: &Range<usize>) -> Edit {
    let source = subject.source;
    let line = source[..range.start].rfind('\n').map_or(0, |it| it + 1);
    let rest = source[range.end..].lines().next().unwrap_or_default();
    let is_first = source[line..range.start].trim().is_empty();
    let is_last = rest.trim().is_empty() || rest.trim_start().starts_with("//");
    if !is_first || !is_last {
        // Something must stand behind an `if` that stays.
        return Edit::replace(range.clone(), ";");
    }
    let before = source[..line].trim_end();
    let ends = before.ends_with(')') || before.ends_with("else") || before.ends_with("do");
    if ends {
        return Edit::replace(range.clone(), ";");
    }
    let mut end = (range.end + rest.len() + 1).min(source.len());
    // Of two empty lines one.
    if source[..line].ends_with("\n\n") && source[end..].starts_with('\n') {
        end += 1;
    }
    Edit::replace(line..end, "")
}

impl Gone<'_> {
    fn is_all_of(&self, subject: Subject<'_>, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Expr(expr) => self.is_it(subject, expr),
            StmtKind::Block(all) => {
                !all.is_empty() && all.iter().all(|it| self.is_all_of(subject, it))
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                is_pure(condition)
                    && self.is_all_of(subject, then)
                    && otherwise.iter().all(|it| self.is_all_of(subject, it))
            }
            StmtKind::Loop {
                first: Some(first),
                condition: Some(condition),
                step: Some(step),
                body,
                body_first: false,
            } => {
                let StmtKind::Declare(variables) = &first.kind else {
                    return false;
                };
                let initial = variables.iter();
                let mut initial =
                    initial.filter_map(|id| subject.unit.variables[*id].initial.as_ref());
                initial.all(is_pure)
                    && is_pure(condition)
                    && is_step(step, variables)
                    && self.is_all_of(subject, body)
            }
            _ => false,
        }
    }

    fn is_it(&self, subject: Subject<'_>, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Assign(None, ..) => {
                let range = subject.range(&expr.span);
                range.is_ok_and(|range| self.stores.contains(&range))
            }
            ExprKind::Call(name, _) if &**name == "barrier" && self.has_barriers => {
                let range = subject.range(&expr.span);
                range.is_ok_and(|range| {
                    let text: String = subject.text(&range).split_whitespace().collect();
                    text == "barrier(CLK_LOCAL_MEM_FENCE)"
                })
            }
            _ => false,
        }
    }
}

/// A loop's own variable steps.
fn is_step(expr: &Expr, variables: &[usize]) -> bool {
    let own =
        |target: &Expr| matches!(target.kind, ExprKind::Variable(id) if variables.contains(&id));
    match &expr.kind {
        ExprKind::Increment { target, .. } => own(target),
        ExprKind::Assign(_, target, by) => own(target) && is_pure(by),
        _ => false,
    }
}

fn is_pure(expr: &Expr) -> bool {
    let mut is_pure = true;
    visit_expr(expr, &mut |part| {
        let Part::Expr(part) = part else { return };
        is_pure &= match &part.kind {
            ExprKind::Assign(..) | ExprKind::Increment { .. } | ExprKind::Other(..) => false,
            ExprKind::Call(name, _) => {
                name.starts_with("get_") || ["min", "max"].contains(&&**name)
            }
            _ => true,
        };
    });
    is_pure
}
