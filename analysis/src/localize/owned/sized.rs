//! Parts as long as numbers say that the launch passes: a work-group's begins where the one before it ends, and all
//! that is accessed lies in between, at every size.

use std::collections::BTreeSet;

use super::{
    super::{
        Length,
        formula::{Formulas, Split},
        refusal::Reason,
        subject::Subject,
    },
    indices,
};
use crate::accesses::{Accesses, Atom, AtomId, Condition, Id, Polynomial, Step, launch::Geometry};

/// Formulas in formulas.
const DEEPEST: usize = 8;

/// An offset in bytes as where the work-group's part begins, and the place in it.
pub(super) fn splits(
    formulas: &mut Formulas,
    offset: &Polynomial,
    element: u64,
) -> Result<Vec<Split>, Reason> {
    let mut found: Vec<Split> = Vec::new();
    for index in indices(formulas, offset, element)? {
        let split = split(formulas, &index)?;
        if !found.contains(&split) {
            found.push(split);
        }
    }
    Ok(found)
}

fn split(formulas: &Formulas, index: &Polynomial) -> Result<Split, Reason> {
    let is_group = |atom: &AtomId| formulas.all.atoms.get(*atom) == &Atom::Id(Id::Group, 0);
    let (mut base, mut place) = (Vec::new(), Vec::new());
    for (factors, number) in index.terms() {
        let to = match factors.iter().any(is_group) {
            true => &mut base,
            false => &mut place,
        };
        to.push((factors.to_vec(), number));
    }
    Ok(Split {
        uniform: Polynomial::from_terms(base).ok_or(Reason::Shape)?,
        constant: 0,
        varying: Polynomial::from_terms(place).ok_or(Reason::Shape)?,
    })
}

/// Where the part begins that an access is into.
pub(super) fn base(
    formulas: &mut Formulas,
    index: usize,
    element: u64,
) -> Result<Polynomial, Reason> {
    let offset = formulas.all.accesses[index].offset.clone();
    let splits = splits(formulas, &offset, element)?;
    let base = splits.first().ok_or(Reason::Shape)?.uniform.clone();
    match splits.iter().all(|split| split.uniform == base) {
        true => Ok(base),
        false => Err(Reason::PartsOverlap),
    }
}

/// How long the part is that begins at `base`: as much as `base` grows from one work-group to the next. And the most
/// that is, of all sizes.
///
/// # Errors
/// An access may reach beyond it at a size, or the parts beyond the buffer.
pub(super) fn extent(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    parameter: usize,
    base: &Polynomial,
    accesses: &[usize],
) -> Result<(Polynomial, i64), Reason> {
    // It gets the part as an argument.
    if !subject.is_alone {
        return Err(Reason::SizeDepends);
    }
    let mut terms = Vec::new();
    for (factors, number) in base.terms() {
        let (group, others): (Vec<AtomId>, Vec<AtomId>) = factors
            .iter()
            .partition(|atom| matches!(formulas.all.atoms.get(**atom), Atom::Id(Id::Group, 0)));
        let is_scalar = |atom: &AtomId| matches!(formulas.all.atoms.get(*atom), Atom::Scalar(_, 0, bytes, _) if *bytes >= 4);
        if group.len() != 1 || !others.iter().all(is_scalar) {
            return Err(Reason::PartsOverlap);
        }
        terms.push((others, number));
    }
    let extent = Polynomial::from_terms(terms).ok_or(Reason::Shape)?;
    let mut most = 0;
    let mut seen: Vec<&Geometry> = Vec::new();
    for at in subject.launches {
        let [groups, 1, 1] = at.geometry.groups() else {
            return Err(Reason::PartsOverlap);
        };
        let (own, _) = formulas
            .bounds(&extent, Some(&at.geometry))
            .filter(|(least, most)| least == most && *least > 0)
            .ok_or(Reason::PartsOverlap)?;
        let buffer = at.buffers.get(parameter).and_then(Option::as_ref);
        let elements = buffer.ok_or(Reason::BeyondBuffer)?.elements;
        if own.saturating_mul(i128::from(groups)) > i128::from(elements) {
            return Err(Reason::BeyondBuffer);
        }
        let own = i64::try_from(own).map_err(|_| Reason::TooLarge)?;
        most = most.max(own);
        // Nothing else decides what the first work-group does.
        let own_geometry = &at.geometry;
        let is_alike =
            |it: &&Geometry| it.local == own_geometry.local && it.scalars == own_geometry.scalars;
        if seen.iter().any(is_alike) {
            continue;
        }
        seen.push(own_geometry);
        for access in accesses {
            is_within(formulas, *access, &at.geometry, own)?;
        }
    }
    Ok((extent, most))
}

/// The formula as numbers times parameters.
pub(super) fn length(formulas: &Formulas, of: &Polynomial) -> Result<Length, Reason> {
    let mut sum = Vec::new();
    for (factors, number) in of.terms() {
        let parameters = factors
            .iter()
            .map(|atom| match formulas.all.atoms.get(*atom) {
                Atom::Scalar(parameter, 0, ..) => Ok(*parameter),
                _ => Err(Reason::Shape),
            });
        sum.push((number, parameters.collect::<Result<_, _>>()?));
    }
    Ok(Length::Sum(sum))
}

