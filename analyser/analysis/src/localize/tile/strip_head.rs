//! Heads of loops that get barriers: the form that they must have in the text.

use std::ops::Range;

use crate::{
    ast::{Binary, Expr, ExprKind, Kind, Space, Span, Stmt, StmtKind, VariableId},
    localize::{
        ForLoop, Reason, Subject, counted, exprs, is_name, is_plain, mentions, refuse_if, stmts,
    },
};

/// The parts of a loop's head that are changed, so that it runs over a strip.
pub(super) struct StripHead<'a> {
    pub(super) stmt: &'a Stmt,
    /// The variable's type in the text.
    pub(super) ty: String,
    /// The variable's name.
    pub(super) name: &'a str,
    /// The value that it is set to; none if it has its first value before the loop.
    pub(super) first: Option<Range<usize>>,
    /// The condition.
    pub(super) condition: Range<usize>,
    /// The loop's end, and whether `i` may reach it, if the condition is `i < end` or `i <= end` with two numbers of
    /// one type: the smaller of two ends takes one comparison, and a loop with one comparison is unrolled.
    pub(super) end: Option<(Range<usize>, bool)>,
}

/// The head of `for (int i = first; i < end; ++i)`, of `for (i = first; …)` if nothing else reads `i`, or of `for (; i
/// < end; ++i)`, whose variable ends with the same value.
///
/// # Errors
/// The loop has another form.
pub(super) fn head<'a>(subject: Subject<'a>, span: &Span) -> Result<StripHead<'a>, Reason> {
    let stmt = subject.loop_at(span).ok_or(Reason::InFunction)?;
    let for_loop = ForLoop::from_stmt(subject.unit, stmt).ok_or(Reason::LoopForm)?;
    let condition = for_loop.condition.ok_or(Reason::LoopForm)?;
    let declared = for_loop.declared();
    // Behind the strips one that the loop only sets holds another number.
    let is_set = for_loop.head.is_some() && declared.is_none();
    if counted(condition) != Some(for_loop.variable)
        || for_loop.head.is_some() != for_loop.first.is_some()
        || (is_set && !is_of_loops(subject, for_loop.variable))
    {
        return Err(Reason::LoopForm);
    }
    let variable = &subject.unit.variables[for_loop.variable];
    // A narrower one would come round before its end.
    let scalar = variable.ty.scalar();
    let is_narrow = scalar.is_none_or(|it| it.bytes < 4 || it.kind == Kind::Float);
    refuse_if(is_narrow, Reason::LoopForm)?;
    // `for (` itself, and where it ends, must be the author's own.
    let begin = subject.range(&stmt.span)?.start;
    if subject.has_directive(&(begin..subject.end(stmt)?)) {
        return Err(Reason::Directive);
    }
    let kind = match declared {
        Some(declared) => {
            let text = subject.text(&subject.tokens(&declared.span)?);
            let (before, _) = text.split_once('=').ok_or(Reason::LoopForm)?;
            let kind = before.trim().strip_suffix(&*variable.name);
            kind.ok_or(Reason::LoopForm)?.trim().to_owned()
        }
        None => variable.ty.to_string(),
    };
    let mut words = kind.split_whitespace().peekable();
    if words.peek().is_none() || words.any(|word| !is_name(word) || word == "const") {
        return Err(Reason::LoopForm);
    }
    Ok(StripHead {
        stmt,
        ty: kind,
        name: &variable.name,
        first: for_loop
            .first
            .map(|it| subject.tokens(&it.span))
            .transpose()?,
        condition: subject.tokens(&condition.span)?,
        end: end(subject, condition),
    })
}

/// The end in `i < end` or `i <= end`, if neither side is converted, and `min` is OpenCL's.
fn end(subject: Subject<'_>, condition: &Expr) -> Option<(Range<usize>, bool)> {
    let (left, right, is_within) = match &condition.kind {
        ExprKind::Binary(Binary::Less, left, right) => (left, right, false),
        ExprKind::Binary(Binary::LessOrEqual, left, right) => (left, right, true),
        _ => return None,
    };
    let is_variable = matches!(&left.kind, ExprKind::Load(inner) if inner.variable().is_some());
    let is_one_type = left.ty == right.ty && !matches!(right.kind, ExprKind::Convert(_));
    let (begin, end) = (subject.tokens(&left.span), subject.tokens(&right.span));
    let (begin, end) = begin.ok().zip(end.ok())?;
    // A macro may say the comparison too.
    let between = subject.source.get(begin.end..end.start)?.trim();
    let is_own = ["<", "<="].contains(&between);
    let is_min = is_variable && is_one_type && is_own && is_plain(subject, "min");
    is_min.then_some((end, is_within))
}

/// Whether a variable is only used in loops that set it first.
fn is_of_loops(subject: Subject<'_>, id: VariableId) -> bool {
    let Some(function) = subject.function() else {
        return false;
    };
    let mut loops = Vec::new();
    for stmt in stmts(subject.unit, &function.body) {
        if let StmtKind::Loop {
            first: Some(first), ..
        } = &stmt.kind
            && let StmtKind::Expr(expr) = &first.kind
            && let ExprKind::Assign(None, target, initial) = &expr.kind
            && matches!(target.kind, ExprKind::Variable(own) if own == id)
            && !mentions(initial, id)
        {
            loops.push(stmt.span.begin.offset..=stmt.span.end.offset);
        }
    }
    let uses = exprs(subject.unit, &function.body).into_iter();
    let mut uses = uses.filter(|it| matches!(it.kind, ExprKind::Variable(own) if own == id));
    let is_private = subject.unit.variables[id].space == Space::Private;
    let is_in_loop = |it: &Expr| {
        let at = &it.span.begin.offset;
        loops.iter().any(|range| range.contains(at))
    };
    is_private && uses.all(is_in_loop)
}

/// Whether a text is in a loop's body, not in its head.
pub(super) fn is_in_body(subject: Subject<'_>, span: &Span, range: &Range<usize>) -> bool {
    let body = match subject.loop_at(span).map(|stmt| &stmt.kind) {
        Some(StmtKind::Loop { body, .. }) => subject.tokens(&body.span),
        _ => return false,
    };
    body.is_ok_and(|body| body.start <= range.start && range.end <= body.end)
}
