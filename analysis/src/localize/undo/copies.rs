//! Local arrays that only hold copies of an argument: what is read of them is read where it came from.
//!
//! A store `tile[f(lid)] = src[g(lid, …)]` says what an element holds, whoever stored it: put into `g` the place in the
//! tile for the local id, and the element is `src[g(f⁻¹(place), …)]`. All stores must say the same, of numbers that the
//! work-group shares. Where one of them changes from pass to pass of a loop, what is read must have been stored in the same
//! pass: by a store before it that all work-items make, and that reaches all of what is read.

use std::{collections::BTreeSet, ops::Range};

use super::{
    super::{
        formula::{DEEPEST, Formulas},
        subject::{At, Subject, has_word},
    },
    Held,
    copy_text::{text, unknown},
    shape,
};
use crate::{
    accesses::{Access, Accesses, Atom, Does, Id, Polynomial},
    ast::{Expr, ExprKind, Function, Part, Space, VariableId},
};

/// An array that only holds copies.
pub(super) struct Copied {
    /// Its place among what is held.
    pub(super) held: usize,
    /// Where it is read, and what stands there instead.
    pub(super) reads: Vec<(Range<usize>, String)>,
    /// Places in the source of the assignments that fill it.
    pub(super) stores: Vec<Range<usize>>,
}

/// `tile[y][x]`, and what stands in its brackets.
struct Chain<'a> {
    expr: &'a Expr,
    subscripts: Vec<&'a Expr>,
}

/// What a store says of a tile.
#[derive(Clone, PartialEq)]
struct Says {
    array: usize,
    /// The source's element, of the places in the tile.
    index: Polynomial,
}

/// All arrays that only hold copies.
pub(super) fn found(subject: Subject<'_>, function: &Function, held: &[Held]) -> Vec<Copied> {
    let mut locals = subject.launches.iter().map(|at| at.geometry.local);
    let Some(local) = locals.next().filter(|first| locals.all(|it| it == *first)) else {
        return Vec::new();
    };
    let mut formulas = Formulas::new(subject.accesses, local);
    let names: Vec<&str> = held
        .iter()
        .map(|it| &*subject.unit.variables[it.variable].name)
        .collect();
    let each = held.iter().enumerate();
    each.filter_map(|(place, one)| copied(subject, function, &mut formulas, one, place, &names))
        .collect()
}

fn copied(
    subject: Subject<'_>,
    function: &Function,
    formulas: &mut Formulas,
    held: &Held,
    place: usize,
    names: &[&str],
) -> Option<Copied> {
    let (_, lengths) = shape(subject.unit, held.variable);
    let dimensions = lengths.len().max(1);
    let all = subject.accesses;
    let array = all
        .arrays
        .iter()
        .position(|it| it.variable == held.variable)?;
    let is_apart = |it: &Access| it.also.is_empty() && it.calls.is_empty() && it.within == 0;
    let mut own = all.accesses.iter().filter(|it| it.touches(array));
    if !own.all(is_apart) || all.pointers.iter().any(|it| it.arrays.contains(&array)) {
        return None;
    }
    let (stores, reads) = uses(subject, function, held.variable, dimensions)?;
    let mut says: Option<Says> = None;
    let mut filled = Vec::new();
    for (target, value) in &stores {
        let at = places(subject, formulas, array, target, Does::Store, dimensions)?;
        let (own, ids) = said(subject, formulas, &at.1, value)?;
        if says.get_or_insert_with(|| own.clone()) != &own {
            return None;
        }
        filled.push((at.0, at.1, ids));
    }
    let says = says?;
    let shared: BTreeSet<usize> = says
        .index
        .atoms()
        .into_iter()
        .flat_map(|atom| formulas.all.loops_of(atom))
        .collect();
    let written = |formulas: &Formulas, read: &Chain<'_>| -> Option<String> {
        let texts: Option<Vec<String>> = read
            .subscripts
            .iter()
            .map(|it| Some(subject.text(&subject.range(&it.span).ok()?).to_owned()))
            .collect();
        let texts = texts?;
        let is_nested = texts
            .iter()
            .any(|it| names.iter().any(|name| has_word(it, name)));
        if is_nested {
            return None;
        }
        text(subject, formulas, says.array, &says.index, &texts)
    };
    let mut replaced = Vec::new();
    for read in &reads {
        let range = subject.range(&read.expr.span).ok()?;
        subject.pure_place(&range)?;
        let (access, at) = places(subject, formulas, array, read, Does::Load, dimensions)?;
        for of in &shared {
            let is_in = |it: &usize| all.accesses[*it].loops.contains(of);
            if !is_in(&access) || !is_stored_before(subject, formulas, *of, &filled, access, &at) {
                return None;
            }
        }
        if !is_within(subject, formulas, &says, &at, &lengths) {
            return None;
        }
        replaced.push((range, written(formulas, read)?));
    }
    let ranges = stores.iter().map(|(target, value)| {
        let begin = subject.range(&target.expr.span).ok()?.start;
        Some(begin..subject.range(&value.span).ok()?.end)
    });
    Some(Copied {
        held: place,
        reads: replaced,
        stores: ranges.collect::<Option<_>>()?,
    })
}

