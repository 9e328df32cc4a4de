//! Kernels made for what the launch file gives them: a part of an array whose size an argument decides has a size then,
//! and rows of a picture that is launched as one line are apart. Any other launch runs the author's text, which stands
//! there too.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Localized, Reason, Refusal, localized_for,
    subject::Subject,
    values::{Known, Values},
    words::Words,
    written::Written,
};
use crate::{
    accesses::{Atom, AtomId, Id},
    ast::{Part, Space, StmtKind},
};

/// Rewrites a kernel for what launches have alike, as little of it as is needed, where more arrays go to local memory
/// then.
pub(super) fn special(subject: Subject<'_>, general: Localized) -> Localized {
    let is_of_size = |it: &Refusal| matches!(it.reason, Reason::SizeDepends | Reason::Shape);
    let is_apart = !general.dropped.is_empty() || !general.added.is_empty();
    if is_apart || !general.refusals.iter().any(is_of_size) || has_local(subject) {
        return general;
    }
    let numbers = numbers(subject);
    let mut values: Values = numbers
        .iter()
        .filter_map(|(atom, all)| Some((*atom, same(all).or_else(|| multiple(subject, all))?)))
        .collect();
    let mut best = localized_for(subject, &values);
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
            let found = localized_for(subject, &fewer);
            if gain(&found, &general) >= gain(&best, &general) {
                (best, values) = (found, fewer);
                break;
            }
        }
    }
    best
}

/// How many arrays go to local memory; none where another launch could not run beside it, or something stays that went
/// there before.
fn gain(now: &Localized, general: &Localized) -> Option<usize> {
    let has = |array: &String| now.placed.iter().any(|it| it.array == *array);
    let keeps = general.placed.iter().all(|it| has(&it.array));
    let is_alike = now.dropped.is_empty() && now.added.is_empty();
    let arrays: BTreeSet<&String> = now.placed.iter().map(|it| &it.array).collect();
    (keeps && is_alike).then_some(arrays.len())
}

/// Numbers that launches give, one of each launch.
fn numbers(subject: Subject<'_>) -> BTreeMap<AtomId, Vec<i64>> {
    let atoms = &subject.accesses.atoms;
    let of = |atom: AtomId| {
        let known = match atoms.get(atom) {
            known @ (Atom::Scalar(..) | Atom::Id(Id::GlobalSize | Id::Groups, _)) => known,
            _ => return None,
        };
        let all = subject
            .launches
            .iter()
            .map(|it| it.geometry.launch_constant(known));
        Some((atom, all.collect::<Option<Vec<i64>>>()?))
    };
    (0..atoms.len()).filter_map(of).collect()
}

fn same(all: &[i64]) -> Option<Known> {
    let first = *all.first()?;
    all.iter()
        .all(|it| *it == first)
        .then_some(Known::Equal(first))
}

/// Of a work-group's length, where rows of it are whole work-groups.
fn multiple(subject: Subject<'_>, all: &[i64]) -> Option<Known> {
    let lengths = subject.launches.first()?.geometry.local.into_iter();
    let is_multiple = |of: &i64| *of > 1 && all.iter().all(|it| *it > 0 && it % of == 0);
    lengths.filter(is_multiple).max().map(Known::Multiple)
}

/// Whether the kernel declares local or constant memory, which no block in it may do.
fn has_local(subject: Subject<'_>) -> bool {
    let Some(function) = subject.function() else {
        return true;
    };
    let mut found = false;
    subject.unit.visit(&function.body, &mut |part| {
        if let Part::Stmt(stmt) = part
            && let StmtKind::Declare(variables) = &stmt.kind
        {
            let mut variables = variables.iter();
            found |= variables.any(|id| {
                matches!(
                    subject.unit.variables[*id].space,
                    Space::Local | Space::Constant
                )
            });
        }
    });
    found
}

/// Puts the author's text in for other launches.
///
/// # Errors
/// A number has no name here.
pub(super) fn others(
    subject: Subject<'_>,
    words: &Words<'_>,
    values: &Values,
    written: &mut Written,
) -> Result<(), Reason> {
    if values.is_empty() {
        return Ok(());
    }
    for (atom, known) in values {
        let name = words.name(*atom)?;
        written.only_for.push(match known {
            Known::Equal(value) => format!("{name} == {value}"),
            Known::Multiple(of) => format!("{name} > 0 && {name} % {of} == 0"),
        });
    }
    let body = subject.function().ok_or(Reason::Text)?;
    let body = subject.range(&body.body.span)?;
    let own = subject.text(&(body.start + 1..body.end - 1)).trim_end();
    let own = own.trim_start_matches('\n').lines();
    let own = own.map(
        |line| match line.trim().is_empty() || line.starts_with('#') {
            true => line.to_owned(),
            false => format!("    {line}"),
        },
    );
    let own: Vec<String> = own.collect();
    let name = written.name(subject, "is_made_for_it");
    let declared = format!("const bool {name} = {};", written.only_for.join(" && "));
    written.declared.push(declared);
    // A branch that leaves stands behind the barrier: PoCL 3.1 makes mistakes where it stands before one.
    if !written.begun.is_empty() {
        let lines = written.begun.drain(..).map(|line| format!("    {line}"));
        let lines: Vec<String> = lines.collect();
        written.begun = [vec![format!("if ({name}) {{")], lines, vec!["}".to_owned()]].concat();
    }
    written.others = vec![
        format!("if (!{name}) {{ // another launch: as it was written"),
        format!("    {}", own.join("\n").trim_start()),
        "    return;".to_owned(),
        "}".to_owned(),
    ];
    Ok(())
}
