//! Stores that neighbours make far from each other: the work-group transposes what it stores in local memory, and
//! writes it side by side at its end. Each work-item then stores the number of the work-item whose two ids are swapped,
//! so that a square work-group stores the same numbers at the same places.

use std::{collections::BTreeSet, ops::Range};

use super::{
    ArrayUse, Edit, Formulas, LEAST_FAR_STRIDE, LocalArray, MOST_FORMULA_DEPTH, Mechanism, Memory,
    NAME, Placement, Proved, Reason, ReasonAt, Renderer, Subject, hoist::all_reach_end, nested,
    refuse_if, stmts,
};
use crate::{
    accesses::{Access, Accesses, Atom, AtomId, Condition, Does, Id, Polynomial},
    ast::{ExprKind, StmtKind},
};

/// A store that is staged.
pub(super) struct Staged {
    array: usize,
    /// Work-items of a side.
    side: i64,
    bytes: u64,
    /// The text of the store's place.
    range: Range<usize>,
    /// The place where the work-item stores at the end: subscripts, strides, and the conditions for storing.
    subscripts: Vec<Polynomial>,
    strides: Vec<Polynomial>,
    guards: Vec<Condition>,
}

/// The array's only store, staged. An array that can't be staged is refused later as only written.
pub(super) fn find(
    array_use: &ArrayUse<'_>,
    formulas: &mut Formulas,
) -> Option<Result<Vec<Staged>, ReasonAt>> {
    let [access] = array_use.accesses.as_slice() else {
        return None;
    };
    if access.does != Does::Store || !is_far(formulas, access) {
        return None;
    }
    let staged = stage(array_use, formulas, access).and_then(|staged| {
        all_reach_end(array_use.subject, array_use.kernel)?;
        Ok(vec![staged])
    });
    Some(staged.map_err(|reason| (reason, None)))
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
        let terms = index.terms();
        let own = terms.filter(|(factors, _)| factors.iter().any(is_id));
        let own = own.map(|(factors, number)| (factors.len() - 1, number));
        own.collect::<Vec<_>>()
    };
    let is_far = match by(0).as_slice() {
        [] => false,
        [(0, number)] => number.abs() >= LEAST_FAR_STRIDE,
        _ => true,
    };
    x > 1 && y > 1 && z == 1 && is_far && by(1) == [(0, 1)]
}

