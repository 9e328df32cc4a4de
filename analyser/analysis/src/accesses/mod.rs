//! The memory accesses of a kernel, found by following the kernel's text once: helper functions are walked where they
//! are called, loops once for all iterations, both sides of a branch.

mod alternation;
mod atom;
mod calculation;
mod class;
mod dimension;
mod facts;
pub mod launch;
mod polynomial;
pub mod report;
mod text;
mod walk;

use std::collections::BTreeSet;

pub(crate) use atom::{Atom, Atoms, Condition, Id, Operation, Real, wrapped, wrapped_to};
pub(crate) use calculation::Calculation;
pub use class::Class;
pub use kerncast_wire::AccessDoes as Does;
pub(crate) use polynomial::{AtomId, Polynomial};
use serde::Serialize;
pub(crate) use text::signed_sum;

use crate::ast::{Place, Space, Span, Type, Unit, VariableId};

/// All accesses of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Accesses {
    /// The name of the kernel's function.
    pub function: String,
    /// Names of its parameters, in order.
    pub parameters: Vec<String>,
    /// Arguments and declared arrays, in the order of the text.
    pub arrays: Vec<Array>,
    /// Accesses, in the order in which the text runs.
    pub accesses: Vec<Access>,
    /// Loops around accesses, in the order of the text.
    pub(crate) loops: Vec<Loop>,
    /// Barriers, in the order in which the text runs.
    pub barriers: Vec<Barrier>,
    /// The atoms of formulas of indices and bounds.
    pub(crate) atoms: Atoms,
    /// Parts of the text that were not followed.
    pub gaps: Vec<Gap>,
    /// A call by which a function comes to call itself: OpenCL C has no recursion (1.2, section 6.9).
    pub recursion: Option<Gap>,
    /// Pointers that are declared into an array, or set to one.
    pub(crate) pointers: Vec<Pointing>,
}

/// A pointer variable that is given a place in an array.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pointing {
    pub(crate) variable: VariableId,
    /// Arrays that the pointer may be into from then on.
    pub(crate) arrays: BTreeSet<usize>,
    /// Bytes from the array's beginning.
    pub(crate) offset: Polynomial,
    /// The text of the value that it is set to.
    pub(crate) span: Span,
    /// Whether it is in the kernel itself, rather than in a function that it calls.
    pub(crate) is_own: bool,
}

/// Memory that is accessed by an index.
#[derive(Clone, Debug)]
pub struct Array {
    /// Its name.
    pub name: String,
    /// The memory that it lies in.
    pub space: Space,
    /// The type of its elements.
    pub element: Type,
    /// Bytes of an element; 1 where that is not known.
    pub element_bytes: u64,
    /// Lengths of a declared array, outermost first; empty for an argument.
    pub lengths: Vec<u64>,
    /// The kernel's parameter; none for a declared array.
    pub parameter: Option<usize>,
    /// The variable that is declared.
    pub variable: VariableId,
    /// The declaration.
    pub span: Span,
}

/// One access of the text. The text of a called function has one for each call.
#[derive(Clone, Debug)]
pub struct Access {
    /// Its place in [`Accesses::arrays`]; none where the pointer is not followed.
    pub array: Option<usize>,
    /// Other arrays that its pointer may be into instead, of the same memory and element size.
    pub also: Vec<usize>,
    /// Whether it reads, writes or is atomic.
    pub does: Does,
    /// Bytes that a work-item reads or writes at once; 1 where that is not known.
    pub bytes: u64,
    /// Bytes from the array's beginning.
    pub(crate) offset: Polynomial,
    /// Elements from the array's beginning.
    pub(crate) index: Polynomial,
    /// Bytes of an element as the index counts them: the array's, or those of the type that it is read or written by.
    pub element_bytes: u64,
    /// Bytes from that element's beginning.
    pub within: u64,
    /// The index by dimension, outermost first, in up to three dimensions, or as many as are declared.
    pub(crate) subscripts: Vec<Polynomial>,
    /// `.field` before each subscript, or nothing; empty where the text has no such subscripts.
    pub fields: Vec<String>,
    /// A step of each subscript in elements; the last is 1.
    pub(crate) strides: Vec<Polynomial>,
    /// Places of the loops around it, outermost first.
    pub loops: Vec<usize>,
    /// The conditions under which it happens.
    pub(crate) guards: Vec<Guard>,
    /// Its text.
    pub span: Span,
    /// Calls that lead to it, outermost first.
    pub calls: Vec<Place>,
    /// The class of its index.
    pub class: Class,
    /// Reasons why its index is not affine.
    pub reasons: Vec<String>,
    /// Places of the loads that its index depends on.
    pub depends_on: BTreeSet<usize>,
    /// Places of the loads that decide whether, and how often, the access happens.
    pub happens_by: BTreeSet<usize>,
}

