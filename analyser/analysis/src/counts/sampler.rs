//! Runs work-groups one after the other, each summed up by an observer.

use super::order::{Steps, in_order};
use crate::run::{Machine, Observer, Refusal};

/// An observer that sums up what a work-group does.
pub(crate) trait GroupObserver: Observer {
    type Totals;

    /// The work-group's sums; the next work-group begins.
    fn end_group(&mut self) -> Self::Totals;
}

pub(crate) struct Sampler<'a, O> {
    pub(crate) machine: Machine<'a>,
    pub(crate) items: Vec<[u32; 3]>,
    pub(crate) observer: O,
    /// The work-groups that were sampled, in order.
    pub(crate) ran: Vec<Steps>,
}

impl<'a, O: GroupObserver> Sampler<'a, O> {
    pub(crate) fn new(machine: Machine<'a>, observer: O) -> Self {
        Self {
            items: machine.all_items(),
            machine,
            observer,
            ran: Vec::new(),
        }
    }

    pub(crate) fn sample(&mut self, group: [u32; 3]) -> Result<O::Totals, Refusal> {
        let before = self.machine.spent;
        let (items, observer) = (&self.items, &mut self.observer);
        self.machine.run_group(group, items, observer)?;
        self.ran.push((group, self.machine.spent - before));
        Ok(self.observer.end_group())
    }

    /// Runs all work-groups in order. Returns false if they take too long.
    pub(crate) fn all_in_order(
        &mut self,
        mut add: impl FnMut(&O::Totals),
    ) -> Result<bool, Refusal> {
        in_order(&mut self.machine, |machine, group| {
            machine.run_group(group, &self.items, &mut self.observer)?;
            add(&self.observer.end_group());
            Ok(())
        })
    }
}
