//! The other way: local memory back to global memory. What only holds copies of an argument is read where it came
//! from; any other local array becomes a part of a buffer that all work-groups share, one part each.

mod copies;
mod copy_text;
mod declared;
mod fences;
mod removed;
mod scratch;
mod tokens;

use std::collections::BTreeSet;

use super::{
    Halo, Localized, Mechanism, Placed,
    edit::edited,
    refusal::{Reason, Refusal},
    subject::Subject,
};
use crate::ast::{ExprKind, Function, Part, Place, Space, StmtKind, Type, Unit, VariableId};

pub use fences::is_global;

/// A buffer that the rewritten kernel takes in place of local memory: behind each other the work-groups' parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scratch {
    /// Its parameter.
    pub name: String,
    /// The parameter whose place it takes; none of what the kernel declared: those come behind all others.
    pub replaces: Option<usize>,
    /// What it is of, as OpenCL C calls it; none of a structure.
    pub element: Option<String>,
    /// Bytes of that.
    pub element_bytes: u64,
    /// Elements of a work-group; none where the launch gives the number.
    pub elements: Option<u64>,
    /// The parameter behind it that is given that number.
    pub length: Option<String>,
}

/// What lies in local memory.
struct Held {
    variable: VariableId,
    /// Its place among the kernel's parameters.
    parameter: Option<usize>,
}

/// Rewrites a kernel so that it needs no local memory.
///
/// The buffers that it takes instead are in [`Localized::scratch`].
pub fn undo(subject: Subject<'_>) -> Localized {
    let mut localized = Localized::default();
    let Some(function) = subject.function() else {
        localized.refuse_all(Reason::NotFollowed, &Place::default());
        return localized;
    };
    let place = &function.span.begin;
    let held = local(subject.unit, function);
    if held.is_empty() {
        localized.refuse_all(Reason::NoLocal, place);
        return localized;
    }
    let copied = copies::found(subject, function, &held);
    // Where what is read where it came from has no text, all of it goes to scratch memory.
    for copied in [copied, Vec::new()] {
        localized = Localized::default();
        match scratch::written(subject, function, &held, &copied, &mut localized) {
            Ok(()) if edited(subject.source, &localized.edits).is_some() => break,
            Ok(()) => localized.refuse_all(Reason::Text, place),
            Err(refusal) => {
                localized = Localized::default();
                localized.refusals.push(refusal);
            }
        }
    }
    localized
}

/// What a kernel has in local memory: parameters, then declared ones.
fn local(unit: &Unit, function: &Function) -> Vec<Held> {
    let mut all = Vec::new();
    for (place, id) in function.parameters.iter().enumerate() {
        if let Type::Pointer(Space::Local, _) = unit.variables[*id].of {
            all.push(Held {
                variable: *id,
                parameter: Some(place),
            });
        }
    }
    unit.visit(&function.body, &mut |part| {
        if let Part::Stmt(stmt) = part
            && let StmtKind::Declare(variables) = &stmt.kind
        {
            let own = variables.iter();
            let own = own.filter(|id| unit.variables[**id].space == Space::Local);
            all.extend(own.map(|id| Held {
                variable: *id,
                parameter: None,
            }));
        }
    });
    all
}

/// A kernel and all functions that it calls.
fn reached<'u>(unit: &'u Unit, function: &'u Function) -> Vec<&'u Function> {
    let mut all = vec![function];
    let mut names: BTreeSet<&str> = BTreeSet::from([&*function.name]);
    let mut next = 0;
    while let Some(one) = all.get(next).copied() {
        next += 1;
        unit.visit(&one.body, &mut |part| {
            if let Part::Expr(expr) = part
                && let ExprKind::Call(name, _) = &expr.kind
                && let Some(called) = unit.function(name)
                && names.insert(&called.name)
            {
                all.push(called);
            }
        });
    }
    all
}

impl Localized {
    fn refuse_all(&mut self, reason: Reason, place: &Place) {
        self.refusals.push(Refusal {
            array: None,
            reason,
            place: place.clone(),
        });
    }
}

/// A variable's elements, and how many by dimension; nothing of one that is no array.
fn shape(unit: &Unit, id: VariableId) -> (&Type, Vec<u64>) {
    match &unit.variables[id].of {
        Type::Pointer(_, of) => (of, Vec::new()),
        of => of.lengths(),
    }
}

/// What is said of an array that is no longer in local memory.
fn placed(unit: &Unit, held: &Held, mechanism: Mechanism) -> Placed {
    let (of, lengths) = shape(unit, held.variable);
    let number = |length: &u64| i64::try_from(*length).unwrap_or(i64::MAX);
    let elements = lengths
        .iter()
        .fold(1, |all: u64, it| all.saturating_mul(*it));
    let is_known = held.parameter.is_none();
    Placed {
        array: unit.variables[held.variable].name.to_string(),
        mechanism,
        extents: match is_known {
            true if lengths.is_empty() => vec![1],
            _ => lengths.iter().map(number).collect(),
        },
        halo: vec![Halo::default(); lengths.len().max(1)],
        element_bytes: of.bytes().unwrap_or_default(),
        bytes: match is_known {
            true => elements.saturating_mul(of.bytes().unwrap_or_default()),
            false => 0,
        },
        reads: None,
        fills: None,
    }
}