impl Access {
    /// Whether the access may be to this array.
    pub(crate) fn touches(&self, array: usize) -> bool {
        self.array == Some(array) || self.also.contains(&array)
    }

    /// Whether the access's index counts this array's elements.
    pub(crate) fn counts(&self, array: &Array) -> bool {
        self.element_bytes == array.element_bytes
    }
}

/// A condition around something.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Guard {
    pub(crate) condition: Condition,
    /// Number of the loops around the access that are around the guard, too.
    pub(crate) depth: usize,
    pub(crate) place: Place,
}

/// A loop.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// Its variable's name; none where no variable steps.
    pub(crate) name: Option<String>,
    pub(crate) span: Span,
    /// The variable's first value.
    pub(crate) lower: Option<Polynomial>,
    /// The bound that the variable does not reach.
    pub(crate) upper: Option<Polynomial>,
    /// Whether the variable runs up to `upper`, rather than down.
    pub(crate) rises: bool,
    /// Whether the loop ends when the variable equals `upper`, rather than passes it.
    pub(crate) until_equal: bool,
    pub(crate) step: Step,
    /// Number of iterations, where the variable steps by a sum and nothing else ends the loop.
    pub(crate) trips: Option<Polynomial>,
    /// Whether the body runs before the bound is tested, as in `do … while`.
    pub(crate) body_first: bool,
    /// Atoms that decide whether something else ends the loop: `break`, `return`, or a condition of other variables.
    pub(crate) ends_early: Option<BTreeSet<AtomId>>,
}

/// How a loop's variable changes from iteration to iteration.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    /// The sum of the variable and this.
    Add(Polynomial),
    /// The operation of the variable and this.
    By(Operation, Polynomial),
    /// The product of the variable and this.
    Multiply(Polynomial),
}

impl Loop {
    /// The atoms of the loop's bounds.
    pub(crate) fn bound_atoms(&self) -> impl Iterator<Item = AtomId> {
        let bounds = [&self.lower, &self.upper].into_iter().flatten();
        bounds.flat_map(Polynomial::atoms)
    }
}

impl Step {
    pub(crate) fn amount(&self) -> &Polynomial {
        match self {
            Self::Add(by) | Self::By(_, by) | Self::Multiply(by) => by,
        }
    }
}

/// A barrier.
#[derive(Clone, Debug)]
pub struct Barrier {
    /// The place of the call.
    pub place: Place,
    /// Whether all work-items of a work-group arrive alike at any sizes.
    pub is_uniform: bool,
    /// The conditions under which work-items arrive.
    pub(crate) guards: Vec<Guard>,
    /// Places of the loops around it, outermost first.
    pub loops: Vec<usize>,
}

/// A part of the text that was not followed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Gap {
    /// The place in the source.
    pub place: Place,
    /// The reason why it was not followed.
    pub reason: String,
}

impl Accesses {
    /// Accesses of a parameter's array. A pointer that may be into several arrays counts for the first.
    pub(crate) fn of_parameter(&self, parameter: usize) -> impl Iterator<Item = &Access> {
        let is_own = move |array: usize| self.arrays[array].parameter == Some(parameter);
        let all = self.accesses.iter();
        all.filter(move |it| it.array.is_some_and(is_own))
    }

    /// The accesses of the kernel of this name; none where the source has none.
    pub fn of(unit: &Unit, kernel: &str) -> Option<Self> {
        let function = unit.function(kernel).filter(|it| it.is_kernel)?;
        let mut all = walk::walk(unit, function);
        class::classify(&mut all);
        dimension::add_dimensions(&mut all);
        Some(all)
    }
}