/// Whether an access is within so many elements of its part's beginning: by the bounds of what its index is made of, or
/// else by going through the first work-group, whose part begins the array.
fn is_within(
    formulas: &mut Formulas,
    index: usize,
    geometry: &Geometry,
    extent: i64,
) -> Result<(), Reason> {
    let (array, offset) = {
        let access = &formulas.all.accesses[index];
        (
            access.array.ok_or(Reason::UnknownIndex)?,
            access.offset.clone(),
        )
    };
    let element = formulas.all.arrays[array].element_bytes;
    let splits = splits(formulas, &offset, element)?;
    let bounds = splits
        .iter()
        .map(|split| formulas.bounds(&split.varying, Some(geometry)));
    let is_in = |(least, most): (i128, i128)| least >= 0 && most < i128::from(extent);
    let is_certain = bounds.into_iter().all(|it| it.is_some_and(is_in));
    let mut open: BTreeSet<AtomId> = splits.iter().flat_map(|it| it.varying.atoms()).collect();
    let mut all = formulas.all.clone();
    let mut probe = all.accesses[index].clone();
    open.extend(offset.atoms());
    // What a work-group's number decides is another one's in another group.
    let is_known = |atom: &AtomId| is_shared_by_groups(formulas, *atom, &probe.loops, DEEPEST);
    if !splits
        .iter()
        .all(|it| it.varying.atoms().iter().all(is_known))
    {
        return Err(Reason::SizeDepends);
    }
    if is_certain {
        return Ok(());
    }
    let nest = probe.loops.clone();
    probe.guards.retain(|guard| {
        let is_known = |atom: &AtomId| is_shared_by_groups(formulas, *atom, &nest, DEEPEST);
        !matches!(guard.condition, Condition::Opaque(_))
            && !guard.condition.is_opaque()
            && guard.condition.atoms().iter().all(is_known)
    });
    for guard in &probe.guards {
        open.extend(guard.condition.atoms());
    }
    let needed = needed(&all, open);
    let is_known = |of: &usize| is_loop_shared(formulas, *of, &nest, DEEPEST);
    if !needed.iter().all(is_known) {
        return Err(Reason::SizeDepends);
    }
    let dropped: Vec<usize> = (0..nest.len())
        .filter(|it| !needed.contains(&nest[*it]))
        .collect();
    for guard in &mut probe.guards {
        guard.depth -= dropped.iter().filter(|it| **it < guard.depth).count();
    }
    probe.loops.retain(|of| needed.contains(of));
    probe.index = probe.offset.clone();
    all.accesses.push(probe);
    let size = i64::try_from(element).map_err(|_| Reason::Shape)?;
    let bytes = extent.checked_mul(size).ok_or(Reason::TooLarge)?;
    let [x, y, z] = geometry.local;
    for item in 0..x * y * z {
        let local = [item % x, item / x % y, item / x / y];
        let gone = all.offsets_at_most(all.accesses.len() - 1, geometry, [0; 3], local);
        let (offsets, _) = gone.ok_or(Reason::SizeDepends)?;
        if offsets.iter().any(|at| !(0..=bytes - size).contains(at)) {
            return Err(Reason::PartsOverlap);
        }
    }
    Ok(())
}

/// Loops that these are of.
fn needed(all: &Accesses, mut open: BTreeSet<AtomId>) -> BTreeSet<usize> {
    let mut needed = BTreeSet::new();
    while let Some(atom) = open.pop_first() {
        for own in all.loops_of(atom).into_iter().chain(all.carried_by(atom)) {
            if needed.insert(own) {
                let described = &all.loops[own];
                for bound in [&described.lower, &described.upper].into_iter().flatten() {
                    open.extend(bound.atoms());
                }
            }
        }
    }
    needed
}

/// Whether it is the same number in all work-groups, for the same local ids and passes of loops.
fn is_shared_by_groups(formulas: &Formulas, atom: AtomId, nest: &[usize], left: usize) -> bool {
    let Some(left) = left.checked_sub(1) else {
        return false;
    };
    match formulas.all.atoms.get(atom) {
        Atom::Id(Id::Local | Id::LocalSize, _) | Atom::Scalar(_, 0, ..) => true,
        Atom::Loop(of) => nest.contains(of) && is_loop_shared(formulas, *of, nest, left),
        Atom::Operation(_, of) => {
            let mut atoms = of.iter().flat_map(Polynomial::atoms);
            atoms.all(|it| is_shared_by_groups(formulas, it, nest, left))
        }
        _ => false,
    }
}

fn is_loop_shared(formulas: &Formulas, of: usize, nest: &[usize], left: usize) -> bool {
    let Some(left) = left.checked_sub(1) else {
        return false;
    };
    let described = &formulas.all.loops[of];
    let (Step::Add(step) | Step::Multiply(step) | Step::By(_, step)) = &described.step;
    let parts = [
        described.lower.as_ref(),
        described.upper.as_ref(),
        Some(step),
    ];
    let is_shared = |part: &Polynomial| {
        part.atoms().iter().all(|atom| {
            // Loops are numbered as they begin: bounds are of loops outside.
            let mut loops = formulas.all.loops_of(*atom).into_iter();
            loops.all(|outer| outer < of) && is_shared_by_groups(formulas, *atom, nest, left)
        })
    };
    nest.contains(&of) && parts.iter().all(|it| it.is_some_and(is_shared))
}
