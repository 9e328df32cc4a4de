//! Work-groups that stand for all of a launch, and what they share with others.

use std::{cmp::Reverse, collections::BTreeMap};

use super::{
    Occupancy, Totals, WarpObserver,
    neighbours::{self, Footprint, Shares},
};
use crate::{
    run::Refusal,
    sampling::{Budget, GroupObserver, GroupTotals, Sampler, Stratum, strata},
};

/// The most work-groups that are looked at.
const MOST_GROUPS: u64 = 96;
/// Number of these work-groups that are compared with their neighbours.
const COMPARED_GROUPS: u32 = 3;

/// Totals of sampled work-groups, scaled to all.
pub(super) struct Sample {
    pub(super) totals: Totals,
    /// Work-groups that were looked at.
    pub(super) groups: u64,
    /// Instructions that one work-group takes.
    pub(super) steps: u64,
}

/// Sectors that work-groups share with others.
#[derive(Default)]
pub(super) struct Compared {
    /// Shares with work-groups before them in each dimension, by buffer.
    pub(super) shares: BTreeMap<u64, Shares>,
    /// The share of sectors that other work-groups on a multiprocessor ask for at the same time.
    pub(super) on_one: f64,
}

impl Sampler<'_, WarpObserver<'_>> {
    /// Samples a launch's work-groups.
    pub(super) fn sample_launch(
        &mut self,
        occupancy: &Occupancy,
        budget: Budget,
    ) -> Result<Sample, Refusal> {
        let all = occupancy.groups;
        // One of each kind shows how long it takes; the kinds share the rest of the budget. The commonest come first:
        // if they take half of the limit, they stand for the others.
        let mut kinds = strata(self.machine.groups());
        kinds.sort_by_key(|kind| Reverse(kind.count()));
        let mut first = Vec::new();
        for kind in &kinds {
            first.push(self.sample_all(&kind.sample(1), budget)?);
            if self.machine.spent > budget.group_instructions / 2 {
                break;
            }
        }
        kinds.truncate(first.len());
        let common: u64 = kinds.iter().map(Stratum::count).sum();
        let others = all as f64 / common.max(1) as f64;
        let steps = self.machine.spent / (kinds.len() as u64).max(1);
        let more = budget.instructions.saturating_sub(self.machine.spent) / steps.max(1);
        let mut sample = Sample {
            totals: Totals::default(),
            groups: 0,
            steps,
        };
        for (kind, mut groups) in kinds.iter().zip(first) {
            let count = kind.share(more.min(MOST_GROUPS), all).min(kind.count());
            if count > 1 {
                groups = self.sample_all(&kind.sample(count), budget)?;
            }
            let mut sum = Totals::default();
            for group in &groups {
                sum.add(group, 1.0, 1.0);
            }
            let weight = others * kind.count() as f64;
            sample.totals.add(&sum, weight, groups.len() as f64);
            sample.groups += groups.len() as u64;
        }
        Ok(sample)
    }

    fn sample_all(&mut self, groups: &[[u32; 3]], budget: Budget) -> Result<Vec<Totals>, Refusal> {
        let sample = |group: &[u32; 3]| {
            self.machine.limit = self.machine.spent.saturating_add(budget.group_instructions);
            self.sample(*group)
        };
        groups.iter().map(sample).collect()
    }

    /// Compares some work-groups with others, as far as the budget allows. `steps`: those of one work-group.
    pub(super) fn compare(
        &mut self,
        occupancy: &Occupancy,
        steps: u64,
        budget: Budget,
    ) -> Result<Compared, Refusal> {
        let groups = self.machine.groups();
        self.machine.limit = self.machine.spent.saturating_add(budget.group_instructions);
        let mut all = Compared::default();
        let mut compared = 0.0;
        for at in 1..=COMPARED_GROUPS {
            if self.machine.spent.saturating_add(steps.saturating_mul(5)) > self.machine.limit {
                break;
            }
            let group = spread(at, groups);
            let (mut neighbours, mut step, mut place) = (Vec::new(), 1, 0);
            for dimension in 0..3 {
                let count = u64::from(groups[dimension]);
                if count > 1 {
                    let mut neighbour = group;
                    neighbour[dimension] -= 1;
                    neighbours.push((self.footprint(neighbour)?, step, count));
                }
                place += u64::from(group[dimension]) * step;
                step *= count;
            }
            // Work-groups go to multiprocessors in turn.
            let before = place.checked_sub(occupancy.active());
            let beside = before
                .map(|it| self.footprint(nth(it, groups)))
                .transpose()?;
            let own = self.footprint(group)?;
            for (buffer, shares) in neighbours::shares(&own, &neighbours) {
                let sum = all.shares.entry(buffer).or_default();
                sum.distinct += shares.distinct;
                for (distance, share) in shares.before {
                    *sum.before.entry(distance).or_default() += share;
                }
            }
            all.on_one += beside.map_or(0.0, |beside| neighbours::overlap(&own, &beside));
            compared += 1.0;
        }
        for shares in all.shares.values_mut() {
            shares.distinct /= compared;
            shares.before.values_mut().for_each(|it| *it /= compared);
        }
        all.on_one /= f64::max(compared, 1.0);
        Ok(all)
    }

    fn footprint(&mut self, group: [u32; 3]) -> Result<Footprint, Refusal> {
        self.run(group)?;
        let footprint = self.observer.footprint();
        self.observer.end_group();
        Ok(footprint)
    }
}

/// One of the work-groups that are compared: they are spread over the launch, and not at the same place in all
/// dimensions, as on a diagonal.
fn spread(at: u32, groups: [u32; 3]) -> [u32; 3] {
    let percent = [38, 62, 24].map(|by| (10 + by * at) % 100);
    std::array::from_fn(|dimension| {
        let count = groups[dimension];
        let place = u64::from(count) * u64::from(percent[dimension]) / 100;
        u32::try_from(place).unwrap_or(0).max(1).min(count - 1)
    })
}

/// The work-group in this place, the first dimension first.
#[expect(clippy::cast_possible_truncation, reason = "remainders of 32 bits")]
fn nth(place: u64, groups: [u32; 3]) -> [u32; 3] {
    let [x, y, _] = groups.map(u64::from);
    [place % x, place / x % y, place / x / y].map(|at| at as u32)
}
