//! Footprints by algebra: for an index that is a sum of ids and iterations, each between two bounds.

use super::{
    Footprint, Quality,
    domain::{Bounds, Domain, Level, Slot},
    elements_at_once,
    geometry::Geometry,
    progression::{Progression, count_distinct_sums},
};
use crate::accesses::{Access, Accesses, atom::Condition};

/// An access's footprint; none where bounds depend on each other, or the index is no such sum.
pub(super) fn footprint(
    all: &Accesses,
    geometry: &Geometry,
    access: &Access,
    level: Level,
) -> Option<Footprint> {
    let domain = Domain::for_access(all, geometry, access, level)?;
    let quality = if domain.at_most {
        Quality::AtMost
    } else {
        Quality::Exact
    };
    if domain.is_empty {
        return Some(Footprint {
            accesses: 0,
            elements: 0,
            items: 0,
            quality,
        });
    }
    let index = domain.linear(&access.index)?;
    let count = |(low, high): Bounds| u64::try_from(high - low + 1).ok();
    let mut progressions = vec![Progression {
        step: 1,
        count: elements_at_once(access),
    }];
    for (slot, by) in &index.by {
        progressions.push(Progression {
            step: i64::try_from(*by).ok()?,
            count: count(*domain.ranges.get(slot)?)?,
        });
    }
    let (mut accesses, mut items) = (1_u64, 1_u64);
    for (slot, range) in &domain.ranges {
        accesses = accesses.checked_mul(count(*range)?)?;
        if !matches!(slot, Slot::Iteration(_)) {
            items = items.checked_mul(count(*range)?)?;
        }
    }
    Some(Footprint {
        accesses,
        elements: count_distinct_sums(&progressions)?,
        items,
        quality,
    })
}

/// The least and the greatest byte at which an access begins, or that it never happens; none where neither is certain.
pub(super) fn byte_range(
    all: &Accesses,
    geometry: &Geometry,
    access: &Access,
) -> Option<Option<(i64, i64)>> {
    let domain = Domain::for_access(all, geometry, access, Level::Launch)?;
    if domain.at_most {
        return None;
    }
    if domain.is_empty {
        return Some(None);
    }
    let (least, most) = domain.bounds(&domain.linear(&access.offset)?)?;
    Some(Some((
        i64::try_from(least).ok()?,
        i64::try_from(most).ok()?,
    )))
}

/// Whether a condition holds for all work-items of a launch, or for none; none where neither is certain.
pub(super) fn decide(all: &Accesses, geometry: &Geometry, condition: &Condition) -> Option<bool> {
    let mut domain = Domain::new(all, geometry, Level::Launch);
    domain.add_ids(&condition.atoms());
    domain.decide(condition)
}
