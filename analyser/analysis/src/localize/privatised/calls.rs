//! Calls of atomics: their operations, and where they have the array's name.

use std::ops::Range;

use crate::{
    accesses::Access,
    ast::{Binary, Expr, ExprKind, Kind, StmtKind, Type, Unary},
    localize::{Reason, ReasonAt, Subject, occurrences, refuse_if, stmts},
};

/// Operations whose order does not matter, and that can be made of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::localize) enum AtomicKind {
    /// `atomic_add`, `atomic_sub`, `atomic_inc`, `atomic_dec`.
    Add,
    Minimum,
    Maximum,
    And,
    Or,
    Xor,
}

/// An atomic that stands as a statement.
pub(super) struct Call<'a> {
    /// Its place among all accesses.
    pub(super) access: usize,
    pub(super) kind: AtomicKind,
    /// The argument with the place.
    place: &'a Expr,
    /// The array's name in that argument.
    pub(super) name: &'a Expr,
}

impl AtomicKind {
    fn from_function(function: &str) -> Option<Self> {
        let operation = function.strip_prefix("atomic_");
        match operation.or_else(|| function.strip_prefix("atom_"))? {
            "add" | "sub" | "inc" | "dec" => Some(Self::Add),
            "min" => Some(Self::Minimum),
            "max" => Some(Self::Maximum),
            "and" => Some(Self::And),
            "or" => Some(Self::Or),
            "xor" => Some(Self::Xor),
            _ => None,
        }
    }

    /// The atomic that brings an element of the copy to global memory.
    pub(super) fn function(self) -> &'static str {
        match self {
            Self::Add => "atomic_add",
            Self::Minimum => "atomic_min",
            Self::Maximum => "atomic_max",
            Self::And => "atomic_and",
            Self::Or => "atomic_or",
            Self::Xor => "atomic_xor",
        }
    }

    /// The number that changes nothing, for numbers with a sign or without.
    pub(super) fn none(self, is_signed: bool) -> &'static str {
        match (self, is_signed) {
            (Self::Add | Self::Or | Self::Xor, _) | (Self::Maximum, false) => "0",
            (Self::Minimum, true) => "INT_MAX",
            (Self::Maximum, true) => "INT_MIN",
            (Self::Minimum, false) => "UINT_MAX",
            (Self::And, _) => "~0",
        }
    }

    /// The word for the copy's name, behind the array's name.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Minimum => "least",
            Self::Maximum => "most",
            _ => "own",
        }
    }
}

/// All atomics on the array, if each is a statement by itself.
pub(super) fn calls<'a>(
    subject: Subject<'a>,
    array: usize,
    own: &[&Access],
) -> Result<Vec<Call<'a>>, ReasonAt> {
    let argument = &subject.accesses.arrays[array];
    let function = subject.function().ok_or((Reason::NotFollowed, None))?;
    let statements = stmts(subject.unit, &function.body).into_iter();
    let statements = statements.filter_map(|stmt| match &stmt.kind {
        StmtKind::Expr(expr) => Some(expr),
        _ => None,
    });
    let statements: Vec<&Expr> = statements.collect();
    let mut calls = Vec::new();
    for access in own {
        let at = |reason| (reason, Some(access.span.begin.clone()));
        if access.array != Some(array) || !access.also.is_empty() {
            return Err(at(Reason::SeveralArrays));
        }
        refuse_if(!access.calls.is_empty(), at(Reason::InFunction))?;
        let statement = statements.iter().find(|it| it.span == access.span);
        let Some(Expr {
            kind: ExprKind::Call(name, arguments),
            ..
        }) = statement
        else {
            return Err(at(Reason::OldValue));
        };
        let place = arguments.first().ok_or(at(Reason::Text))?;
        let pointee = match &place.ty {
            Type::Pointer(_, pointee) => Some(&**pointee),
            _ => None,
        };
        let is_number = matches!(&argument.element, Type::Scalar(it)
            if it.bytes == 4 && matches!(it.kind, Kind::Signed | Kind::Unsigned));
        if pointee != Some(&argument.element) || !is_number || access.within != 0 {
            return Err(at(Reason::Shape));
        }
        let all = &subject.accesses.accesses;
        let index = all.iter().position(|it| std::ptr::eq(it, *access));
        calls.push(Call {
            access: index.ok_or(at(Reason::Text))?,
            kind: AtomicKind::from_function(name).ok_or(at(Reason::Operations))?,
            place,
            name: array_name(place, argument.variable).ok_or(at(Reason::Text))?,
        });
    }
    Ok(calls)
}

/// The array's name in `&a[i]`, `a + i` or `a`.
fn array_name(place: &Expr, variable: usize) -> Option<&Expr> {
    let pointer = match &place.kind {
        ExprKind::Unary(Unary::Address, element) => match &element.kind {
            ExprKind::Index(pointer, _) => pointer,
            _ => return None,
        },
        ExprKind::Binary(Binary::Add, pointer, _) => pointer,
        _ => place,
    };
    occurrences::name_in(pointer, variable)
}

impl Call<'_> {
    /// The text of the place, if nothing in it changes anything.
    pub(super) fn pure_text(&self, subject: Subject<'_>) -> Result<Range<usize>, Reason> {
        refuse_if(self.place.span.spelled.is_some(), Reason::InMacro)?;
        if subject.is_pure(self.place) {
            subject.tokens(&self.place.span)
        } else {
            Err(Reason::Text)
        }
    }
}