type Stores<'a> = Vec<(Chain<'a>, &'a Expr)>;

/// Stores and reads of an array's elements; none where it is used in any other way.
fn uses<'a>(
    subject: Subject<'a>,
    function: &'a Function,
    variable: VariableId,
    dimensions: usize,
) -> Option<(Stores<'a>, Vec<Chain<'a>>)> {
    let (mut stores, mut reads, mut count) = (Vec::new(), Vec::new(), 0);
    let mut targets: Vec<&Expr> = Vec::new();
    subject.unit.visit(&function.body, &mut |part| {
        let Part::Expr(expr) = part else { return };
        match &expr.kind {
            ExprKind::Variable(id) if *id == variable => count += 1,
            ExprKind::Assign(None, target, value) => {
                if let Some(chain) = chain(target, variable, dimensions) {
                    targets.push(target);
                    stores.push((chain, &**value));
                }
            }
            ExprKind::Load(of) => {
                // A component, or a field, of an element is read with it.
                let mut of = &**of;
                while let ExprKind::Components(inner, _) | ExprKind::Member(inner, _) = &of.kind {
                    of = inner;
                }
                reads.extend(chain(of, variable, dimensions));
            }
            _ => {}
        }
    });
    (count == stores.len() + reads.len()).then_some((stores, reads))
}

fn chain(expr: &Expr, variable: VariableId, dimensions: usize) -> Option<Chain<'_>> {
    let (mut at, mut subscripts) = (expr, Vec::new());
    while let ExprKind::Index(base, index) = &at.kind {
        subscripts.push(&**index);
        at = base;
        while let ExprKind::Decay(of) | ExprKind::Load(of) = &at.kind {
            at = of;
        }
    }
    subscripts.reverse();
    let is_it = matches!(at.kind, ExprKind::Variable(id) if id == variable);
    (is_it && subscripts.len() == dimensions).then_some(Chain { expr, subscripts })
}

/// The access of a place in the text, and its subscripts, global ids resolved.
fn places(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    array: usize,
    chain: &Chain<'_>,
    does: Does,
    dimensions: usize,
) -> Option<(usize, Vec<Polynomial>)> {
    let range = subject.range(&chain.expr.span).ok()?;
    let all = subject.accesses.accesses.iter().enumerate();
    let mut own = all.filter(|(_, it)| {
        let within = subject.tokens(&it.span);
        let is_here = within.is_ok_and(|it| it.start == range.start && it.end >= range.end);
        it.array == Some(array) && it.does == does && is_here
    });
    let (place, access) = own.next()?;
    let subscripts = match dimensions {
        1 => vec![access.index.clone()],
        _ => access.subscripts.clone(),
    };
    if subscripts.len() != dimensions || own.any(|(_, it)| it.subscripts != access.subscripts) {
        return None;
    }
    let normal = subscripts.iter().map(|it| formulas.normal(it));
    Some((place, normal.collect::<Option<_>>()?))
}

/// What a store says, and the numbers that its places in the tile are made of.
fn said(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    at: &[Polynomial],
    value: &Expr,
) -> Option<(Says, Vec<usize>)> {
    let ExprKind::Load(of) = &value.kind else {
        return None;
    };
    let range = subject.range(&of.span).ok()?;
    let all = subject.accesses;
    let mut loads = all
        .accesses
        .iter()
        .filter(|it| it.does == Does::Load && subject.tokens(&it.span).as_ref() == Ok(&range));
    let (load, None) = (loads.next()?, loads.next()) else {
        return None;
    };
    let array = load.array.filter(|array| is_constant(subject, *array))?;
    let source = &all.arrays[array];
    let is_whole =
        load.bytes == source.element_bytes && load.within == 0 && value.of == source.element;
    if !is_whole || !load.also.is_empty() || !load.calls.is_empty() || !subject.is_named(load) {
        return None;
    }
    let mut index = formulas.normal(&load.index)?;
    let mut ids = Vec::new();
    for (dimension, at) in at.iter().enumerate() {
        let constant = at.constant_term();
        let rest = at.minus(&Polynomial::constant(constant))?;
        let mut terms = rest.terms();
        let (([id], 1), None) = (terms.next()?, terms.next()) else {
            return None;
        };
        let id = *id;
        if ids.contains(&id)
            || !matches!(
                formulas.all.atoms.get(id),
                Atom::Id(Id::Local, _) | Atom::Loop(_)
            )
        {
            return None;
        }
        ids.push(id);
        let mut by = |all: &mut Accesses, atom: usize| {
            let place = all.atoms.of(unknown(dimension));
            (atom == id).then(|| place.minus(&Polynomial::constant(constant)))?
        };
        index = formulas.put(&index, &mut by, DEEPEST)?;
    }
    // Each place stands by itself, and all else is the work-group's.
    let is_place =
        |atom: &usize| matches!(formulas.all.atoms.get(*atom), Atom::Loaded(usize::MAX, _));
    for (factors, _) in index.terms() {
        let others = factors.iter().filter(|it| !is_place(it));
        let count = factors.len() - others.clone().count();
        let mut others = others.map(|it| Polynomial::atom(*it));
        if count > 1 || !others.all(|it| formulas.is_uniform(&it)) {
            return None;
        }
    }
    Some((Says { array, index }, ids))
}

