//! Sums of what varies: a number, and so many times each id or loop's pass.

use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slot {
    Global(u8),
    Group(u8),
    Local(u8),
    Pass(usize),
}

/// A number, and so many times what varies.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Linear {
    pub(super) constant: i128,
    pub(super) by: BTreeMap<Slot, i128>,
}

impl Linear {
    pub(super) fn number(value: i128) -> Self {
        Self {
            constant: value,
            by: BTreeMap::new(),
        }
    }

    pub(super) fn slot(slot: Slot) -> Self {
        Self {
            constant: 0,
            by: BTreeMap::from([(slot, 1)]),
        }
    }

    pub(super) fn as_number(&self) -> Option<i128> {
        self.by.is_empty().then_some(self.constant)
    }

    pub(super) fn add(&mut self, other: &Self, times: i128) -> Option<()> {
        self.constant = self
            .constant
            .checked_add(other.constant.checked_mul(times)?)?;
        for (slot, by) in &other.by {
            let own = self.by.entry(*slot).or_default();
            *own = own.checked_add(by.checked_mul(times)?)?;
            if *own == 0 {
                self.by.remove(slot);
            }
        }
        Some(())
    }
}
