//! Runs work-groups one after the other, each summed up by an observer.

use super::{
    CountedLaunch, Extent,
    order::{Steps, dependence, in_order},
};
use crate::run::{Goal, Machine, Observer, Refusal, Shape};

/// Sums of a work-group, or of several.
pub(crate) trait GroupTotals: Default {
    /// Adds `count` ÷ `among` times `other`.
    fn add(&mut self, other: &Self, count: f64, among: f64);
}

/// An observer that sums up what a work-group does.
pub(crate) trait GroupObserver: Observer {
    type Totals: GroupTotals;

    /// The work-group's sums; the next work-group begins.
    fn end_group(&mut self) -> Self::Totals;
}

/// The distance from each lane's address to the next; none if it is not the same everywhere.
pub(crate) fn even_step(addresses: &[u64]) -> Option<u64> {
    let pairs = addresses.windows(2);
    let mut steps = pairs.map(|pair| pair[1].wrapping_sub(pair[0]));
    let first = steps.next().unwrap_or(0);
    steps.all(|step| step == first).then_some(first)
}

pub(crate) struct Sampler<'a, O> {
    pub(crate) machine: Machine<'a>,
    items: Vec<[u32; 3]>,
    pub(crate) observer: O,
    /// The work-groups that were sampled, in order.
    sampled: Vec<Steps>,
}

impl<'a, O: GroupObserver> Sampler<'a, O> {
    fn new(machine: Machine<'a>, observer: O) -> Self {
        Self {
            items: machine.all_items(),
            machine,
            observer,
            sampled: Vec::new(),
        }
    }

    /// Runs a work-group, and leaves its sums with the observer.
    pub(crate) fn run(&mut self, group: [u32; 3]) -> Result<(), Refusal> {
        let (items, observer) = (&self.items, &mut self.observer);
        self.machine.run_group(group, items, observer)
    }

    pub(crate) fn sample(&mut self, group: [u32; 3]) -> Result<O::Totals, Refusal> {
        let before = self.machine.spent;
        self.run(group)?;
        self.sampled.push((group, self.machine.spent - before));
        Ok(self.observer.end_group())
    }

    /// Totals of all work-groups in order; none if they take too long.
    fn all_in_order(&mut self) -> Result<Option<O::Totals>, Refusal> {
        let mut totals = O::Totals::default();
        let is_done = in_order(&mut self.machine, |machine, group| {
            machine.run_group(group, &self.items, &mut self.observer)?;
            totals.add(&self.observer.end_group(), 1.0, 1.0);
            Ok(())
        })?;
        Ok(is_done.then_some(totals))
    }
}

/// A launch's totals by the work-groups that were followed.
pub(crate) struct Followed<O: GroupObserver> {
    pub(crate) totals: O::Totals,
    pub(crate) observer: O,
    pub(crate) extent: Extent,
    /// Whether all work-groups were followed, in order.
    pub(crate) is_in_order: bool,
    /// The value of the counter [`DEPENDENCE`](super::DEPENDENCE).
    pub(crate) dependence: f64,
}

/// Follows work-groups with all their addresses: all in order if the order matters and that can be afforded, else those
/// that `sample` takes, with the number of them.
///
/// # Errors
/// The kernel can't be followed: addresses depend on what nobody knows, or a single work-group takes too long.
pub(crate) fn follow_groups<O: GroupObserver>(
    launch: &CountedLaunch<'_, '_>,
    lanes: usize,
    new_observer: impl Fn() -> Result<O, Refusal>,
    sample: impl FnOnce(&mut Sampler<'_, O>) -> Result<(O::Totals, u64), Refusal>,
) -> Result<Followed<O>, Refusal> {
    launch.program.has_no_unknown_calls()?;
    let slice = launch.slice(Goal::Addresses)?;
    let new_machine = || launch.machine(&slice, launch.memory(&slice)?, lanes);
    let new_sampler = || Ok(Sampler::new(new_machine()?, new_observer()?));
    if slice.is_ordered {
        let mut sampler = new_sampler()?;
        if let Some(totals) = sampler.all_in_order()? {
            return Ok(Followed {
                totals,
                observer: sampler.observer,
                extent: Extent::Exact,
                is_in_order: true,
                dependence: 0.0,
            });
        }
    }
    let mut sampler = new_sampler()?;
    let (totals, groups) = sample(&mut sampler)?;
    let dependence = if slice.is_ordered {
        dependence(&sampler.sampled, new_machine)?
    } else {
        0.0
    };
    Ok(Followed {
        totals,
        observer: sampler.observer,
        extent: Extent::new(groups, Shape::new(launch.step).all_groups()),
        is_in_order: false,
        dependence,
    })
}