fn stage(
    array_use: &ArrayUse<'_>,
    formulas: &mut Formulas,
    access: &Access,
) -> Result<Staged, Reason> {
    let (subject, array, argument) = (array_use.subject, array_use.array, array_use.argument);
    let [side, other, _] = formulas.local;
    refuse_if(side != other, Reason::NotSquare)?;
    if access.array != Some(array) || !access.also.is_empty() {
        return Err(Reason::SeveralArrays);
    }
    refuse_if(!access.calls.is_empty(), Reason::InFunction)?;
    refuse_if(!access.loops.is_empty(), Reason::InLoop)?;
    let is_whole = access.bytes == argument.element_bytes && access.within == 0;
    refuse_if(!is_whole, Reason::Shape)?;
    // It is stored at the kernel's end: nothing may read, or store, at these places before.
    refuse_if(
        subject.shares_buffer(array_use.parameter),
        Reason::SameBuffer,
    )?;
    let has_unknown = subject
        .accesses
        .accesses
        .iter()
        .any(|it| it.array.is_none());
    refuse_if(has_unknown, Reason::UnknownIndex)?;
    refuse_if(!subject.is_fixed(argument.variable), Reason::Name)?;
    refuse_if(subject.is_volatile(array), Reason::Volatile)?;
    let range = store_place(subject, access)?;
    let mut turned = |formula: &Polynomial| {
        let normal = formulas.normal(formula).ok_or(Reason::Shape)?;
        let turned = formulas.replace(&normal, &mut turned, MOST_FORMULA_DEPTH);
        turned.ok_or(Reason::Shape)
    };
    let subscripts: Result<Vec<_>, _> = access.subscripts.iter().map(&mut turned).collect();
    let strides: Result<Vec<_>, _> = access.strides.iter().map(&mut turned).collect();
    let (subscripts, strides) = (subscripts?, strides?);
    let mut guards = Vec::new();
    for guard in &access.guards {
        guards.push(turned_condition(&guard.condition, &mut turned)?);
    }
    // A loop's variable means nothing at the kernel's end.
    let mut atoms: BTreeSet<AtomId> = subscripts.iter().flat_map(Polynomial::atoms).collect();
    atoms.extend(access.guards.iter().flat_map(|it| it.condition.atoms()));
    let mut atoms = atoms.into_iter();
    let is_of_loop = atoms.any(|it| formulas.depends_on_loop(it, &|_| true));
    refuse_if(is_of_loop, Reason::InLoop)?;
    // What a condition says of numbers that wrap is not what it says in the text.
    refuse_if(formulas.wraps && !guards.is_empty(), Reason::Divergent)?;
    let bytes = (side * padded(side)).unsigned_abs() * argument.element_bytes;
    refuse_if(bytes > array_use.bytes_left, Reason::TooLarge)?;
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

/// A formula of an atom with the first two local ids swapped.
fn turned(all: &mut Accesses, atom: AtomId) -> Option<Polynomial> {
    let Atom::Id(Id::Local, dimension @ (0 | 1)) = all.atoms.get(atom) else {
        return None;
    };
    let other = 1 - dimension;
    Some(all.atoms.formula(Atom::Id(Id::Local, other)))
}

fn turned_condition(
    condition: &Condition,
    turned: &mut impl FnMut(&Polynomial) -> Result<Polynomial, Reason>,
) -> Result<Condition, Reason> {
    let mut all = |each: &[Condition]| -> Result<Vec<Condition>, Reason> {
        each.iter().map(|it| turned_condition(it, turned)).collect()
    };
    Ok(match condition {
        Condition::All(each) => Condition::All(all(each)?),
        Condition::Any(each) => Condition::Any(all(each)?),
        Condition::AtLeastZero(formula) => Condition::AtLeastZero(turned(formula)?),
        Condition::Zero(formula) => Condition::Zero(turned(formula)?),
        Condition::NotZero(formula) => Condition::NotZero(turned(formula)?),
        Condition::Opaque(_) => return Err(Reason::DataDependent),
    })
}

/// The text of the place, if a statement `a[…] = …;` stores there.
fn store_place(subject: Subject<'_>, access: &Access) -> Result<Range<usize>, Reason> {
    let function = subject.function().ok_or(Reason::NotFollowed)?;
    let statements = stmts(subject.unit, &function.body).into_iter();
    let mut targets = statements.filter_map(|stmt| match &stmt.kind {
        StmtKind::Expr(expr) => match &expr.kind {
            ExprKind::Assign(None, target, _) => [&target.span, &expr.span]
                .contains(&&access.span)
                .then_some(target),
            _ => None,
        },
        _ => None,
    });
    let range = subject.range(&targets.next_back().ok_or(Reason::Text)?.span)?;
    let array = access.array.ok_or(Reason::UnknownIndex)?;
    let place = subject.pure_place(&range).ok_or(Reason::Text)?;
    if place.ty != subject.accesses.arrays[array].element {
        return Err(Reason::Text);
    }
    Ok(range)
}

/// The length of a row with padding: one more if it is even, so that neighbours of a column lie in different banks.
fn padded(side: i64) -> i64 {
    side + (side + 1) % 2
}

impl Proved for Staged {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn render(self, renderer: &Renderer<'_>) -> Result<Placement, Reason> {
        let argument = &renderer.formulas.all.arrays[self.array];
        let element = renderer.element(self.array)?;
        let mut index = Vec::new();
        for (subscript, stride) in self.subscripts.iter().zip(&self.strides) {
            index.push(match stride.as_constant() {
                Some(1) => renderer.sum(subscript)?,
                _ => format!(
                    "{} * {}",
                    renderer.factor(subscript)?,
                    renderer.factor(stride)?
                ),
            });
        }
        let index = index.join(" + ");
        let guards = self
            .guards
            .iter()
            .map(|it| renderer.condition(it, MOST_FORMULA_DEPTH));
        let guards = guards.collect::<Result<Vec<_>, _>>()?.join(" && ");
        let store = format!(
            "{}[{index}] = {NAME}[get_local_id(0)][get_local_id(1)];",
            argument.name
        );
        let guard = (!guards.is_empty()).then(|| format!("if ({guards})"));
        let (side, padded) = (self.side, padded(self.side));
        let own = format!("{NAME}[get_local_id(1)][get_local_id(0)]");
        Ok(Placement {
            array: self.array,
            summary: LocalArray {
                extents: vec![side; 2],
                ..LocalArray::new(argument, Mechanism::Staged, self.bytes)
            },
            dropped: None,
            name: format!("{}_tile", argument.name),
            element,
            memory: Memory::Declared(vec![side, padded], padded != side),
            edits: vec![Edit::replace(self.range, own)],
            prologue: Vec::new(),
            epilogue: nested(guard, vec![store]),
        })
    }
}
