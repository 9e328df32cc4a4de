//! Indices that are a number of rows and a column, if the text has the length of a row and the column as such.

use std::{collections::BTreeMap, ops::Range};

use crate::{
    accesses::Atom,
    ast::{Binary, Expr, ExprKind, Kind, Type, Unary, VariableId},
    localize::{Reason, Subject},
};

/// A word that is rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Leaf {
    /// The array's name.
    Name,
    /// A row's length: the launch's number of work-items.
    Length,
    /// The work-item's column: its global id.
    Column,
}

/// The meaning of a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// A number of rows: a multiple of a row's length.
    Rows,
    /// A number of rows, and the work-item's column.
    Column,
}

/// A number's class, and the words of its text that are rewritten.
type Classified = Result<(Class, Vec<(Range<usize>, Leaf)>), Reason>;

/// Variables that an access may go through.
pub(super) struct Pointers<'a> {
    pub(super) subject: Subject<'a>,
    /// The type that they point to.
    pub(super) element: Type,
    /// Classes of what is added to the array's beginning: for the array itself, and for pointers.
    pub(super) classes: BTreeMap<VariableId, Class>,
}

impl Pointers<'_> {
    /// The variable that an expression `p[…]` goes through.
    pub(super) fn indexed_variable(&self, expr: &Expr) -> Option<VariableId> {
        match &expr.kind {
            ExprKind::Index(base, _) => self.named(base),
            _ => None,
        }
    }

    fn named(&self, expr: &Expr) -> Option<VariableId> {
        let id = expr.loaded_variable()?;
        self.classes.contains_key(&id).then_some(id)
    }

    /// The words of `p[…]` that are rewritten, if it is an element of the work-item's own column.
    ///
    /// # Errors
    /// The expression has another form.
    pub(super) fn place(&self, expr: &Expr) -> Result<Vec<(Range<usize>, Leaf)>, Reason> {
        let ExprKind::Index(base, index) = &expr.kind else {
            return Err(Reason::Text);
        };
        let id = self.named(base).ok_or(Reason::Text)?;
        if expr.ty != self.element || !self.subject.is_pure(index) {
            return Err(Reason::Text);
        }
        let (class, mut leaves) = self.class(index)?;
        leaves.extend(self.name(base, id)?);
        match (self.classes[&id], class) {
            (Class::Rows, Class::Column) | (Class::Column, Class::Rows) => Ok(leaves),
            _ => Err(Reason::Shape),
        }
    }

    /// The value that a pointer is set to: the array, and what is added to it.
    ///
    /// # Errors
    /// The expression has another form.
    pub(super) fn value(&self, expr: &Expr) -> Classified {
        if let Some(id) = self.named(expr) {
            // Pointers from pointers would have to be known in their order.
            return if self.classes.len() == 1 || self.is_array(id) {
                Ok((Class::Rows, self.name(expr, id)?))
            } else {
                Err(Reason::Text)
            };
        }
        match &expr.kind {
            ExprKind::Convert(inner) if inner.ty == expr.ty => self.value(inner),
            ExprKind::Binary(Binary::Add, pointer, more) => {
                let id = self.named(pointer).ok_or(Reason::Text)?;
                if !self.is_array(id) || !self.subject.is_pure(more) {
                    return Err(Reason::Text);
                }
                let (class, mut leaves) = self.class(more)?;
                leaves.extend(self.name(pointer, id)?);
                Ok((class, leaves))
            }
            _ => Err(Reason::Text),
        }
    }

    fn is_array(&self, id: VariableId) -> bool {
        let mut arrays = self.subject.accesses.arrays.iter();
        arrays.any(|array| array.variable == id)
    }

    fn name(&self, expr: &Expr, id: VariableId) -> Result<Vec<(Range<usize>, Leaf)>, Reason> {
        Ok(if self.is_array(id) {
            vec![(self.subject.range(&expr.span)?, Leaf::Name)]
        } else {
            Vec::new()
        })
    }

    /// The class of a whole number: rows, or rows and the column. Factors of a row's length stay as they are.
    fn class(&self, expr: &Expr) -> Classified {
        if !matches!(expr.ty, Type::Scalar(it) if it.is_wide_whole()) {
            return Err(Reason::Shape);
        }
        if let Some(leaf) = self.leaf(expr, 4) {
            let class = match leaf {
                Leaf::Column => Class::Column,
                _ => Class::Rows,
            };
            return Ok((class, vec![(self.subject.range(&expr.span)?, leaf)]));
        }
        match &expr.kind {
            ExprKind::Integer(0) => Ok((Class::Rows, Vec::new())),
            ExprKind::Load(inner) | ExprKind::Convert(inner) => self.class(inner),
            ExprKind::Binary(Binary::Multiply, left, right) => {
                let rows = |expr: &Expr| self.class(expr).ok().filter(|it| it.0 == Class::Rows);
                rows(left).or_else(|| rows(right)).ok_or(Reason::Shape)
            }
            ExprKind::Binary(by @ (Binary::Add | Binary::Subtract), left, right) => {
                let (left, right) = (self.class(left)?, self.class(right)?);
                let class = match (left.0, right.0) {
                    (Class::Rows, Class::Rows) => Class::Rows,
                    (Class::Column, Class::Rows) => Class::Column,
                    (Class::Rows, Class::Column) if *by == Binary::Add => Class::Column,
                    _ => return Err(Reason::Shape),
                };
                Ok((class, [left.1, right.1].concat()))
            }
            _ => Err(Reason::Shape),
        }
    }

    /// A row's length or the column, if a name always means that, or the launch's own function gives it.
    fn leaf(&self, expr: &Expr, depth: usize) -> Option<Leaf> {
        let depth = depth.checked_sub(1)?;
        match &expr.kind {
            ExprKind::Call(name, given) => {
                let is_first = matches!(given.as_slice(), [only] if is_zero(only));
                match &**name {
                    "get_global_size" if is_first => Some(Leaf::Length),
                    "get_global_id" if is_first => Some(Leaf::Column),
                    _ => None,
                }
            }
            ExprKind::Load(_) => {
                let id = expr.loaded_variable()?;
                let variable = &self.subject.unit.variables[id];
                let Type::Scalar(scalar) = variable.ty else {
                    return None;
                };
                if !scalar.is_wide_whole() || !self.subject.is_fixed(id) {
                    return None;
                }
                let function = self.subject.function()?;
                match function.parameters.iter().position(|it| *it == id) {
                    Some(place) => {
                        let signed = scalar.kind == Kind::Signed;
                        let number = Atom::Scalar(place, 0, scalar.bytes, signed);
                        super::is_row_length(self.subject, &number).then_some(Leaf::Length)
                    }
                    None => self.leaf_of_initial(variable.initial.as_ref()?, depth),
                }
            }
            _ => None,
        }
    }

    fn leaf_of_initial(&self, expr: &Expr, depth: usize) -> Option<Leaf> {
        match &expr.kind {
            ExprKind::Convert(inner) => {
                let is_wide = expr.ty.scalar()?.is_wide_whole();
                let leaf = self.leaf_of_initial(inner, depth);
                leaf.filter(|_| is_wide)
            }
            _ => self.leaf(expr, depth),
        }
    }
}

fn is_zero(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Integer(number) => *number == 0,
        ExprKind::Convert(inner) => is_zero(inner),
        ExprKind::Unary(Unary::Minus, inner) => is_zero(inner),
        _ => false,
    }
}
