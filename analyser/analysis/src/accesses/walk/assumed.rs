//! Pointers that a loop sets, and numbers that it puts back: what they are taken to be, and whether they are.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Walker,
    after::Changing,
    assigned::{Change, Changes},
    stmt::Variables,
    value::{Pointer, Value},
};
use crate::{accesses::Polynomial, ast::VariableId};

/// What pointers that a loop sets, and numbers, are taken to be at the beginning of any pass; whether they are shows at
/// its end.
#[derive(Clone, PartialEq)]
pub(super) struct Assumed {
    /// None of a number.
    pub(super) arrays: BTreeSet<usize>,
    /// Where it is always the same.
    pub(super) offset: Option<Polynomial>,
}

impl Assumed {
    pub(super) fn set(&self, pointer: &mut Pointer) {
        pointer.also.clone_from(&self.arrays);
        pointer.array = pointer.also.pop_first();
        if let Some(offset) = &self.offset {
            pointer.offset.clone_from(offset);
        }
    }
}

/// By variable.
pub(super) type Assumptions = BTreeMap<VariableId, Assumed>;

/// What was found before a loop's body was walked.
pub(super) struct State {
    pub(super) variables: Variables,
    pub(super) accesses: usize,
    pub(super) loops: usize,
    pub(super) barriers: usize,
    pub(super) gaps: usize,
    pub(super) guards: usize,
    pub(super) returned: usize,
    pub(super) pointers: usize,
}

impl Walker<'_> {
    /// Pointers that the loop sets, which are taken to be swapped with each other.
    pub(super) fn assumed(&self, changes: &Changes<'_>) -> Assumptions {
        let mut pointers: Vec<(VariableId, &Pointer)> = Vec::new();
        for (variable, change) in &changes.variables {
            if let (Change::Other, Some(Value::Pointer(pointer))) =
                (change, self.variables.get(variable))
                && pointer.array.is_some()
            {
                pointers.push((*variable, pointer));
            }
        }
        let arrays: BTreeSet<usize> = pointers
            .iter()
            .flat_map(|(_, pointer)| pointer.arrays())
            .collect();
        let are_alike = self.are_alike(&arrays);
        let first = pointers.first().map(|(_, pointer)| pointer.offset.clone());
        let is_same = pointers
            .iter()
            .all(|(_, pointer)| Some(&pointer.offset) == first.as_ref());
        let each = pointers.iter().map(|(variable, pointer)| {
            let assumed = Assumed {
                arrays: if are_alike {
                    arrays.clone()
                } else {
                    pointer.arrays()
                },
                offset: Some(pointer.offset.clone()).filter(|_| is_same),
            };
            (*variable, assumed)
        });
        each.collect()
    }

    /// What is to be assumed after what a pass left.
    pub(super) fn contradicted(&self, assumed: &Assumptions) -> Assumptions {
        let mut better = Assumptions::new();
        for (variable, own) in assumed {
            let after = match self.variables.get(variable) {
                Some(Value::Pointer(after)) => after,
                Some(Value::Whole(after)) if own.offset.as_ref() == Some(after) => {
                    better.insert(*variable, own.clone());
                    continue;
                }
                _ => continue,
            };
            let mut arrays = own.arrays.clone();
            arrays.extend(after.arrays());
            if after.array.is_none() || !self.are_alike(&arrays) {
                continue;
            }
            let offset = own.offset.clone().filter(|offset| *offset == after.offset);
            better.insert(*variable, Assumed { arrays, offset });
        }
        better
    }

    /// Numbers that are at a pass's end what they were before the loop, whatever they were at the pass's beginning, or what
    /// they were there: so they are that at the beginning of every pass.
    pub(super) fn put_back(&self, changing: &[Changing], changes: &Changes<'_>) -> Assumptions {
        let is_back = |one: &Changing| {
            let (Value::Whole(first), Some((_, own))) = (&one.before, &one.carried) else {
                return None;
            };
            let after = self.variables.get(&one.variable)?;
            let assumed = Assumed {
                arrays: BTreeSet::new(),
                offset: Some(first.clone()),
            };
            (*after == one.before || after == own).then_some((one.variable, assumed))
        };
        match changes.continues {
            // What is left behind by `continue` is not looked at.
            true => Assumptions::new(),
            false => changing.iter().filter_map(is_back).collect(),
        }
    }

    pub(super) fn state(&self) -> State {
        State {
            variables: self.variables.clone(),
            accesses: self.found.accesses.len(),
            loops: self.found.loops.len(),
            barriers: self.found.barriers.len(),
            gaps: self.found.gaps.len(),
            guards: self.guards.len(),
            returned: self.returned.len(),
            pointers: self.found.pointers.len(),
        }
    }

    pub(super) fn restore(&mut self, state: State) {
        self.variables = state.variables;
        self.found.accesses.truncate(state.accesses);
        self.found.loops.truncate(state.loops);
        self.found.barriers.truncate(state.barriers);
        self.found.gaps.truncate(state.gaps);
        self.guards.truncate(state.guards);
        self.returned.truncate(state.returned);
        self.found.pointers.truncate(state.pointers);
    }
}
