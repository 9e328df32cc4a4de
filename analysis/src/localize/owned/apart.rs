//! Where a part begins and ends, and whether work-groups' parts lie apart.

use std::collections::BTreeSet;

use super::{
    super::{
        formula::Formulas,
        refusal::Reason,
        subject::{At, Subject},
    },
    splits, with_constant,
};
use crate::accesses::{Atom, Condition, Id, Polynomial, Step};

/// Work-groups whose parts are compared at most.
const MOST_GROUPS: i64 = 1 << 23;

/// Where an access's part begins, and which of its elements it reaches: by going through all work-items and passes,
/// of which no size decides anything, so that this is all there is.
pub(in crate::localize) fn bounds(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    index: usize,
    element: u64,
) -> Result<(Polynomial, i64, i64), Reason> {
    let access = &subject.accesses.accesses[index];
    let splits = splits(formulas, &access.offset, element, &access.loops)?;
    let geometry = &subject
        .launches
        .first()
        .ok_or(Reason::SizeDepends)?
        .geometry;
    let mut hull: Option<(i64, i64)> = None;
    let uniform = splits.first().ok_or(Reason::Shape)?.uniform.clone();
    for split in &splits {
        if split.uniform != uniform {
            return Err(Reason::PartsOverlap);
        }
        let at = with_constant(split);
        let mut all = formulas.all.clone();
        let mut probe = all.accesses[index].clone();
        let (mut needed, mut open) = (BTreeSet::new(), at.atoms());
        probe
            .guards
            .retain(|guard| is_sizeless(formulas, &guard.condition, &probe.loops));
        for guard in &probe.guards {
            open.extend(guard.condition.atoms());
        }
        while let Some(atom) = open.pop_first() {
            for own in all.loops_of(atom) {
                if needed.insert(own) {
                    let described = &all.loops[own];
                    for bound in [&described.lower, &described.upper].into_iter().flatten() {
                        open.extend(bound.atoms());
                    }
                }
            }
        }
        if needed
            .iter()
            .any(|of| !is_sizeless_loop(formulas, *of, &probe.loops))
        {
            return Err(Reason::SizeDepends);
        }
        let dropped: Vec<usize> = (0..probe.loops.len())
            .filter(|it| !needed.contains(&probe.loops[*it]))
            .collect();
        for guard in &mut probe.guards {
            guard.depth -= dropped.iter().filter(|it| **it < guard.depth).count();
        }
        probe.loops.retain(|of| needed.contains(of));
        probe.index = at.clone();
        probe.offset = at;
        all.accesses.push(probe);
        let [x, y, z] = geometry.local;
        for item in 0..x * y * z {
            let local = [item % x, item / x % y, item / x / y];
            let gone = all.offsets_at_most(all.accesses.len() - 1, geometry, [0; 3], local);
            for at in gone.ok_or(Reason::SizeDepends)?.0 {
                hull = Some(hull.map_or((at, at), |all| (all.0.min(at), all.1.max(at))));
            }
        }
    }
    let (low, high) = hull.ok_or(Reason::Shape)?;
    Ok((uniform, low, high))
}

/// Whether numbers, local ids and such loops alone decide it.
fn is_sizeless(formulas: &Formulas, condition: &Condition, nest: &[usize]) -> bool {
    !condition.is_opaque()
        && condition
            .atoms()
            .iter()
            .all(|atom| is_sizeless_atom(formulas, *atom, nest, 8))
}

fn is_sizeless_atom(formulas: &Formulas, atom: usize, nest: &[usize], left: usize) -> bool {
    let Some(left) = left.checked_sub(1) else {
        return false;
    };
    match formulas.all.atoms.get(atom) {
        Atom::Id(Id::Local | Id::LocalSize, _) => true,
        Atom::Loop(of) => nest.contains(of) && is_sizeless_loop(formulas, *of, nest),
        Atom::Operation(_, of) => {
            let mut atoms = of.iter().flat_map(Polynomial::atoms);
            atoms.all(|it| is_sizeless_atom(formulas, it, nest, left))
        }
        _ => false,
    }
}

fn is_sizeless_loop(formulas: &Formulas, of: usize, nest: &[usize]) -> bool {
    let described = &formulas.all.loops[of];
    let (Step::Add(step) | Step::Multiply(step) | Step::By(_, step)) = &described.step;
    let parts = [
        described.lower.as_ref(),
        described.upper.as_ref(),
        Some(step),
    ];
    let is_sizeless = |part: &Polynomial| {
        part.atoms().iter().all(|atom| {
            // Loops are numbered as they begin: bounds are of loops outside.
            let mut loops = formulas.all.loops_of(*atom).into_iter();
            loops.all(|outer| outer < of) && is_sizeless_atom(formulas, *atom, nest, 6)
        })
    };
    nest.contains(&of) && parts.iter().all(|it| it.is_some_and(is_sizeless))
}

/// Whether no two work-groups' parts overlap, and all lie within the buffer.
pub(super) fn are_apart(
    formulas: &Formulas,
    at: &At,
    parameter: usize,
    base: &Polynomial,
    extent: i64,
) -> Result<(), Reason> {
    let elements = at
        .buffers
        .get(parameter)
        .and_then(Option::as_ref)
        .ok_or(Reason::BeyondBuffer)?
        .elements;
    let [x, y, z] = at.geometry.groups();
    if x.saturating_mul(y).saturating_mul(z) > MOST_GROUPS {
        return Err(Reason::PartsOverlap);
    }
    let mut begins = Vec::new();
    for group in 0..x * y * z {
        let group = [group % x, group / x % y, group / x / y];
        begins.push(value(formulas, at, base, group).ok_or(Reason::PartsOverlap)?);
    }
    begins.sort_unstable();
    if begins.windows(2).any(|pair| pair[1] - pair[0] < extent) {
        return Err(Reason::PartsOverlap);
    }
    let last = begins.last().and_then(|last| last.checked_add(extent));
    let is_within = begins.first().is_some_and(|first| *first >= 0)
        && last.is_some_and(|last| u64::try_from(last).is_ok_and(|last| last <= elements));
    if is_within {
        Ok(())
    } else {
        Err(Reason::BeyondBuffer)
    }
}

fn value(formulas: &Formulas, at: &At, of: &Polynomial, group: [i64; 3]) -> Option<i64> {
    of.terms().try_fold(0_i64, |sum, (factors, number)| {
        let product = factors.iter().try_fold(number, |product, atom| {
            let value = match formulas.all.atoms.get(*atom) {
                Atom::Id(Id::Group, dimension) => *group.get(usize::from(*dimension))?,
                known => at.geometry.fixed(known)?,
            };
            product.checked_mul(value)
        })?;
        sum.checked_add(product)
    })
}
