//! Stores that neighbours make far from each other: the work-group turns what it stores in local memory, and writes it
//! side by side at its end. Each work-item then stores what the one does that has its ids the other way round: a square
//! work-group stores the same numbers at the same places.

use std::{collections::BTreeSet, ops::Range};

use super::{
    Mechanism,
    formula::{DEEPEST, Formulas},
    kernel::Kernel,
    placement::{Candidate, Placement},
    privatised::ends,
    reference::{FAR, mentions},
    refusal::{Reason, Why},
    subject::Subject,
    words::Words,
    write::element,
    written::Written,
};
use crate::{
    accesses::{Access, Accesses, Atom, AtomId, Condition, Does, Id, Polynomial},
    ast::{Expr, ExprKind, Part, StmtKind},
};

/// A store that is staged.
pub(super) struct Staged {
    array: usize,
    /// Work-items of a side.
    side: i64,
    bytes: u64,
    /// Where it stands.
    range: Range<usize>,
    /// Where the work-item stores at the end: subscripts, what a step of each is, and whether it does.
    subscripts: Vec<Polynomial>,
    strides: Vec<Polynomial>,
    guards: Vec<Condition>,
}

/// A store that is staged. What is not goes on to be said to be only written.
pub(super) fn find(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    kernel: &Kernel,
    candidate: &Candidate<'_>,
) -> Option<Result<Vec<Staged>, Why>> {
    let [access] = candidate.own.as_slice() else {
        return None;
    };
    if access.does != Does::Store || !is_far(formulas, access) {
        return None;
    }
    let done = staged(subject, formulas, candidate, access);
    let done = done.and_then(|done| ends(subject, kernel).map(|()| vec![done]));
    Some(done.map_err(|reason| (reason, None)))
}

/// Whether neighbours store far from each other, and those beside them in the second dimension side by side.
fn is_far(formulas: &mut Formulas, access: &Access) -> bool {
    let [x, y, z] = formulas.local;
    let Some(index) = formulas.normal(&access.index) else {
        return false;
    };
    let by = |dimension: u8| {
        let is_id =
            |atom: &AtomId| formulas.all.atoms.get(*atom) == &Atom::Id(Id::Local, dimension);
        let own = index
            .terms()
            .filter(|(factors, _)| factors.iter().any(is_id));
        own.map(|(factors, number)| (factors.len() - 1, number))
            .collect::<Vec<_>>()
    };
    let is_far = match by(0).as_slice() {
        [] => false,
        [(0, number)] => number.abs() >= FAR,
        _ => true,
    };
    x > 1 && y > 1 && z == 1 && is_far && by(1) == [(0, 1)]
}

fn staged(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    candidate: &Candidate<'_>,
    access: &Access,
) -> Result<Staged, Reason> {
    let all = subject.accesses;
    let array = candidate.array;
    let of = &all.arrays[array];
    let parameter = of.parameter.ok_or(Reason::Written)?;
    let [side, other, _] = formulas.local;
    if side != other {
        return Err(Reason::NotSquare);
    }
    if access.array != Some(array) || !access.also.is_empty() {
        return Err(Reason::SeveralArrays);
    }
    if !access.calls.is_empty() {
        return Err(Reason::InFunction);
    }
    if !access.loops.is_empty() {
        return Err(Reason::InLoop);
    }
    if access.bytes != of.element_bytes || access.within != 0 {
        return Err(Reason::Shape);
    }
    // It is stored at the kernel's end: nothing may read, or store, at these places before.
    if (0..all.parameters.len()).any(|other| subject.is_same(parameter, other)) {
        return Err(Reason::SameBuffer);
    }
    if all.accesses.iter().any(|it| it.array.is_none()) {
        return Err(Reason::UnknownIndex);
    }
    if !subject.is_fixed(of.variable) {
        return Err(Reason::Name);
    }
    if subject.is_volatile(array) {
        return Err(Reason::Volatile);
    }
    let range = stored(subject, access)?;
    let mut turned = |of: &Polynomial| {
        let normal = formulas.normal(of).ok_or(Reason::Shape)?;
        let turned = formulas.put(&normal, &mut turned, DEEPEST);
        turned.ok_or(Reason::Shape)
    };
    let subscripts: Result<Vec<_>, _> = access.subscripts.iter().map(&mut turned).collect();
    let strides: Result<Vec<_>, _> = access.strides.iter().map(&mut turned).collect();
    let (subscripts, strides) = (subscripts?, strides?);
    let mut guards = Vec::new();
    for guard in &access.guards {
        guards.push(condition(&guard.condition, &mut turned)?);
    }
    // A loop's variable means nothing at the kernel's end.
    let mut atoms: BTreeSet<AtomId> = subscripts.iter().flat_map(Polynomial::atoms).collect();
    atoms.extend(access.guards.iter().flat_map(|it| it.condition.atoms()));
    if atoms
        .iter()
        .any(|atom| mentions(formulas, *atom, &|_| true))
    {
        return Err(Reason::InLoop);
    }
    // What a condition says of numbers that wrap is not what it says in the text.
    if formulas.wraps && !guards.is_empty() {
        return Err(Reason::Divergent);
    }
    let bytes = (side * padded(side)).unsigned_abs() * of.element_bytes;
    if bytes > candidate.bytes_left {
        return Err(Reason::TooLarge);
    }
    Ok(Staged {
        array,
        side,
        bytes,
        range,
        subscripts,
        strides,
        guards,
    })
}

