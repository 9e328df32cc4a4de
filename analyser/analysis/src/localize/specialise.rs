//! Kernels made for the values that the launch file gives them. A part of an array whose size depends on an argument
//! then has a known size, as do the rows of a picture that is launched as one line. Any other launch runs the author's
//! text, which stays in the kernel too.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    LaunchValue, LaunchValues, Localized, Reason, Refusal, Renderer, Rewrite, Subject,
    localize_for, stmts,
};
use crate::{
    accesses::{Atom, AtomId, Id},
    ast::{Space, Stmt, StmtKind},
};

/// Rewrites a kernel for values that all launches have, if more arrays go to local memory then. It uses as few values
/// as are needed. `general`: the kernel that any launch can run.
pub(super) fn specialise(subject: Subject<'_>, general: Localized) -> Localized {
    let is_of_size = |it: &Refusal| matches!(it.reason, Reason::SizeDepends | Reason::Shape);
    let has_changed_arguments =
        !general.dropped_parameters.is_empty() || !general.local_arguments.is_empty();
    if has_changed_arguments || !general.refusals.iter().any(is_of_size) || has_local(subject) {
        return general;
    }
    let numbers = numbers(subject);
    let mut values = LaunchValues::new();
    for (atom, all) in &numbers {
        let value = same(all).or_else(|| multiple(subject, all));
        values.extend(value.map(|it| (*atom, it)));
    }
    let mut best = localize_for(subject, &values);
    if gain(&best, &general) <= gain(&general, &general) {
        return general;
    }
    let mut by_size: Vec<(&Vec<i64>, AtomId)> =
        numbers.iter().map(|(atom, all)| (all, *atom)).collect();
    by_size.sort_unstable();
    // What is largest is most likely the length of everything.
    for (all, atom) in by_size.into_iter().rev() {
        for less in [None, multiple(subject, all)] {
            let mut fewer = values.clone();
            if fewer.remove(&atom) == less {
                break;
            }
            fewer.extend(less.map(|it| (atom, it)));
            let other = localize_for(subject, &fewer);
            if gain(&other, &general) >= gain(&best, &general) {
                (best, values) = (other, fewer);
                break;
            }
        }
    }
    best
}

/// Number of arrays in local memory. None where the author's text could not run beside it for other launches, or an
/// array is left out that was in local memory before.
fn gain(now: &Localized, general: &Localized) -> Option<usize> {
    let has = |array: &String| now.placed.iter().any(|it| it.array == *array);
    let keeps = general.placed.iter().all(|it| has(&it.array));
    let has_same_arguments = now.dropped_parameters.is_empty() && now.local_arguments.is_empty();
    let arrays: BTreeSet<&String> = now.placed.iter().map(|it| &it.array).collect();
    (keeps && has_same_arguments).then_some(arrays.len())
}

/// Numbers that launches give: by atom, one for each launch.
fn numbers(subject: Subject<'_>) -> BTreeMap<AtomId, Vec<i64>> {
    let atoms = &subject.accesses.atoms;
    let atom_numbers = |atom: AtomId| {
        let number = match atoms.get(atom) {
            number @ (Atom::Scalar(..) | Atom::Id(Id::GlobalSize | Id::Groups, _)) => number,
            _ => return None,
        };
        let launches = subject.launches.iter();
        let all = launches.map(|it| it.geometry.launch_constant(number));
        Some((atom, all.collect::<Option<Vec<i64>>>()?))
    };
    (0..atoms.len()).filter_map(atom_numbers).collect()
}

fn same(all: &[i64]) -> Option<LaunchValue> {
    let first = *all.first()?;
    let are_same = all.iter().all(|it| *it == first);
    are_same.then_some(LaunchValue::Equal(first))
}

/// The largest length of a work-group of which all numbers are multiples.
fn multiple(subject: Subject<'_>, all: &[i64]) -> Option<LaunchValue> {
    let lengths = subject.launches.first()?.geometry.local.into_iter();
    let is_multiple =
        |length: &i64| *length > 1 && all.iter().all(|it| *it > 0 && it % length == 0);
    lengths.filter(is_multiple).max().map(LaunchValue::Multiple)
}

/// Whether the kernel declares local or constant memory, which is not allowed in a block within it.
fn has_local(subject: Subject<'_>) -> bool {
    let Some(function) = subject.function() else {
        return true;
    };
    let declares_local = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Declare(variables) => variables.iter().any(|id| {
            let space = subject.unit.variables[*id].space;
            matches!(space, Space::Local | Space::Constant)
        }),
        _ => false,
    };
    let mut all = stmts(subject.unit, &function.body).into_iter();
    all.any(declares_local)
}

/// Keeps the author's text for launches that have other values.
///
/// # Errors
/// A number has no name here.
pub(super) fn keep_for_others(
    subject: Subject<'_>,
    renderer: &Renderer<'_>,
    values: &LaunchValues,
    rewrite: &mut Rewrite,
) -> Result<(), Reason> {
    if values.is_empty() {
        return Ok(());
    }
    for (atom, value) in values {
        let name = renderer.name(*atom)?;
        rewrite.only_for.push(match value {
            LaunchValue::Equal(value) => format!("{name} == {value}"),
            LaunchValue::Multiple(factor) => format!("{name} > 0 && {name} % {factor} == 0"),
        });
    }
    let body = subject.function().ok_or(Reason::Text)?;
    let body = subject.range(&body.body.span)?;
    let own = subject.text(&(body.start + 1..body.end - 1)).trim_end();
    let own = own.trim_start_matches('\n').lines();
    let own = own.map(|line| {
        let indent = if line.trim().is_empty() || line.starts_with('#') {
            ""
        } else {
            "    "
        };
        format!("{indent}{line}")
    });
    let own: Vec<String> = own.collect();
    let name = rewrite.name(subject, "is_made_for_it");
    let condition = rewrite.only_for.join(" && ");
    let declaration = format!("const bool {name} = {condition};");
    rewrite.declarations.push(declaration);
    // A branch that leaves stands behind the barrier: PoCL 3.1 makes mistakes where it stands before one.
    if !rewrite.prologue.is_empty() {
        let lines = rewrite.prologue.drain(..).map(|line| format!("    {line}"));
        let lines: Vec<String> = lines.collect();
        rewrite.prologue = [vec![format!("if ({name}) {{")], lines, vec!["}".to_owned()]].concat();
    }
    rewrite.other_launches = vec![
        format!("if (!{name}) {{ // another launch: as it was written"),
        format!("    {}", own.join("\n").trim_start()),
        "    return;".to_owned(),
        "}".to_owned(),
    ];
    Ok(())
}