/// Whether an argument holds the same all the time.
fn is_constant(subject: Subject<'_>, array: usize) -> bool {
    let all = subject.accesses;
    let of = &all.arrays[array];
    let is_argument = matches!(of.space, Space::Global | Space::Constant) && of.parameter.is_some();
    let mut changed = all.accesses.iter().filter(|it| it.does != Does::Load);
    is_argument
        && !subject.is_volatile(array)
        && changed.all(|it| {
            it.array.is_some()
                && it.array.iter().chain(&it.also).all(|other| {
                    let pair = all.arrays[*other].parameter.zip(of.parameter);
                    *other != array && !pair.is_some_and(|(one, other)| subject.is_same(one, other))
                })
        })
}

/// Whether what is read was stored in the same pass of a loop.
fn is_stored_before(
    subject: Subject<'_>,
    formulas: &Formulas,
    of: usize,
    filled: &[(usize, Vec<Polynomial>, Vec<usize>)],
    read: usize,
    at: &[Polynomial],
) -> bool {
    let [(store, places, ids)] = filled else {
        return false;
    };
    let all = &subject.accesses.accesses;
    let (store, read) = (&all[*store], &all[read]);
    let Some(depth) = store.loops.iter().position(|it| *it == of) else {
        return false;
    };
    let is_made = store.guards.iter().all(|guard| guard.depth <= depth)
        && read.loops.starts_with(&store.loops);
    let is_before = store.span.begin.offset < read.span.begin.offset;
    let mut sides = places.iter().zip(ids).zip(at);
    let reaches = sides.all(|((place, id), at)| {
        let Atom::Id(Id::Local, dimension) = formulas.all.atoms.get(*id) else {
            return false;
        };
        let items = i128::from(formulas.local[usize::from(*dimension)]);
        let first = i128::from(place.constant_term());
        let read = formulas.bounds(at, None);
        read.is_some_and(|(least, most)| least >= first && most < first + items)
    });
    is_made && is_before && reaches && formulas.is_uniform_loop(of).is_ok()
}

/// Whether the source has all the elements that may be read, at every size.
fn is_within(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    says: &Says,
    at: &[Polynomial],
    lengths: &[u64],
) -> bool {
    let parameter = formulas.all.arrays[says.array].parameter;
    subject.launches.iter().all(|launch| {
        let buffer = parameter.and_then(|it| launch.buffers.get(it)?.as_ref());
        let Some(elements) = buffer.map(|it| i128::from(it.elements)) else {
            return false;
        };
        let Some(ends) = ends(formulas, launch, at, lengths) else {
            return false;
        };
        // Every corner of the box of places.
        (0..1_usize << at.len()).all(|corner| {
            let mut by = |all: &mut Accesses, atom: usize| match all.atoms.get(atom) {
                Atom::Loaded(usize::MAX, dimension) => {
                    let dimension = usize::try_from(*dimension).ok()?;
                    let end = ends.get(dimension)?;
                    let end = if (corner >> dimension) & 1 == 1 {
                        end.1
                    } else {
                        end.0
                    };
                    Some(Polynomial::constant(end))
                }
                _ => None,
            };
            let index = formulas.put(&says.index, &mut by, DEEPEST);
            let bounds = index.and_then(|it| formulas.bounds(&it, Some(&launch.geometry)));
            bounds.is_some_and(|(least, most)| least >= 0 && most < elements)
        })
    })
}

/// The first and the last place that is read, by dimension: those of the whole tile where that is not known.
fn ends(
    formulas: &Formulas,
    launch: &At,
    at: &[Polynomial],
    lengths: &[u64],
) -> Option<Vec<(i64, i64)>> {
    let each = at.iter().enumerate().map(|(dimension, at)| {
        let whole = lengths.get(dimension).map(|it| (0, i128::from(*it) - 1));
        let known = formulas.bounds(at, Some(&launch.geometry));
        let (least, most) = match (known, whole) {
            (Some(known), Some(whole)) => (known.0.max(whole.0), known.1.min(whole.1)),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => return None,
        };
        Some((i64::try_from(least).ok()?, i64::try_from(most).ok()?))
    });
    each.collect()
}
