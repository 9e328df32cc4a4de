//! Kernels made for what the launch file gives them: a part of an array whose size an argument decides has a size then.
//! Any other launch runs the author's text, which stands there too.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Localized, Reason, Refusal, localized_for, subject::Subject, words::Words, written::Written,
};
use crate::{
    accesses::{Atom, AtomId, Id},
    ast::{Part, Space, StmtKind},
};

/// Numbers that every launch has alike: arguments, and sizes of the launch.
pub(super) type Values = BTreeMap<AtomId, i64>;

/// Rewrites a kernel for such numbers alone, as few as are needed, where more arrays go to local memory then.
pub(super) fn special(subject: Subject<'_>, general: Localized) -> Localized {
    let is_of_size = |it: &Refusal| matches!(it.reason, Reason::SizeDepends | Reason::Shape);
    let is_apart = !general.dropped.is_empty() || !general.added.is_empty();
    if is_apart || !general.refusals.iter().any(is_of_size) || has_local(subject) {
        return general;
    }
    let mut values = same(subject);
    let mut best = localized_for(subject, &values);
    if gain(&best, &general) <= gain(&general, &general) {
        return general;
    }
    let mut by_size: Vec<(i64, AtomId)> = values.iter().map(|(atom, it)| (*it, *atom)).collect();
    by_size.sort_unstable();
    // What is largest is most likely the length of everything.
    for (value, atom) in by_size.into_iter().rev() {
        values.remove(&atom);
        let fewer = localized_for(subject, &values);
        match gain(&fewer, &general) >= gain(&best, &general) {
            true => best = fewer,
            false => {
                values.insert(atom, value);
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

fn same(subject: Subject<'_>) -> Values {
    let atoms = &subject.accesses.atoms;
    let value = |atom: AtomId| {
        let known = match atoms.get(atom) {
            known @ (Atom::Scalar(..) | Atom::Id(Id::GlobalSize | Id::Groups, _)) => known,
            _ => return None,
        };
        let mut values = subject.launches.iter().map(|it| it.geometry.fixed(known));
        let first = values.next()??;
        values.all(|it| it == Some(first)).then_some((atom, first))
    };
    (0..atoms.len()).filter_map(value).collect()
}

/// Whether the kernel declares local memory, which no block in it may do.
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
            found |= variables.any(|id| subject.unit.variables[*id].space == Space::Local);
        }
    });
    found
}

/// Puts the author's text in for launches with other values.
///
/// # Errors
/// A value has no name here.
pub(super) fn others(
    subject: Subject<'_>,
    words: &Words<'_>,
    values: &Values,
    written: &mut Written,
) -> Result<(), Reason> {
    if values.is_empty() {
        return Ok(());
    }
    let body = subject.function().ok_or(Reason::Text)?;
    let body = subject.range(&body.body.span)?;
    let mut differs = Vec::new();
    for (atom, value) in values {
        let name = words.name(*atom)?;
        written.only_for.push((name.clone(), *value));
        differs.push(format!("{name} != {value}"));
    }
    let condition = differs.join(" || ");
    let own = subject.text(&(body.start + 1..body.end - 1)).trim_end();
    let own = own.trim_start_matches('\n');
    let own: Vec<String> = own
        .lines()
        .map(|line| match line.trim().is_empty() || line.starts_with('#') {
            true => line.to_owned(),
            false => format!("    {line}"),
        })
        .collect();
    written.before = vec![
        format!("if ({condition}) {{ // another launch: as it was written"),
        own.join("\n").trim_start().to_owned(),
        "    return;".to_owned(),
        "}".to_owned(),
    ];
    written.before[1].insert_str(0, "    ");
    Ok(())
}
