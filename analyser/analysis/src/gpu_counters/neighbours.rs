//! Shares of a work-group's sectors that others have asked for before it, and how many work-groups ago.
//!
//! Neighbours in a dimension ask for the same sectors, moved by the distance of their first ones. One work-group and
//! its neighbour in each dimension therefore tell about all: a sector was asked for as many steps ago as it takes to
//! move another one of the work-group's onto it. If neighbours are not alike, as where data decide, only what both ask
//! for is shared.

use std::collections::BTreeMap;

/// Sectors of a work-group by buffer, in order, each once.
pub(super) type Footprint = BTreeMap<u64, Vec<u64>>;

/// Shares of a buffer's sectors that several work-groups ask for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Shares {
    /// Shares of sectors by the number of work-groups since one asked for them, with none in between.
    pub(super) before: BTreeMap<u64, f64>,
    /// Distinct sectors, as a share of what all work-groups ask for.
    pub(super) distinct: f64,
}

impl Shares {
    /// The share that nobody asked for before.
    pub(super) fn new_share(&self) -> f64 {
        (1.0 - self.before.values().sum::<f64>()).max(0.0)
    }
}

/// The most sectors of a buffer that are looked at.
const MOST_SECTORS: usize = 512;
/// The most other sectors that are tried for each, the nearest first.
const MOST_TRIED: usize = 4096;
/// The least share of a neighbour's sectors that must be found where they are expected.
const LEAST_ALIKE_SHARE: f64 = 0.8;

/// How a work-group's sectors lie relative to those of its neighbour in a dimension.
enum Beside<'a> {
    /// The same sectors, shifted by this many.
    Shifted(i64),
    /// Unlike sectors: those of the neighbour.
    Unlike(&'a [u64]),
}

/// The shares of each buffer. Each neighbour comes with the number of work-groups between it and this one, and with the
/// number of work-groups in its dimension.
pub(super) fn shares(
    own: &Footprint,
    neighbours: &[(Footprint, u64, u64)],
) -> BTreeMap<u64, Shares> {
    let of_buffer = own.iter().map(|(buffer, sectors)| {
        let beside = neighbours.iter().map(|(neighbour, step, count)| {
            let others = neighbour.get(buffer).map_or(&[][..], Vec::as_slice);
            (beside(sectors, others), *step, *count)
        });
        (*buffer, shares_of(sectors, &beside.collect::<Vec<_>>()))
    });
    of_buffer.collect()
}

fn shares_of(sectors: &[u64], beside: &[(Beside<'_>, u64, u64)]) -> Shares {
    let every = sectors.len().div_ceil(MOST_SECTORS).max(1);
    let looked_at = sectors.len().div_ceil(every) as f64;
    let mut before: BTreeMap<u64, f64> = BTreeMap::new();
    let mut new_by_dimension = vec![1.0; beside.len()];
    for at in (0..sectors.len()).step_by(every) {
        let mut priors: Vec<(u64, f64)> = Vec::new();
        for ((beside, step, count), new) in beside.iter().zip(&mut new_by_dimension) {
            let Some(steps) = steps(sectors, at, beside).filter(|steps| steps < count) else {
                continue;
            };
            // The first ones have none so many steps before them.
            let have_one = 1.0 - steps as f64 / *count as f64;
            *new -= have_one / looked_at;
            priors.push((steps * step, have_one));
        }
        priors.sort_unstable_by_key(|(distance, _)| *distance);
        let mut rest = 1.0 / looked_at;
        for (distance, have_one) in priors {
            *before.entry(distance).or_default() += rest * have_one;
            rest *= 1.0 - have_one;
        }
    }
    let distinct = new_by_dimension.into_iter().map(|new| f64::max(new, 0.0));
    Shares {
        before,
        distinct: distinct.product(),
    }
}

/// The share of a work-group's sectors that another one asks for, too.
pub(super) fn overlap(own: &Footprint, other: &Footprint) -> f64 {
    let (mut looked_at, mut shared) = (0_u32, 0_u32);
    let all: usize = own.values().map(Vec::len).sum();
    let every = all.div_ceil(MOST_SECTORS).max(1);
    for (buffer, sectors) in own {
        let others = other.get(buffer).map_or(&[][..], Vec::as_slice);
        for sector in sectors.iter().step_by(every) {
            looked_at += 1;
            shared += u32::from(has(others, *sector));
        }
    }
    f64::from(shared) / f64::from(looked_at.max(1))
}

fn beside<'a>(sectors: &[u64], others: &'a [u64]) -> Beside<'a> {
    let moved = |one: Option<&u64>, other: Option<&u64>| {
        Some(one?.cast_signed().wrapping_sub(other?.cast_signed()))
    };
    let by = [
        moved(sectors.first(), others.first()),
        moved(sectors.last(), others.last()),
    ];
    let every = others.len().div_ceil(MOST_SECTORS).max(1);
    let is_alike = |by: &i64| {
        let looked_at = others.iter().step_by(every);
        let matches = looked_at.filter(|it| has(sectors, it.wrapping_add_signed(*by)));
        matches.count() as f64 >= LEAST_ALIKE_SHARE * others.len().div_ceil(every) as f64
    };
    match by.into_iter().flatten().find(is_alike) {
        Some(by) => Beside::Shifted(by),
        None => Beside::Unlike(others),
    }
}

