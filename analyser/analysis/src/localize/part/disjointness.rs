//! Beginnings and ends of parts, and whether work-groups' parts are disjoint.

use std::collections::BTreeSet;

use super::enumeration::Enumeration;
use crate::{
    accesses::{Atom, Id, Polynomial},
    localize::{Formulas, KernelLaunch, Reason, Split, Subject, refuse_if},
};

/// The most work-groups whose parts are compared.
const MOST_GROUPS: i64 = 1 << 23;

/// The first and the last element behind a part's offset that an access reaches, whose index has these splits. All
/// work-items and iterations are visited; no size decides any of them, so these are all.
pub(in crate::localize) fn reach(
    subject: Subject<'_>,
    formulas: &Formulas,
    index: usize,
    splits: &[Split],
) -> Result<(i64, i64), Reason> {
    let launch = subject.launches.first().ok_or(Reason::SizeDepends)?;
    let enumeration = Enumeration {
        formulas,
        nest: &subject.accesses.accesses[index].loops,
        with_scalars: false,
    };
    let mut hull: Option<(i64, i64)> = None;
    for split in splits {
        refuse_if(split.uniform != splits[0].uniform, Reason::PartsOverlap)?;
        let at = split.within();
        for at in enumeration.places(index, &at, BTreeSet::new(), &launch.geometry)? {
            hull = Some(hull.map_or((at, at), |all| (all.0.min(at), all.1.max(at))));
        }
    }
    hull.ok_or(Reason::Shape)
}

/// Whether no two work-groups' parts overlap, and all lie within the buffer.
pub(super) fn are_disjoint(
    formulas: &Formulas,
    launch: &KernelLaunch,
    parameter: usize,
    base: &Polynomial,
    extent: i64,
) -> Result<(), Reason> {
    let buffer = launch.buffer(parameter).ok_or(Reason::BeyondBuffer)?;
    let [x, y, z] = launch.geometry.groups();
    let groups = x.saturating_mul(y).saturating_mul(z);
    refuse_if(groups > MOST_GROUPS, Reason::PartsOverlap)?;
    let mut begins = Vec::new();
    for group in 0..groups {
        let group = [group % x, group / x % y, group / x / y];
        begins.push(value(formulas, launch, base, group).ok_or(Reason::PartsOverlap)?);
    }
    begins.sort_unstable();
    let overlap = begins.windows(2).any(|pair| pair[1] - pair[0] < extent);
    refuse_if(overlap, Reason::PartsOverlap)?;
    let last = begins.last().and_then(|last| last.checked_add(extent));
    let is_within = begins.first().is_some_and(|first| *first >= 0)
        && last.is_some_and(|last| u64::try_from(last).is_ok_and(|last| last <= buffer.elements));
    refuse_if(!is_within, Reason::BeyondBuffer)
}

fn value(
    formulas: &Formulas,
    launch: &KernelLaunch,
    formula: &Polynomial,
    group: [i64; 3],
) -> Option<i64> {
    formula.terms().try_fold(0_i64, |sum, (factors, number)| {
        let product = factors.iter().try_fold(number, |product, atom| {
            let value = match formulas.all.atoms.get(*atom) {
                Atom::Id(Id::Group, dimension) => *group.get(usize::from(*dimension))?,
                fixed => launch.geometry.launch_constant(fixed)?,
            };
            product.checked_mul(value)
        })?;
        sum.checked_add(product)
    })
}
