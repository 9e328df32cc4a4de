//! Parts whose length is a product of numbers that the launch passes. A work-group's part begins where the one before
//! it ends, and all that the work-group accesses lies in between, at every size.

use std::collections::BTreeSet;

use super::{PartLength, enumeration::Enumeration};
use crate::{
    accesses::{Atom, AtomId, Id, Polynomial, launch::Geometry},
    localize::{Formulas, Length, Reason, Subject, refuse_if},
};

/// The number of elements of the part that begins at `base`, as a formula and at the largest size: the number by which
/// `base` grows from one work-group to the next.
///
/// # Errors
/// An access may reach beyond the part at a size, or the parts beyond the buffer.
pub(super) fn extent(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    parameter: usize,
    base: &Polynomial,
    accesses: &[usize],
) -> Result<(Polynomial, i64), Reason> {
    // It gets the part as an argument.
    refuse_if(!subject.is_single_launch, Reason::SizeDepends)?;
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
    let mut visited: Vec<&Geometry> = Vec::new();
    for launch in subject.launches {
        let geometry = &launch.geometry;
        let [groups, 1, 1] = geometry.groups() else {
            return Err(Reason::PartsOverlap);
        };
        let (own, _) = formulas
            .bounds(&extent, Some(geometry))
            .filter(|(least, most)| least == most && *least > 0)
            .ok_or(Reason::PartsOverlap)?;
        let buffer = launch.buffer(parameter);
        let elements = buffer.ok_or(Reason::BeyondBuffer)?.elements;
        if own.saturating_mul(i128::from(groups)) > i128::from(elements) {
            return Err(Reason::BeyondBuffer);
        }
        let own = i64::try_from(own).map_err(|_| Reason::TooLarge)?;
        most = most.max(own);
        // Nothing else decides what the first work-group does.
        let is_alike =
            |it: &&Geometry| it.local == geometry.local && it.scalars == geometry.scalars;
        if visited.iter().any(is_alike) {
            continue;
        }
        visited.push(geometry);
        for access in accesses {
            is_within(formulas, *access, geometry, own)?;
        }
    }
    Ok((extent, most))
}

/// The formula as a sum of numbers times parameters.
pub(super) fn length(formulas: &Formulas, formula: &Polynomial) -> Result<Length, Reason> {
    let mut sum = Vec::new();
    for (factors, number) in formula.terms() {
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

/// Whether an access is within this many elements of its part's beginning: by bounds of its index, or else by visiting
/// the first work-group, whose part begins the array.
fn is_within(
    formulas: &mut Formulas,
    index: usize,
    geometry: &Geometry,
    extent: i64,
) -> Result<(), Reason> {
    let access = &formulas.all.accesses[index];
    let array = access.array.ok_or(Reason::UnknownIndex)?;
    let (offset, nest) = (access.offset.clone(), access.loops.clone());
    let element = formulas.all.arrays[array].element_bytes;
    let splits = PartLength::Passed.splits(formulas, &offset, element, &nest)?;
    let each = splits.iter();
    let mut bounds = each.map(|split| formulas.bounds(&split.varying, Some(geometry)));
    let is_in = |(least, most): (i128, i128)| least >= 0 && most < i128::from(extent);
    let is_certain = bounds.all(|it| it.is_some_and(is_in));
    let enumeration = Enumeration {
        formulas,
        nest: &nest,
        with_scalars: true,
    };
    let varying = splits.iter().flat_map(|it| it.varying.atoms());
    let varying: BTreeSet<AtomId> = varying.collect();
    // What a work-group's number decides is another one's in another group.
    if !varying.iter().all(|atom| enumeration.allows(*atom)) {
        return Err(Reason::SizeDepends);
    }
    if is_certain {
        return Ok(());
    }
    let size = i64::try_from(element).map_err(|_| Reason::Shape)?;
    let bytes = extent.checked_mul(size).ok_or(Reason::TooLarge)?;
    let places = enumeration.places(index, &offset, varying, geometry)?;
    let is_beyond = places.iter().any(|at| !(0..=bytes - size).contains(at));
    refuse_if(is_beyond, Reason::PartsOverlap)
}
