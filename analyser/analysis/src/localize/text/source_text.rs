//! The subject's text: the ranges of spans, statements and names in it.

use std::ops::Range;

use super::Edit;
use crate::{
    ast::{Expr, ExprKind, Span, Stmt, StmtKind, Unary},
    localize::{Reason, Subject, behind_word, exprs, has_word, line_start, refuse_if},
};

impl<'a> Subject<'a> {
    /// The range from a span's first token to its last, if no macro made them.
    pub(crate) fn range(&self, span: &Span) -> Result<Range<usize>, Reason> {
        if span.spelled.is_some() && span.begin.offset == span.end.offset {
            return Err(Reason::InMacro);
        }
        self.tokens(span)
    }

    /// The range from a span's first token to its last, which may be a macro's name.
    pub(crate) fn tokens(&self, span: &Span) -> Result<Range<usize>, Reason> {
        if *span.begin.file != *self.file || *span.end.file != *self.file {
            return Err(Reason::ElsewhereWritten);
        }
        let begin = span.begin.offset as usize;
        let end = span.end.offset as usize + span.end.length as usize;
        let is_there = begin < end && self.source.get(begin..end).is_some();
        // The arguments of a macro at the end are not in the span.
        let is_called = span.spelled.is_some()
            && self
                .source
                .get(end..)
                .is_some_and(|rest| rest.trim_start().starts_with('('));
        refuse_if(!is_there || is_called, Reason::InMacro)?;
        Ok(begin..self.closed(begin, end))
    }

    /// The end of a text from `begin`: clang leaves the last bracket of `(float4)(0)` out.
    fn closed(&self, begin: usize, end: usize) -> usize {
        let text = &self.source[begin..end];
        let mut end = end;
        for _ in text.matches(')').count()..text.matches('(').count() {
            let rest = &self.source[end..];
            let spaces = rest.len() - rest.trim_start().len();
            if !rest[spaces..].starts_with(')') {
                break;
            }
            end += spaces + 1;
        }
        end
    }

    pub(crate) fn text(&self, range: &Range<usize>) -> &'a str {
        &self.source[range.clone()]
    }

    /// The range of a text without brackets around all of it.
    pub(crate) fn bare(&self, range: Range<usize>) -> Range<usize> {
        let mut bare = range;
        while let Some(inner) = self
            .text(&bare)
            .strip_prefix('(')
            .and_then(|it| it.strip_suffix(')'))
            && is_closed(inner)
        {
            let begin = bare.start + 1 + inner.len() - inner.trim_start().len();
            bare = begin..begin + inner.trim().len();
        }
        bare
    }

    /// The expression `a[…]` or `*…` with this text, if nothing in it changes anything: another text may stand in its
    /// place.
    pub(crate) fn pure_place(&self, range: &Range<usize>) -> Option<&'a Expr> {
        let places = exprs(self.unit, &self.function()?.body).into_iter();
        let mut places = places.filter(|expr| {
            let is_place = matches!(
                expr.kind,
                ExprKind::Index(..) | ExprKind::Unary(Unary::Dereference, _)
            );
            is_place && self.tokens(&expr.span).map(|it| self.bare(it)).as_ref() == Ok(range)
        });
        places.next_back().filter(|expr| self.is_pure(expr))
    }

    /// The end of a statement, its semicolon included.
    pub(crate) fn end(&self, stmt: &Stmt) -> Result<usize, Reason> {
        let end = self.tokens(&stmt.span)?.end;
        if ends_by_brace(stmt) {
            return Ok(end);
        }
        let rest = &self.source[end..];
        if rest.trim_start().starts_with(';') {
            Ok(end + rest.find(';').unwrap_or_default() + 1)
        } else if self.source[..end].ends_with(';') {
            // A declaration's span has its own.
            Ok(end)
        } else {
            Err(Reason::InMacro)
        }
    }

    /// The beginning of a statement, with a `#pragma` that belongs to it.
    pub(crate) fn begin(&self, stmt: &Stmt) -> Result<usize, Reason> {
        let begin = self.tokens(&stmt.span)?.start;
        let line = line_start(self.source, begin);
        let before = &self.source[line..begin];
        Ok(if before.trim_start().starts_with('#') {
            line + before.len() - before.trim_start().len()
        } else {
            begin
        })
    }

    /// Whether a text has a line of the preprocessor other than `#pragma`.
    pub(crate) fn has_directive(&self, range: &Range<usize>) -> bool {
        let mut lines = self.text(range).lines().skip(1);
        lines.any(|line| {
            let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
            directive.is_some_and(|it| !it.starts_with("pragma"))
        })
    }

    /// The bodies of a macro's definitions.
    pub(crate) fn definitions(&self, name: &str) -> Vec<&'a str> {
        let lines = self.source.lines().chain(self.included.lines());
        let lines = lines.filter_map(|line| {
            let line = line.trim_start().strip_prefix('#')?.trim_start();
            behind_word(line.strip_prefix("define")?.trim_start(), name)
        });
        lines.collect()
    }

    /// White space at the beginning of the line.
    pub(crate) fn indent(&self, at: usize) -> &'a str {
        let line = line_start(self.source, at);
        let rest = &self.source[line..];
        &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
    }

    /// A name that is new to the source, to what it includes and to its options: `wanted`, or `wanted` with a number.
    pub(crate) fn fresh(&self, wanted: &str, taken: &[String]) -> String {
        let (unit, options) = (self.unit, self.options.replace("-D", " "));
        let is_free = |name: &str| {
            !has_word(self.source, name)
                && !has_word(self.included, name)
                && !has_word(&options, name)
                && !unit.variables.iter().any(|it| *it.name == *name)
                && unit.function(name).is_none()
                && !taken.iter().any(|it| it == name)
        };
        if is_free(wanted) {
            return wanted.to_owned();
        }
        let mut numbered = (2..).map(|number| format!("{wanted}_{number}"));
        numbered.find(|name| is_free(name)).unwrap_or_default()
    }

    /// Removes a parameter from the kernel's head.
    ///
    /// # Errors
    /// The parameter stands alone, or a macro makes it.
    pub(crate) fn drop_parameter(&self, parameter: usize) -> Result<Edit, Reason> {
        let function = self.function().ok_or(Reason::ElsewhereWritten)?;
        let range = |place: usize| {
            let id = function.parameters.get(place).ok_or(Reason::Text)?;
            self.range(&self.unit.variables[*id].span)
        };
        let own = range(parameter)?;
        Ok(match parameter {
            0 => Edit::replace(own.start..range(1)?.start, ""),
            _ => Edit::replace(range(parameter - 1)?.end..own.end, ""),
        })
    }
}

fn ends_by_brace(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Block(_) => true,
        StmtKind::If {
            then, otherwise, ..
        } => ends_by_brace(otherwise.as_deref().unwrap_or(then)),
        StmtKind::Loop {
            body, body_first, ..
        } => !body_first && ends_by_brace(body),
        StmtKind::Switch { body, .. } => ends_by_brace(body),
        StmtKind::Case(_, behind) => ends_by_brace(behind),
        _ => false,
    }
}

/// Whether each bracket in a text is closed there.
fn is_closed(text: &str) -> bool {
    let mut depth = 0_usize;
    let closes = |sign: char| {
        match sign {
            '(' => depth += 1,
            ')' => match depth.checked_sub(1) {
                Some(left) => depth = left,
                None => return false,
            },
            _ => {}
        }
        true
    };
    text.chars().all(closes) && depth == 0
}
