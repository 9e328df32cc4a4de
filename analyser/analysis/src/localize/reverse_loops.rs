//! Reverses loops that count down by one, so that they count up: with the same passes, in the same order.

use super::{
    refusal::Reason,
    subject::Subject,
    syntax::{ForLoop, stmts, subexprs},
    text::{Edit, Rewrite, apply_edits},
};
use crate::ast::{Binary, Expr, ExprKind, Kind, Stmt};

/// The source with each `for (int i = first; i >= end; --i)` of the kernel as `for (int i_up = end; i_up <= first;
/// ++i_up)` with `i` computed in its body; none where there is no such loop. Macros must be gone from the kernel.
pub fn reverse_loops(subject: Subject<'_>) -> Option<String> {
    let kernel = subject.function()?;
    let mut rewrite = Rewrite::default();
    for stmt in stmts(subject.unit, &kernel.body) {
        if let Some(down) = Down::of(subject, stmt) {
            // What can't be written stays.
            let _ = down.turn(subject, &mut rewrite);
        }
    }
    let source = apply_edits(subject.source, &rewrite.edits)?;
    (source != subject.source).then_some(source)
}

/// A loop that counts down by one.
struct Down<'a> {
    of: ForLoop<'a>,
    head: &'a Stmt,
    first: &'a Expr,
    end: &'a Expr,
    /// Whether there is a pass with `i == end`.
    is_within: bool,
}

impl<'a> Down<'a> {
    fn of(subject: Subject<'a>, stmt: &'a Stmt) -> Option<Self> {
        let of = ForLoop::of(subject.unit, stmt)?;
        let head = of.declared().filter(|_| of.grows_by() == Some(-1))?;
        let (left, end, is_within) = match &of.condition?.kind {
            ExprKind::Binary(Binary::Greater, left, end) => (left, end, false),
            ExprKind::Binary(Binary::GreaterOrEqual, left, end) => (left, end, true),
            _ => return None,
        };
        let (id, first) = (of.variable, of.first?);
        let variable = &subject.unit.variables[id];
        let is_read = matches!(&left.kind, ExprKind::Load(of) if of.variable() == Some(id));
        let scalar = variable.of.scalar().filter(|_| variable.of.is_whole());
        let is_signed = scalar.is_some_and(|it| it.kind == Kind::Signed && it.bytes >= 4);
        // Of one type, so that nothing is converted to be compared.
        let is_one_type = [&first.of, &left.of, &end.of]
            .iter()
            .all(|of| **of == variable.of);
        let stays = |it| is_steady(subject, it, of.body);
        let is_steady = !subject.is_changed(of.body, id) && stays(first) && stays(end);
        (is_read && is_signed && is_one_type && is_steady).then_some(Self {
            of,
            head,
            first,
            end,
            is_within,
        })
    }

    fn turn(&self, subject: Subject<'_>, rewrite: &mut Rewrite) -> Result<(), Reason> {
        let variable = &subject.unit.variables[self.of.variable];
        let (of, name) = (&variable.of, &variable.name);
        let head = subject.tokens(&self.head.span)?.start..subject.tokens(&self.of.step.span)?.end;
        let body = subject.tokens(&self.of.body.span)?;
        let after = subject.end(self.of.body)?;
        if subject.has_directive(&(head.start..body.start)) {
            return Err(Reason::Directive);
        }
        let at = head.end;
        let indent = subject.indent(head.start).to_owned();
        let first = match self.first.kind {
            ExprKind::Binary(Binary::Add | Binary::Subtract | Binary::Multiply, ..) => {
                subject.text(&subject.range(&self.first.span)?).to_owned()
            }
            _ => in_brackets(subject, self.first)?,
        };
        let end = in_brackets(subject, self.end)?;
        let up = rewrite.name(subject, &format!("{name}_up"));
        let order = if self.is_within { "<=" } else { "<" };
        let count = format!("{of} {up} = {end}; {up} {order} {first}; ++{up}");
        let passes = match self.end.kind {
            ExprKind::Integer(0) => up,
            _ => format!("({up} - {end})"),
        };
        let declared = format!("const {of} {name} = {first} - {passes};");
        rewrite.replace(head, count);
        let line = format!("\n{indent}    {declared}");
        if subject.text(&body).starts_with('{') {
            rewrite.edits.push(Edit::insert(body.start + 1, line));
        } else {
            let between = subject.source[at..body.start].find(')');
            let behind = at + between.ok_or(Reason::InMacro)? + 1;
            rewrite
                .edits
                .push(Edit::insert(behind, format!(" {{{line}")));
            let closed = Edit::insert(after, format!("\n{indent}}}"));
            rewrite.edits.push(closed);
        }
        Ok(())
    }
}

/// The text of an expression, in brackets if it is more than a word.
fn in_brackets(subject: Subject<'_>, of: &Expr) -> Result<String, Reason> {
    let text = subject.text(&subject.range(&of.span)?);
    Ok(match of.kind {
        ExprKind::Load(_) | ExprKind::Integer(_) => text.to_owned(),
        _ => format!("({text})"),
    })
}

/// Whether an expression has only numbers, and variables that a loop's body does not change.
fn is_steady(subject: Subject<'_>, of: &Expr, body: &Stmt) -> bool {
    subexprs(of).iter().all(|expr| match &expr.kind {
        ExprKind::Variable(id) => !subject.is_changed(body, *id),
        ExprKind::Integer(_) | ExprKind::Load(_) | ExprKind::Binary(..) => true,
        _ => false,
    })
}
