//! Hoists guards that keep some work-items from barriers. `if (i >= n) return;` and `if (i < n) { … }` become a truth
//! value, which every statement behind or in them tests by itself. All work-items then come to the barriers among these
//! statements. Nothing runs that did not run before, except loops that get barriers, and declarations that touch no
//! memory.

mod exits;
mod uniform_exprs;

use std::{collections::BTreeMap, ops::Range};

use self::uniform_exprs::Uniformity;
use crate::{
    accesses::Loop,
    ast::{Binary, Expr, ExprKind, Space, Stmt, StmtKind, Type, VariableId, unconverted},
    localize::{Edit, Kernel, Reason, Rewrite, Scope, Subject, line_start, refuse_if},
};

/// The truth value that must hold for a loop's iterations to run, by loop. The loop's barriers stand outside.
pub(super) type Guarded = BTreeMap<usize, String>;

struct Hoist<'a, 'w> {
    subject: Subject<'a>,
    loops: &'w [Loop],
    scopes: &'w [Scope],
    /// Whether the kernel's end gets a barrier.
    ends: bool,
    uniformity: Uniformity<'a>,
    rewrite: &'w mut Rewrite,
    guarded: Guarded,
}

/// Hoists all guards around the loops of these scopes, and around the kernel's end if that gets a barrier.
///
/// # Errors
/// A guard, or what stands behind it, has a form that is not hoisted.
pub(super) fn hoist(
    subject: Subject<'_>,
    loops: &[Loop],
    scopes: &[Scope],
    ends: bool,
    rewrite: &mut Rewrite,
) -> Result<Guarded, Reason> {
    let function = subject.function().ok_or(Reason::Divergent)?;
    // Who came to the author's own barriers is the author's to know.
    let has_barriers = !subject.accesses.barriers.is_empty();
    let body = subject.range(&function.body.span)?;
    if has_barriers || subject.has_directive(&body) {
        return Err(Reason::Divergent);
    }
    let mut hoist = Hoist {
        subject,
        loops,
        scopes,
        ends,
        uniformity: Uniformity::new(subject),
        rewrite,
        guarded: Guarded::new(),
    };
    match &function.body.kind {
        StmtKind::Block(stmts) => hoist.block(stmts, None, true)?,
        _ => return Err(Reason::Divergent),
    }
    Ok(hoist.guarded)
}

/// Checks whether [`hoist`] succeeds.
///
/// # Errors
/// Those of [`hoist`].
pub(super) fn check(
    subject: Subject<'_>,
    loops: &[Loop],
    scopes: &[Scope],
    ends: bool,
) -> Result<(), Reason> {
    hoist(subject, loops, scopes, ends, &mut Rewrite::default()).map(|_| ())
}

/// Checks that all work-items come to the kernel's last line.
///
/// # Errors
/// Some work-items may leave the kernel earlier, by guards that can't be hoisted.
pub(super) fn all_reach_end(subject: Subject<'_>, kernel: &Kernel) -> Result<(), Reason> {
    if !kernel.returns {
        return Ok(());
    }
    let loops = &subject.accesses.loops;
    check(subject, loops, &[], true).map_err(|_| Reason::Returns)
}

