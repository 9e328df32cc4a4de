//! What is rewritten, and the text that it stands in.

use std::ops::Range;

use super::{
    edit::Edit,
    refusal::Reason,
    spelling::{behind_word, has_word},
};
use crate::{
    accesses::{Access, Accesses, Atom, launch::Geometry},
    ast::{
        Expr, ExprKind, Function, Kind, Part, Scalar, Span, Stmt, StmtKind, Type, Unary, Unit,
        VariableId, visit_expr,
    },
};

/// Functions that do something without being given a place.
const FENCES: [&str; 5] = [
    "barrier",
    "mem_fence",
    "read_mem_fence",
    "write_mem_fence",
    "printf",
];

/// A kernel with all that is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// Its tree.
    pub unit: &'a Unit,
    /// Its accesses.
    pub accesses: &'a Accesses,
    /// Its source file, as clang names it.
    pub file: &'a str,
    /// What is in it.
    pub source: &'a str,
    /// What it includes of its folder, one behind the other.
    pub included: &'a str,
    /// What it is built with.
    pub options: &'a str,
    /// Its launches, at every size of the launch file; at least one.
    pub launches: &'a [At],
    /// Whether a run launches it once: then it may get other arguments.
    pub is_alone: bool,
    /// Whether its work-groups have another size than the author's: then it requires that.
    pub is_resized: bool,
    /// Bytes of local memory that a work-group may have.
    pub most_bytes: u64,
    /// Only these arguments; empty: all.
    pub only: &'a [String],
    /// What is worth it.
    pub rule: Rule,
    /// What tiles look like.
    pub form: Form,
}

/// What tiles look like, where that is no matter of what is right; absent: by the rules of docs/localize.md.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// Passes of a loop that a strip has, at most 256.
    pub strip: Option<u16>,
    /// Whether tiles of an even last dimension have one more column, so that a column lies in different banks.
    pub padding: Option<bool>,
}

/// Which tiles are worth it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// What other work-items read too, or what is read side by side then.
    #[default]
    Shared,
    /// As Kamiya et al. (2013, 5.3) have it: elements are accessed twice on average, by whomever; of the arrays that
    /// are, the one with the most accesses.
    Paper,
}

/// A launch of the kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct At {
    /// Sizes and numbers passed by value.
    pub geometry: Geometry,
    /// By parameter: what buffer it is given.
    pub buffers: Vec<Option<Buffer>>,
}

impl At {
    /// The buffer that a parameter is given.
    pub(super) fn buffer(&self, parameter: usize) -> Option<&Buffer> {
        self.buffers.get(parameter)?.as_ref()
    }
}

/// A buffer that a launch gives to a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Which: parameters with the same number have the same.
    pub number: usize,
    /// Elements of the parameter's type.
    pub elements: u64,
    /// Whether it holds anything before the launch.
    pub is_filled: bool,
    /// Whether anybody reads it after the launch: other variants have it too.
    pub is_output: bool,
    /// What its elements are, as far as that is tried.
    pub counted_by: Option<Counted>,
}

/// A number times arguments, and another number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The number.
    pub number: u64,
    /// Of each factor the argument's place, the bytes into it, and what is added to it.
    pub by: Vec<(usize, u64, i64)>,
    /// The other number.
    pub more: u64,
}

