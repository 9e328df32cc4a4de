//! The kernel's function: what must hold for it at all, and its head and its first lines.

use std::ops::Range;

use super::{
    edit::Edit,
    formula::Formulas,
    refusal::{Reason, Refusal},
    subject::Subject,
    words::Words,
    written::Written,
};
use crate::{
    accesses::Does,
    ast::{Function, Part, Place, Stmt, StmtKind},
};

/// A kernel that may be rewritten.
pub(super) struct Kernel {
    /// Work-items of a work-group, by dimension; 0 where they differ from size to size.
    pub(super) local: [i64; 3],
    /// What the source calls them in `reqd_work_group_size`, where they are names.
    pub(super) sizes: [Option<String>; 3],
    /// Behind the body's first brace.
    pub(super) begin: usize,
    /// Before its last.
    pub(super) end: usize,
    /// Whether it has a `return`.
    pub(super) returns: bool,
    /// What makes the kernel require its work-group's size.
    require: Option<Edit>,
    place: Place,
}

impl Kernel {
    /// # Errors
    /// Why nothing of it can be rewritten.
    pub(super) fn of(subject: Subject<'_>) -> Result<Self, Refusal> {
        let all = subject.accesses;
        let refused = |reason, place: &Place| Refusal {
            array: None,
            reason,
            place: place.clone(),
        };
        let Some(function) = subject.function() else {
            return Err(refused(Reason::NotFollowed, &Place::default()));
        };
        let place = &function.span.begin;
        if let Some(gap) = all.gaps.first() {
            return Err(refused(Reason::NotFollowed, &gap.place));
        }
        let unknown = all
            .accesses
            .iter()
            .find(|it| it.array.is_none() && it.does != Does::Load);
        if let Some(unknown) = unknown {
            return Err(refused(Reason::UnknownStore, &unknown.span.begin));
        }
        let mut locals = subject.launches.iter().map(|at| at.geometry.local);
        let mut local = locals.next().unwrap_or_default();
        for other in locals {
            for (own, other) in local.iter_mut().zip(other) {
                *own = if *own == other { other } else { 0 };
            }
        }
        Self::at(subject, function, local).map_err(|reason| refused(reason, place))
    }

    /// Whether work-groups have another size at another size of the launch file.
    pub(super) fn varies(&self) -> bool {
        self.local.contains(&0)
    }

    fn at(subject: Subject<'_>, function: &Function, local: [i64; 3]) -> Result<Self, Reason> {
        let body = subject.range(&function.body.span)?;
        let text = subject.text(&body);
        let is_block = matches!(function.body.kind, StmtKind::Block(_));
        if !is_block || !text.starts_with('{') || !text.ends_with('}') {
            return Err(Reason::ElsewhereWritten);
        }
        let head = subject.tokens(&function.span)?.start;
        let head = &subject.source[head..body.start];
        let begin = body.start - head.len();
        let required = required(head);
        let sizes = match &required {
            Some(sizes) => named(subject, &head[sizes.clone()], local),
            None => [None, None, None],
        };
        let [x, y, z] = local;
        let require = match required {
            Some(sizes) if subject.is_resized => {
                let sizes = begin + sizes.start..begin + sizes.end;
                Some(Edit::replace(sizes, format!("{x}, {y}, {z}")))
            }
            Some(_) => None,
            None => {
                let at = head.find(char::is_whitespace);
                let at = at.filter(|at| ["__kernel", "kernel"].contains(&&head[..*at]));
                let at = begin + at.ok_or(Reason::ElsewhereWritten)?;
                let required = format!(" __attribute__((reqd_work_group_size({x}, {y}, {z})))");
                Some(Edit::insert(at, required))
            }
        };
        Ok(Self {
            local,
            sizes,
            begin: body.start + 1,
            end: body.end - 1,
            returns: returns(subject, &function.body),
            require,
            place: function.span.begin.clone(),
        })
    }

    /// What formulas are written with, outside of all strips.
    pub(super) fn words<'a>(&self, subject: Subject<'a>, formulas: &'a Formulas) -> Words<'a> {
        Words {
            subject,
            formulas,
            sizes: self.sizes.clone(),
            strips: Vec::new(),
        }
    }

    pub(super) fn refused(&self, reason: Reason) -> Refusal {
        Refusal {
            array: None,
            reason,
            place: self.place.clone(),
        }
    }

    /// Puts the first lines in, and requires the work-group's size that the tiles are made for.
    pub(super) fn finish(&self, subject: Subject<'_>, written: &mut Written) {
        let mut ended = written.ended_alone.clone();
        if !written.ended.is_empty() {
            ended.push("barrier(CLK_LOCAL_MEM_FENCE); // all have written their last".to_owned());
            ended.extend(written.ended.iter().cloned());
        }
        if !ended.is_empty() {
            let lines = ended.iter().map(|line| format!("\n    {line}"));
            let at = subject.source[..self.end].trim_end().len();
            written
                .edits
                .push(Edit::insert(at, lines.collect::<String>()));
        }
        if !written.begun.is_empty() {
            let filled = "barrier(CLK_LOCAL_MEM_FENCE); // local memory is filled";
            written.begun.push(filled.to_owned());
        }
        let lines = written.declared.iter().chain(&written.begun);
        let lines = lines.chain(&written.others).chain(&written.begun_alone);
        let mut text: String = lines.map(|line| format!("\n    {line}")).collect();
        if !text.is_empty() && !subject.source[self.begin..].starts_with("\n\n") {
            text += "\n";
        }
        written.edits.push(Edit::insert(self.begin, text));
        if let Some(require) = self.require.as_ref().filter(|_| !self.varies()) {
            written.edits.push(require.clone());
        }
    }
}

/// Where the head of a kernel has the three sizes of `reqd_work_group_size(…)`.
pub fn required(head: &str) -> Option<Range<usize>> {
    const NAME: &str = "reqd_work_group_size";
    let name = head.find(NAME)? + NAME.len();
    let begin = name + head[name..].find('(')? + 1;
    Some(begin..begin + head[begin..].find(')')?)
}

/// Whether a statement has a `return`.
pub(super) fn returns(subject: Subject<'_>, of: &Stmt) -> bool {
    let mut returns = false;
    subject.unit.visit(of, &mut |part| {
        returns |= matches!(part, Part::Stmt(stmt) if matches!(stmt.kind, StmtKind::Return(_)));
    });
    returns
}

/// Names among three sizes, which the source defines as just their numbers: what another macro is made of may mean
/// something else beside an operator.
fn named(subject: Subject<'_>, sizes: &str, local: [i64; 3]) -> [Option<String>; 3] {
    let mut all = sizes.split(',').zip(local).map(|(size, number)| {
        let size = size.trim();
        let defined = subject.definitions(size);
        let is_number = |body: &&str| {
            let body = body.split("//").next().unwrap_or_default();
            body.trim() == number.to_string()
        };
        let is_name = size.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && !defined.is_empty()
            && defined.iter().all(is_number);
        is_name.then(|| size.to_owned())
    });
    [(); 3].map(|()| all.next().flatten())
}
