//! Assumptions about variables at the beginning of a loop's iterations. An iteration's end shows whether they are
//! right.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Pointer, Value, Variables, Walker,
    loop_changes::{Change, Changes, ChangingVariable},
};
use crate::{accesses::Polynomial, ast::VariableId};

/// The assumption about a variable at the beginning of any iteration.
#[derive(Clone, PartialEq)]
pub(super) struct Assumption {
    /// Arrays that a pointer may be into; empty for a number.
    arrays: BTreeSet<usize>,
    /// A pointer's offset, or a number, if it is the same in all iterations.
    value: Option<Polynomial>,
}

impl Assumption {
    pub(super) fn apply(&self, pointer: &mut Pointer) {
        pointer.also.clone_from(&self.arrays);
        pointer.array = pointer.also.pop_first();
        if let Some(offset) = &self.value {
            pointer.offset.clone_from(offset);
        }
    }
}

pub(super) type Assumptions = BTreeMap<VariableId, Assumption>;

/// The walker's state before a loop's body.
pub(super) struct Snapshot {
    variables: Variables,
    accesses: usize,
    loops: usize,
    barriers: usize,
    gaps: usize,
    guards: usize,
    pub(super) returns: usize,
    pointers: usize,
}

impl Walker<'_> {
    /// The first assumptions: pointers that the loop sets are swapped with each other.
    pub(super) fn assume_swaps(&self, changes: &Changes<'_>) -> Assumptions {
        let mut pointers: Vec<(VariableId, &Pointer)> = Vec::new();
        for (variable, change) in &changes.variables {
            if let (Change::Other, Some(Value::Pointer(pointer))) =
                (change, self.variables.get(variable))
                && pointer.array.is_some()
            {
                pointers.push((*variable, pointer));
            }
        }
        let arrays = pointers.iter().flat_map(|(_, pointer)| pointer.arrays());
        let arrays: BTreeSet<usize> = arrays.collect();
        let are_alike = self.are_interchangeable(&arrays);
        let first = pointers.first().map(|(_, pointer)| pointer.offset.clone());
        let is_same = pointers
            .iter()
            .all(|(_, pointer)| Some(&pointer.offset) == first.as_ref());
        let each = pointers.iter().map(|(variable, pointer)| {
            let assumption = Assumption {
                arrays: if are_alike {
                    arrays.clone()
                } else {
                    pointer.arrays()
                },
                value: Some(pointer.offset.clone()).filter(|_| is_same),
            };
            (*variable, assumption)
        });
        each.collect()
    }

    /// The assumptions revised after an iteration: the same if all are right.
    pub(super) fn revise(&self, assumptions: &Assumptions) -> Assumptions {
        let mut revised = Assumptions::new();
        for (variable, own) in assumptions {
            let after = match self.variables.get(variable) {
                Some(Value::Pointer(after)) => after,
                Some(Value::Whole(after)) if own.value.as_ref() == Some(after) => {
                    revised.insert(*variable, own.clone());
                    continue;
                }
                _ => continue,
            };
            let mut arrays = own.arrays.clone();
            arrays.extend(after.arrays());
            if after.array.is_none() || !self.are_interchangeable(&arrays) {
                continue;
            }
            let value = own.value.clone().filter(|offset| *offset == after.offset);
            revised.insert(*variable, Assumption { arrays, value });
        }
        revised
    }

    /// Numbers that an iteration restores: at its end they are what they were before the loop, or at the iteration's
    /// beginning. They are therefore the same at the beginning of every iteration.
    pub(super) fn restored_numbers(
        &self,
        changing: &[ChangingVariable],
        changes: &Changes<'_>,
    ) -> Assumptions {
        // At a `continue` they may not be restored yet.
        if changes.continues {
            return Assumptions::new();
        }
        let restored = |one: &ChangingVariable| {
            let (Value::Whole(first), Some((_, own))) = (&one.before, &one.carried) else {
                return None;
            };
            let after = self.variables.get(&one.variable)?;
            let assumption = Assumption {
                arrays: BTreeSet::new(),
                value: Some(first.clone()),
            };
            (*after == one.before || after == own).then_some((one.variable, assumption))
        };
        changing.iter().filter_map(restored).collect()
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot {
            variables: self.variables.clone(),
            accesses: self.output.accesses.len(),
            loops: self.output.loops.len(),
            barriers: self.output.barriers.len(),
            gaps: self.output.gaps.len(),
            guards: self.guards.len(),
            returns: self.returns.len(),
            pointers: self.output.pointers.len(),
        }
    }

    pub(super) fn restore(&mut self, before: Snapshot) {
        self.variables = before.variables;
        self.output.accesses.truncate(before.accesses);
        self.output.loops.truncate(before.loops);
        self.output.barriers.truncate(before.barriers);
        self.output.gaps.truncate(before.gaps);
        self.guards.truncate(before.guards);
        self.returns.truncate(before.returns);
        self.output.pointers.truncate(before.pointers);
    }
}
