//! What each memory access of a kernel does, by following the kernel's text once: helper functions are walked where
//! they are called, loops once for all passes, both sides of a branch.

mod atom;
mod calculation;
mod class;
mod dimension;
pub mod launch;
mod polynomial;
pub mod report;
mod text;
mod walk;

use std::collections::BTreeSet;

pub use atom::{
    Atom, Atoms, Carried, Computed, Condition, Id, Operation, Real, wrapped, wrapped_to,
};
pub use calculation::Calculation;
pub use class::{Class, Facts};
pub use kerncast_wire::AccessDoes as Does;
pub use polynomial::{AtomId, Polynomial};
use serde::Serialize;

use crate::ast::{Place, Space, Span, Type, Unit, VariableId};

/// All accesses of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Accesses {
    /// The kernel's function.
    pub function: String,
    /// Names of its parameters.
    pub parameters: Vec<String>,
    /// Arguments and declared arrays, in the order of the text.
    pub arrays: Vec<Array>,
    /// Accesses, in the order of the text as it runs.
    pub accesses: Vec<Access>,
    /// Loops around them.
    pub loops: Vec<Loop>,
    /// Barriers.
    pub barriers: Vec<Barrier>,
    /// What indices and bounds are made of.
    pub atoms: Atoms,
    /// Parts that were not followed.
    pub gaps: Vec<Gap>,
    /// A call by which a function comes to call itself: OpenCL C has no recursion (1.2, section 6.9).
    pub recursion: Option<Gap>,
    /// Pointers that are declared into an array, or set to one.
    pub pointers: Vec<Pointing>,
}

/// A pointer variable that is given a place in an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Pointing {
    /// The variable.
    pub variable: VariableId,
    /// Arrays that it may be into from then on.
    pub arrays: BTreeSet<usize>,
    /// Bytes from the array's beginning.
    pub offset: Polynomial,
    /// What it is set to.
    pub span: Span,
    /// Whether it is in the kernel itself, rather than in a function that it calls.
    pub is_own: bool,
}

/// Memory that is accessed by an index.
#[derive(Clone, Debug)]
pub struct Array {
    /// Its name.
    pub name: String,
    /// Which memory.
    pub space: Space,
    /// What it is of.
    pub element: Type,
    /// Bytes of an element; 1 where that is not known.
    pub element_bytes: u64,
    /// Lengths, outermost first, of what is declared; none of an argument's.
    pub lengths: Vec<u64>,
    /// Which parameter of the kernel; none where it is declared.
    pub parameter: Option<usize>,
    /// Its declaration.
    pub variable: VariableId,
    /// Where it is declared.
    pub span: Span,
}

/// One access of the text; of a helper's text one for each call.
#[derive(Clone, Debug)]
pub struct Access {
    /// Its place in [`Accesses::arrays`]; none where the pointer is not followed.
    pub array: Option<usize>,
    /// Other arrays that its pointer may be into instead, of the same memory and element size.
    pub also: Vec<usize>,
    /// What it does.
    pub does: Does,
    /// Bytes that a work-item reads or writes at once; 1 where that is not known.
    pub bytes: u64,
    /// Bytes from the array's beginning.
    pub offset: Polynomial,
    /// Elements from the array's beginning.
    pub index: Polynomial,
    /// Bytes of an element as the index counts them: the array's, or those of the type that it is read or written by.
    pub element_bytes: u64,
    /// Bytes into that element.
    pub within: u64,
    /// The index by dimension, outermost first, in up to three dimensions, or as many as are declared.
    pub subscripts: Vec<Polynomial>,
    /// Of each subscript, where the text has them so: `.field` before it, or nothing.
    pub fields: Vec<String>,
    /// What one step of each subscript is, in elements; the last is 1.
    pub strides: Vec<Polynomial>,
    /// Loops around it, outermost first.
    pub loops: Vec<usize>,
    /// What must hold for it to happen.
    pub guards: Vec<Guard>,
    /// Where it is written.
    pub span: Span,
    /// Calls that lead to it, outermost first.
    pub calls: Vec<Place>,
    /// What kind of index it has.
    pub class: Class,
    /// Why it is not affine.
    pub reasons: Vec<String>,
    /// The loads that its index depends on.
    pub depends_on: BTreeSet<usize>,
    /// The loads that it depends on whether, and how often, it happens.
    pub happens_by: BTreeSet<usize>,
}

impl Access {
    /// Whether it may be of this array.
    pub(crate) fn touches(&self, array: usize) -> bool {
        self.array == Some(array) || self.also.contains(&array)
    }

    /// Whether its index counts these elements.
    pub(crate) fn counts(&self, array: &Array) -> bool {
        self.element_bytes == array.element_bytes
    }
}

/// What must hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Guard {
    /// What.
    pub condition: Condition,
    /// Loops around it: what it says is known inside so many of the access's.
    pub depth: usize,
    /// Where it is written.
    pub place: Place,
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Its variable's name; none where it has none that steps.
    pub name: Option<String>,
    /// Where it is written.
    pub span: Span,
    /// The variable's first value.
    pub lower: Option<Polynomial>,
    /// The first value that it no longer has.
    pub upper: Option<Polynomial>,
    /// Whether the variable runs up to `upper`, rather than down.
    pub rises: bool,
    /// Whether it ends where the variable equals `upper`, rather than passes it.
    pub until_equal: bool,
    /// How the variable changes.
    pub step: Step,
    /// How often it runs, where the variable steps by a sum and nothing else ends it.
    pub trips: Option<Polynomial>,
    /// Whether the body runs before the bound is looked at.
    pub body_first: bool,
    /// What else may end it: `break`, `return`, or a condition that is not of its variable alone.
    pub ends_early: Option<BTreeSet<AtomId>>,
}

/// How a loop's variable changes from pass to pass.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// By a sum.
    Add(Polynomial),
    /// By an operation with a number.
    By(Operation, Polynomial),
    /// By a product.
    Multiply(Polynomial),
}

/// A barrier.
#[derive(Clone, Debug)]
pub struct Barrier {
    /// Where.
    pub place: Place,
    /// Whether all work-items of a work-group come here alike.
    pub is_uniform: bool,
    /// What must hold.
    pub guards: Vec<Guard>,
    /// Loops around it, outermost first.
    pub loops: Vec<usize>,
}

/// What was not followed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Gap {
    /// Where.
    pub place: Place,
    /// Why.
    pub reason: String,
}

impl Accesses {
    /// Accesses of a parameter's array; by a pointer that may be into several arrays, of the first.
    pub(crate) fn of_parameter(&self, parameter: usize) -> impl Iterator<Item = &Access> {
        let is_own = move |array: usize| self.arrays[array].parameter == Some(parameter);
        let all = self.accesses.iter();
        all.filter(move |it| it.array.is_some_and(is_own))
    }

    /// Follows the kernel of this name; none where the source has none.
    pub fn of(unit: &Unit, kernel: &str) -> Option<Self> {
        let function = unit.function(kernel).filter(|it| it.is_kernel)?;
        let mut all = class::judged(walk::walk(unit, function));
        dimension::divide(&mut all);
        Some(all)
    }
}