impl<'a> Subject<'a> {
    pub(super) fn function(&self) -> Option<&'a Function> {
        self.unit.function(&self.accesses.function)
    }

    /// The kernel's own text; none where it is in another file, or a macro makes its beginning or its end.
    #[must_use]
    pub fn kernel_range(&self) -> Option<Range<usize>> {
        self.range(&self.function()?.span).ok()
    }

    /// Whether the source, what it includes or an option defines a word as a macro.
    #[must_use]
    pub fn is_macro(&self, word: &str) -> bool {
        let options = self.options.replace("-D", " ");
        let mut defined = options.split_whitespace();
        !self.definitions(word).is_empty() || defined.any(|it| it.split('=').next() == Some(word))
    }

    /// What lies so many bytes into an argument: its name, and its type.
    pub(super) fn part_of(&self, parameter: usize, at: u64) -> Option<(String, Scalar)> {
        let id = *self.function()?.parameters.get(parameter)?;
        let variable = &self.unit.variables[id];
        let mut text = variable.name.to_string();
        let (mut of, mut at) = (&variable.of, at);
        while let Type::Record(record) = of {
            let field = record
                .fields
                .iter()
                .rev()
                .find(|field| field.offset <= at)?;
            text += &format!(".{}", field.name);
            at -= field.offset;
            of = &field.of;
        }
        match of {
            Type::Vector(scalar, _) => {
                text += &format!(".s{:x}", at / u64::from(scalar.bytes));
                Some((text, *scalar))
            }
            Type::Scalar(scalar) if at == 0 && of.is_whole() => Some((text, *scalar)),
            _ => None,
        }
    }

    /// Whether a parameter's buffer has so many elements at every launch: it is said of sizes that nobody launches, too.
    pub(super) fn has_elements(&self, parameter: usize, of: &Counted) -> bool {
        self.launches.iter().all(|at| {
            let buffer = at.buffer(parameter);
            buffer.is_some_and(|it| self.counted(of, at) == Some(it.elements))
        })
    }

    /// What a number of elements is at a launch; none where a factor is not above 0.
    fn counted(&self, of: &Counted, at: &At) -> Option<u64> {
        let mut product = of.number;
        for (parameter, place, more) in &of.by {
            let (_, scalar) = self.part_of(*parameter, *place)?;
            let atom = Atom::Scalar(
                *parameter,
                *place,
                scalar.bytes,
                scalar.kind == Kind::Signed,
            );
            let factor = at.geometry.launch_constant(&atom)?.checked_add(*more)?;
            let factor = u64::try_from(factor).ok().filter(|it| *it > 0)?;
            product = product.checked_mul(factor)?;
        }
        product.checked_add(of.more)
    }

    /// Whether the argument was asked for.
    pub(super) fn is_asked(&self, array: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|it| it == array)
    }

    /// Whether a launch gives both parameters the same buffer.
    pub(super) fn is_same(&self, one: usize, other: usize) -> bool {
        one != other
            && self.launches.iter().any(|at| {
                let number = |of: usize| Some(at.buffer(of)?.number);
                number(one).is_some() && number(one) == number(other)
            })
    }

    /// Whether the array, a pointer into it, or an access is `volatile`.
    pub(super) fn is_volatile(&self, array: usize) -> bool {
        let all = self.accesses;
        let own = &self.unit.variables[all.arrays[array].variable];
        let pointers = all.pointers.iter();
        let mut pointers = pointers.filter(|it| it.arrays.contains(&array));
        let mut accesses = all.accesses.iter().filter(|it| it.touches(array));
        let says = |text: &str| has_word(text, "volatile");
        // A structure's fields may be.
        let has_fields =
            matches!(own.of, Type::Pointer(_, ref of) if matches!(**of, Type::Record(_)));
        own.is_volatile
            || pointers.any(|it| self.unit.variables[it.variable].is_volatile)
            || accesses.any(|it| {
                let range = self.tokens(&it.span);
                range.is_ok_and(|range| says(self.text(&range)))
            })
            || (has_fields && says(self.source))
    }

    /// The source from a span's first token to its last, where no macro made it all.
    pub(super) fn range(&self, span: &Span) -> Result<Range<usize>, Reason> {
        if span.spelled.is_some() && span.begin.offset == span.end.offset {
            return Err(Reason::InMacro);
        }
        self.tokens(span)
    }

    /// The same, where its first or last token may be a macro's name.
    pub(super) fn tokens(&self, span: &Span) -> Result<Range<usize>, Reason> {
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
        match is_there && !is_called {
            true => Ok(begin..self.closed(begin, end)),
            false => Err(Reason::InMacro),
        }
    }

    /// Where a text from `begin` ends: clang leaves the last bracket of `(float4)(0)` out.
    fn closed(&self, begin: usize, end: usize) -> usize {
        let text = &self.source[begin..end];
        let mut end = end;
        for _ in text.matches(')').count()..text.matches('(').count() {
            let rest = &self.source[end..];
            let spaces = rest.len() - rest.trim_start().len();
            match rest[spaces..].starts_with(')') {
                true => end += spaces + 1,
                false => break,
            }
        }
        end
    }

    pub(super) fn text(&self, range: &Range<usize>) -> &'a str {
        &self.source[range.clone()]
    }

    /// A text without brackets around all of it.
    pub(super) fn bare(&self, range: Range<usize>) -> Range<usize> {
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

    /// The expression `a[…]` or `*…` whose text is this, where nothing in it changes anything: another may stand in its
    /// place.
    pub(super) fn pure_place(&self, range: &Range<usize>) -> Option<&'a Expr> {
        let mut found = None;
        self.unit.visit(&self.function()?.body, &mut |part| {
            if let Part::Expr(expr) = part
                && let ExprKind::Index(..) | ExprKind::Unary(Unary::Dereference, _) = expr.kind
                && self.tokens(&expr.span).map(|it| self.bare(it)).as_ref() == Ok(range)
            {
                found = Some(expr);
            }
        });
        found.filter(|expr| self.is_pure(expr))
    }

    /// Whether nothing in an expression changes anything.
    pub(super) fn is_pure(&self, expr: &Expr) -> bool {
        let mut is_pure = true;
        visit_expr(expr, &mut |part| {
            let Part::Expr(part) = part else { return };
            is_pure &= match &part.kind {
                ExprKind::Assign(..) | ExprKind::Increment { .. } | ExprKind::Other(..) => false,
                // What is given a place may change it; the others have nothing but their numbers.
                ExprKind::Call(name, given) => {
                    !FENCES.contains(&&**name)
                        && (name.starts_with("vload")
                            || !given.iter().any(|it| matches!(it.of, Type::Pointer(..))))
                }
                _ => true,
            };
        });
        is_pure
    }

    /// Where a statement ends, its semicolon included.
    pub(super) fn end(&self, stmt: &Stmt) -> Result<usize, Reason> {
        let end = self.tokens(&stmt.span)?.end;
        if ends_by_brace(stmt) {
            return Ok(end);
        }
        let rest = &self.source[end..];
        match rest.trim_start().starts_with(';') {
            true => Ok(end + rest.find(';').unwrap_or_default() + 1),
            // A declaration's span has its own.
            false if self.source[..end].ends_with(';') => Ok(end),
            false => Err(Reason::InMacro),
        }
    }

    /// Where a statement begins, with the `#pragma` that is of it.
    pub(super) fn begin(&self, stmt: &Stmt) -> Result<usize, Reason> {
        let begin = self.tokens(&stmt.span)?.start;
        let line = self.source[..begin].rfind('\n').map_or(0, |it| it + 1);
        let before = &self.source[line..begin];
        Ok(match before.trim_start().starts_with('#') {
            true => line + before.len() - before.trim_start().len(),
            false => begin,
        })
    }

    /// Whether a line in it is the preprocessor's, but for `#pragma`.
    pub(super) fn has_directive(&self, range: &Range<usize>) -> bool {
        let mut lines = self.text(range).lines().skip(1);
        lines.any(|line| {
            let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
            directive.is_some_and(|it| !it.starts_with("pragma"))
        })
    }

    /// What the source defines a macro as, each time that it does.
    pub(super) fn definitions(&self, name: &str) -> Vec<&'a str> {
        let lines = self.source.lines().chain(self.included.lines());
        let lines = lines.filter_map(|line| {
            let line = line.trim_start().strip_prefix('#')?.trim_start();
            behind_word(line.strip_prefix("define")?.trim_start(), name)
        });
        lines.collect()
    }

    /// White space before the first word of the line.
    pub(super) fn indent(&self, at: usize) -> &'a str {
        let line = self.source[..at].rfind('\n').map_or(0, |it| it + 1);
        let rest = &self.source[line..];
        &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
    }

    /// A name that neither the source has, nor what it includes or is built with.
    pub(super) fn fresh(&self, wanted: &str, taken: &[String]) -> String {
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

    /// Whether a name can only mean this variable in the kernel, and the variable is never changed there.
    pub(super) fn is_fixed(&self, variable: VariableId) -> bool {
        let Some(function) = self.function() else {
            return false;
        };
        let name = &self.unit.variables[variable].name;
        let (begin, end) = (function.span.begin.offset, function.span.end.offset);
        let others = self
            .unit
            .variables
            .iter()
            .enumerate()
            .filter(|(id, other)| {
                let at = other.span.begin.offset;
                *id != variable && other.name == *name && (begin..=end).contains(&at)
            });
        others.count() == 0 && !self.is_changed(&function.body, variable)
    }

    /// Whether the name of an access's array means its beginning all over the kernel.
    pub(super) fn is_named(&self, access: &Access) -> bool {
        let array = access.array.map(|array| &self.accesses.arrays[array]);
        array.is_some_and(|array| self.is_fixed(array.variable))
    }

    /// Whether a statement sets a variable, or takes its address.
    pub(super) fn is_changed(&self, stmt: &Stmt, variable: VariableId) -> bool {
        let mut is_changed = false;
        self.unit.visit(stmt, &mut |part| {
            let Part::Expr(expr) = part else { return };
            let (ExprKind::Assign(_, target, _)
            | ExprKind::Increment { target, .. }
            | ExprKind::Unary(Unary::Address, target)) = &expr.kind
            else {
                return;
            };
            is_changed |= target.variable() == Some(variable);
        });
        is_changed
    }

    /// Takes a parameter out of the kernel's head.
    ///
    /// # Errors
    /// It stands alone, or a macro makes it.
    pub(super) fn drop_parameter(&self, parameter: usize) -> Result<Edit, Reason> {
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

    /// The statement of a loop.
    pub(super) fn loop_at(&self, span: &Span) -> Option<&'a Stmt> {
        let function = self.function()?;
        let mut found = None;
        self.unit.visit(&function.body, &mut |part| {
            if let Part::Stmt(stmt) = part
                && matches!(stmt.kind, StmtKind::Loop { .. })
                && stmt.span == *span
            {
                found = Some(stmt);
            }
        });
        found
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
