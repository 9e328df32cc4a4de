//! Functions that call themselves, by others or not.

use std::collections::BTreeSet;

use super::Gap;
use crate::ast::{ExprKind, Function, Part, Place, Unit};

/// A call by which a function that `kernel` calls comes to call itself.
pub(super) fn recursion(unit: &Unit, kernel: &Function) -> Option<Gap> {
    let (mut open, mut seen) = (vec![kernel], BTreeSet::new());
    while let Some(function) = open.pop() {
        if !seen.insert(&*function.name) {
            continue;
        }
        for (called, place) in calls(unit, function) {
            if reaches(unit, called, function) {
                let name = &function.name;
                let reason = match called.name == *name {
                    true => format!("`{name}` calls itself"),
                    false => format!("`{name}` calls itself by `{}`", called.name),
                };
                let place = place.clone();
                return Some(Gap { place, reason });
            }
            open.push(called);
        }
    }
    None
}

/// Whether a call of `from` may end up in `to`.
fn reaches(unit: &Unit, from: &Function, to: &Function) -> bool {
    let (mut open, mut seen) = (vec![from], BTreeSet::new());
    while let Some(function) = open.pop() {
        if function.name == to.name {
            return true;
        }
        if seen.insert(&*function.name) {
            open.extend(calls(unit, function).into_iter().map(|(called, _)| called));
        }
    }
    false
}

/// The first call of each function that has a body here.
fn calls<'u>(unit: &'u Unit, function: &'u Function) -> Vec<(&'u Function, &'u Place)> {
    let (mut calls, mut seen) = (Vec::new(), BTreeSet::new());
    unit.visit(&function.body, &mut |part| {
        if let Part::Expr(expr) = part
            && let ExprKind::Call(name, _) = &expr.kind
            && seen.insert(name)
            && let Some(called) = unit.function(name)
        {
            calls.push((called, &expr.span.begin));
        }
    });
    calls
}