/// The first two local ids in each other's place.
fn turned(all: &mut Accesses, atom: AtomId) -> Option<Polynomial> {
    let Atom::Id(Id::Local, dimension @ (0 | 1)) = all.atoms.get(atom) else {
        return None;
    };
    let other = 1 - dimension;
    Some(all.atoms.of(Atom::Id(Id::Local, other)))
}

fn condition(
    of: &Condition,
    turned: &mut impl FnMut(&Polynomial) -> Result<Polynomial, Reason>,
) -> Result<Condition, Reason> {
    let mut all = |of: &[Condition]| -> Result<Vec<Condition>, Reason> {
        of.iter().map(|it| condition(it, turned)).collect()
    };
    Ok(match of {
        Condition::All(of) => Condition::All(all(of)?),
        Condition::Any(of) => Condition::Any(all(of)?),
        Condition::AtLeastZero(of) => Condition::AtLeastZero(turned(of)?),
        Condition::Zero(of) => Condition::Zero(turned(of)?),
        Condition::NotZero(of) => Condition::NotZero(turned(of)?),
        Condition::Opaque(_) => return Err(Reason::DataDependent),
    })
}

/// The text of the place, where a statement `a[…] = …;` stores there.
fn stored(subject: Subject<'_>, access: &Access) -> Result<Range<usize>, Reason> {
    let function = subject.function().ok_or(Reason::NotFollowed)?;
    let mut found: Option<&Expr> = None;
    subject.unit.visit(&function.body, &mut |part| {
        if let Part::Stmt(stmt) = part
            && let StmtKind::Expr(expr) = &stmt.kind
            && let ExprKind::Assign(None, target, _) = &expr.kind
            && (target.span == access.span || expr.span == access.span)
        {
            found = Some(target);
        }
    });
    let target = found.ok_or(Reason::Text)?;
    let range = subject.range(&target.span)?;
    let array = access.array.ok_or(Reason::UnknownIndex)?;
    let place = subject.pure_place(&range).ok_or(Reason::Text)?;
    match place.of == subject.accesses.arrays[array].element {
        true => Ok(range),
        false => Err(Reason::Text),
    }
}

/// With one more, so that neighbours of a column lie in different banks.
fn padded(side: i64) -> i64 {
    side + (side + 1) % 2
}

impl Placement for Staged {
    fn what(&self) -> (usize, Mechanism, u64) {
        (self.array, Mechanism::Staged, self.bytes)
    }

    fn extents(&self, _: &Formulas) -> Vec<i64> {
        vec![self.side; 2]
    }

    fn write(&self, words: &Words<'_>, written: &mut Written) -> Result<(), Reason> {
        let subject = words.subject;
        let array = &words.formulas.all.arrays[self.array].name;
        let of = element(subject, words.formulas, self.array)?;
        let name = written.name(subject, &format!("{array}_tile"));
        let (side, padded) = (self.side, padded(self.side));
        let mut declared = format!("__local {of} {name}[{side}][{padded}];");
        if padded != side {
            declared += " // one more column, so that a column lies in different banks";
        }
        written.declared.push(declared);
        let own = format!("{name}[get_local_id(1)][get_local_id(0)]");
        written.replace(self.range.clone(), own);
        let mut index = Vec::new();
        for (subscript, stride) in self.subscripts.iter().zip(&self.strides) {
            index.push(match stride.as_constant() {
                Some(1) => words.sum(subscript)?,
                _ => format!("{} * {}", words.factor(subscript)?, words.factor(stride)?),
            });
        }
        let mut lines = Vec::new();
        if !self.guards.is_empty() {
            let each = self.guards.iter().map(|it| words.condition(it, DEEPEST));
            let each = each.collect::<Result<Vec<_>, _>>()?;
            lines.push(format!("if ({})", each.join(" && ")));
        }
        let indent = if lines.is_empty() { "" } else { "    " };
        lines.push(format!(
            "{indent}{array}[{}] = {name}[get_local_id(0)][get_local_id(1)];",
            index.join(" + ")
        ));
        written.ended.extend(lines);
        Ok(())
    }
}