impl<'a> Hoist<'a, '_> {
    /// Hoists guards in a block whose statements run where `active` holds. A `return` is only hoisted at the kernel's
    /// own level.
    fn block(
        &mut self,
        stmts: &'a [Stmt],
        active: Option<&str>,
        is_kernel: bool,
    ) -> Result<(), Reason> {
        let mut active = active.map(str::to_owned);
        let behind = stmts.iter().rposition(|it| self.has_barrier(it));
        let behind = if self.ends && is_kernel {
            stmts.len()
        } else {
            behind.map_or(0, |last| last + 1)
        };
        let mut run: Vec<&Stmt> = Vec::new();
        for stmt in &stmts[..behind] {
            if self.has_barrier(stmt) {
                self.guard(&std::mem::take(&mut run), active.as_deref())?;
                self.around(stmt, active.as_deref(), true)?;
            } else if self.returns(stmt) {
                self.guard(&std::mem::take(&mut run), active.as_deref())?;
                active = self.early(stmt, active, is_kernel)?;
            } else if self.goes_on_elsewhere(stmt) {
                return Err(Reason::Divergent);
            } else if let (StmtKind::Declare(variables), Some(guard)) = (&stmt.kind, &active) {
                self.guard(&std::mem::take(&mut run), Some(guard))?;
                self.declare(variables, guard)?;
            } else {
                run.push(stmt);
            }
        }
        self.guard(&run, active.as_deref())?;
        let rest: Vec<&Stmt> = stmts[behind..].iter().collect();
        if !is_kernel && rest.iter().any(|it| self.returns(it)) {
            return Err(Reason::Divergent);
        }
        self.guard(&rest, active.as_deref())
    }

    /// Hoists guards around a barrier in a statement.
    fn around(
        &mut self,
        stmt: &'a Stmt,
        active: Option<&str>,
        is_in_block: bool,
    ) -> Result<(), Reason> {
        match &stmt.kind {
            StmtKind::Block(stmts) => self.block(stmts, active, false),
            StmtKind::Loop { body, .. } => {
                if active.is_some() {
                    self.uniformity.enter(stmt)?;
                }
                let scope = self.scope(stmt);
                match (scope, self.has_barrier(body)) {
                    (Some(Scope::Strip(strip)), false) => {
                        let guard = active.map(|it| (strip.original, it.to_owned()));
                        self.guarded.extend(guard);
                    }
                    _ => self.around(body, active, false)?,
                }
                if active.is_some() {
                    self.uniformity.leave();
                }
                Ok(())
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } if self.uniformity.is_uniform(condition) => {
                for branch in [Some(then), otherwise.as_ref()].into_iter().flatten() {
                    if self.has_barrier(branch) {
                        self.around(branch, active, false)?;
                    } else if active.is_some() {
                        return Err(Reason::Divergent);
                    }
                }
                Ok(())
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } if is_in_block => {
                let name = self.guard_if(stmt, condition, then, otherwise.as_deref(), active)?;
                self.around(then, Some(&name), false)
            }
            _ => Err(Reason::Divergent),
        }
    }

    /// Replaces `if (…)`, whose first branch gets a barrier, by a truth value, which its `else` tests too. Returns its
    /// name.
    fn guard_if(
        &mut self,
        stmt: &Stmt,
        condition: &Expr,
        then: &Stmt,
        otherwise: Option<&'a Stmt>,
        active: Option<&str>,
    ) -> Result<String, Reason> {
        let has_barrier = otherwise.is_some_and(|it| self.has_barrier(it));
        refuse_if(has_barrier, Reason::Divergent)?;
        let head = self.if_head(stmt, condition, then)?;
        let name = self.rewrite.name(self.subject, "is_in");
        let indent = self.subject.indent(head.start.start);
        self.put(head.start, truth_value_begin(&name, active, false));
        let ended = format!("{};\n{indent}", truth_value_end(active, false));
        self.put(head.end, ended);
        if let Some(otherwise) = otherwise {
            let from = self.subject.end(then)?;
            let to = self.subject.begin(otherwise)?;
            if self.subject.source[from..to].trim() != "else" || self.leaves(otherwise) {
                return Err(Reason::Divergent);
            }
            let others = if_not(&name, active);
            self.put(from..to, format!("\n{indent}{others}"));
        }
        Ok(name)
    }

    /// Replaces `if (…) return;` by a truth value. Returns the name of the one that holds for the work-items that go
    /// on.
    fn early(
        &mut self,
        stmt: &'a Stmt,
        active: Option<String>,
        is_kernel: bool,
    ) -> Result<Option<String>, Reason> {
        let StmtKind::If {
            condition,
            then,
            otherwise: None,
        } = &stmt.kind
        else {
            return Err(Reason::Divergent);
        };
        let (before, last) = match &then.kind {
            StmtKind::Block(stmts) => stmts.split_last().map(|(last, before)| (before, last)),
            _ => Some((&[][..], &**then)),
        }
        .ok_or(Reason::Divergent)?;
        let is_plain = matches!(last.kind, StmtKind::Return(None));
        if !is_plain || before.iter().any(|it| self.leaves(it)) {
            return Err(Reason::Divergent);
        }
        if self.uniformity.is_uniform(condition) && (active.is_none() || before.is_empty()) {
            // Where all leave, nobody comes to the end.
            refuse_if(self.ends, Reason::Returns)?;
            return Ok(active);
        }
        refuse_if(!is_kernel, Reason::Divergent)?;
        let head = self.if_head(stmt, condition, then)?;
        let name = self.rewrite.name(self.subject, "is_in");
        let begun = truth_value_begin(&name, active.as_deref(), true);
        self.put(head.start.clone(), begun);
        let ended = truth_value_end(active.as_deref(), true);
        if before.is_empty() {
            let end = self.subject.end(stmt)?;
            self.put(head.end.start..end, format!("{ended};"));
            return Ok(Some(name));
        }
        let indent = self.subject.indent(head.start.start);
        let others = if_not(&name, active.as_deref());
        self.put(head.end, format!("{ended};\n{indent}{others}"));
        let begin = self.subject.range(&last.span)?.start;
        let text = self.subject.source[..begin].trim_end();
        // What follows would become part of a comment.
        if text.lines().last().is_some_and(|line| line.contains("//")) {
            return Err(Reason::Text);
        }
        let (begin, end) = (text.len(), self.subject.end(last)?);
        self.put(begin..end, String::new());
        Ok(Some(name))
    }

    /// Keeps declarations for all work-items; an initial value that touches memory, or may fail, is only computed where
    /// the guard holds.
    fn declare(&mut self, variables: &[VariableId], guard: &str) -> Result<(), Reason> {
        for id in variables {
            let variable = &self.subject.unit.variables[*id];
            let Some(initial) = &variable.initial else {
                continue;
            };
            if variable.space == Space::Local || self.uniformity.is_harmless(initial) {
                continue;
            }
            let none = match (&variable.ty, &unconverted(initial).ty) {
                (Type::Scalar(_), Type::Scalar(_)) => "0".to_owned(),
                (Type::Vector(..), ty) if *ty == variable.ty => format!("({ty})(0)"),
                _ => return Err(Reason::Divergent),
            };
            let range = self.subject.range(&initial.span)?;
            self.put(range.start..range.start, format!("{guard} ? ("));
            self.put(range.end..range.end, format!(") : {none}"));
        }
        Ok(())
    }

    /// Lets statements run only where the guard holds.
    fn guard(&mut self, run: &[&Stmt], guard: Option<&str>) -> Result<(), Reason> {
        let (Some(guard), Some(first), Some(last)) = (guard, run.first(), run.last()) else {
            return Ok(());
        };
        if run.iter().any(|it| self.goes_on_elsewhere(it)) {
            return Err(Reason::Divergent);
        }
        let subject = self.subject;
        // A macro may make more statements than one.
        for stmt in run {
            subject.range(&stmt.span)?;
        }
        let (begin, end) = (self.subject.begin(first)?, subject.end(last)?);
        let is_one = run.len() == 1 && !matches!(first.kind, StmtKind::Declare(_));
        if is_one && matches!(first.kind, StmtKind::Block(_)) {
            self.put(begin..begin, format!("if ({guard}) "));
            return Ok(());
        }
        let (open, close) = if is_one { ("", "") } else { (" {", "}") };
        let line = line_start(subject.source, begin);
        if !subject.source[line..begin].trim().is_empty() {
            self.put(begin..begin, format!("if ({guard}){open} "));
            self.put(end..end, format!(" {close}").trim_end().to_owned());
            return Ok(());
        }
        let indent = subject.indent(begin);
        self.put(begin..begin, format!("if ({guard}){open}\n{indent}    "));
        self.rewrite.indent(subject, begin..end, "    ");
        if !is_one {
            // A comment behind the last statement stays beside it.
            let rest = subject.source[end..].lines().next().unwrap_or_default();
            let is_comment = rest.trim_start().starts_with("//");
            refuse_if(is_comment && rest.ends_with('\\'), Reason::Text)?;
            let end = end + if is_comment { rest.len() } else { 0 };
            self.put(end..end, format!("\n{indent}{close}"));
        }
        Ok(())
    }

    /// The texts `if (` and `)` around a condition.
    fn if_head(&self, stmt: &Stmt, condition: &Expr, then: &Stmt) -> Result<IfHead, Reason> {
        let subject = self.subject;
        // A comma would begin another variable.
        let is_list = matches!(condition.kind, ExprKind::Binary(Binary::Comma, ..));
        if is_list || self.uniformity.decides_for_all(condition) {
            return Err(Reason::Divergent);
        }
        let begin = subject.range(&stmt.span)?.start;
        let (then, condition) = (self.subject.begin(then)?, subject.tokens(&condition.span)?);
        let before = subject.source.get(begin..condition.start);
        let behind = subject.source.get(condition.end..then);
        let (before, behind) = before.zip(behind).ok_or(Reason::InMacro)?;
        let open = before.strip_prefix("if").ok_or(Reason::InMacro)?;
        let is = |text: &str, bracket: char| {
            text.contains(bracket) && text.chars().all(|it| it == bracket || it.is_whitespace())
        };
        refuse_if(!is(open, '(') || !is(behind, ')'), Reason::Text)?;
        let opened = begin + before.find('(').unwrap_or_default() + 1;
        let closed = condition.end + behind.rfind(')').unwrap_or_default();
        Ok(IfHead {
            start: begin..opened,
            end: closed..then,
        })
    }

    fn put(&mut self, range: Range<usize>, text: String) {
        self.rewrite.edits.push(Edit { range, text });
    }

    fn scope(&self, stmt: &Stmt) -> Option<Scope> {
        let mut scopes = self.scopes.iter().copied();
        scopes.find(|scope| match scope {
            Scope::Kernel => false,
            Scope::Strip(strip) => self.loops[strip.original].span == stmt.span,
        })
    }
}

/// The texts `if (` and what stands behind the condition.
struct IfHead {
    start: Range<usize>,
    end: Range<usize>,
}

/// The condition that holds for the active work-items for which a truth value does not.
fn if_not(name: &str, active: Option<&str>) -> String {
    match active {
        Some(active) => format!("if ({active} && !{name}) "),
        None => format!("if (!{name}) "),
    }
}

/// The text up to the condition: `const bool is_in = `.
fn truth_value_begin(name: &str, active: Option<&str>, is_opposite: bool) -> String {
    let not = if is_opposite { "!" } else { "" };
    match (active, is_opposite) {
        (Some(active), _) => format!("const bool {name} = {active} && {not}("),
        (None, true) => format!("const bool {name} = !("),
        (None, false) => format!("const bool {name} = "),
    }
}

/// The text behind the condition.
fn truth_value_end(active: Option<&str>, is_opposite: bool) -> &'static str {
    let is_open = active.is_some() || is_opposite;
    if is_open { ")" } else { "" }
}