/// Number of steps back to the work-group that asked for the sector in this place, 1 or more.
fn steps(sectors: &[u64], at: usize, beside: &Beside<'_>) -> Option<u64> {
    let sector = sectors[at];
    let by = match beside {
        Beside::Unlike(others) => return has(others, sector).then_some(1),
        Beside::Shifted(0) => return Some(1),
        Beside::Shifted(by) => *by,
    };
    // That of `steps` before asked for `sector` if this one asks for what lies as much further.
    let between = |other: &u64| {
        let distance = other.cast_signed().wrapping_sub(sector.cast_signed());
        (distance % by == 0).then_some(distance / by)
    };
    let steps = if by > 0 {
        sectors[at + 1..].iter().take(MOST_TRIED).find_map(between)
    } else {
        sectors[..at]
            .iter()
            .rev()
            .take(MOST_TRIED)
            .find_map(between)
    };
    steps.map(i64::unsigned_abs)
}

fn has(sectors: &[u64], sector: u64) -> bool {
    sectors.binary_search(&sector).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn footprint(sectors: impl IntoIterator<Item = u64>) -> Footprint {
        Footprint::from([(1, sectors.into_iter().collect())])
    }

    #[test]
    fn rows_come_back_as_many_work_groups_later_as_a_row_has() {
        // Rows of 4 work-groups with 16 sectors each: one above, one below.
        let rows =
            |first: u64| (0..3).flat_map(move |row| (0..16).map(move |x| first + 64 * row + x));
        let own = footprint(rows(160));
        let neighbours = [(footprint(rows(144)), 1, 4), (footprint(rows(96)), 4, 8)];
        let result = &shares(&own, &neighbours)[&1];
        let [(distance, share)] = result.before.iter().collect::<Vec<_>>()[..] else {
            panic!("{result:?}");
        };
        // Of eight rows of work-groups the first has nothing above, and ten rows are 24 for each by itself.
        assert_eq!(*distance, 4);
        assert!((share - 2.0 / 3.0 * 7.0 / 8.0).abs() < 1e-9, "{share}");
        assert!((result.distinct - 10.0 / 24.0).abs() < 1e-9, "{result:?}");
        // The same in a launch of one dimension.
        let along = &shares(&own, &[(footprint(rows(144)), 1, 32)])[&1];
        assert_eq!(along, result);
    }

    #[test]
    fn what_all_ask_for_was_asked_for_by_the_one_before() {
        let own = footprint(0..100);
        let result = shares(&own, &[(footprint(0..100), 1, 10)]);
        assert_eq!(result[&1].before.keys().collect::<Vec<_>>(), [&1]);
        assert!((result[&1].distinct - 0.1).abs() < 1e-9, "{result:?}");
        // Of data that decide only what both ask for.
        let other = footprint((0..50).map(|at| at * at));
        let result = shares(&own, &[(other, 1, 10)]);
        assert!(result[&1].before[&1] < 0.2, "{result:?}");
    }
}
