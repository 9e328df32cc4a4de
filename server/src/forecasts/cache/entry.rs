//! A value that is loaded anew after changes, and how much has happened to it.

use std::sync::Arc;

use tokio::time::Instant;

use crate::coalesce::Coalesced;

/// A value that is loaded anew after changes.
pub(super) struct Entry<T> {
    pub(super) value: Option<T>,
    /// Time since which the value may be another; absent where nothing has changed.
    pub(super) changed_at: Option<Instant>,
    pub(super) generation: Generation,
    pub(super) loading: Arc<Coalesced<T>>,
}

/// How much has happened to an entry.
#[derive(Clone, Copy, Default)]
pub(super) struct Generation {
    changes: u64,
    /// Changes after which nothing from before is good.
    forgotten: u64,
}

impl<T> Default for Entry<T> {
    fn default() -> Self {
        Self {
            value: None,
            changed_at: None,
            generation: Generation::default(),
            loading: Arc::default(),
        }
    }
}

impl<T> Entry<T> {
    /// It may be another from now on.
    pub(super) fn change(&mut self) {
        self.generation.changes += 1;
        self.changed_at.get_or_insert_with(Instant::now);
    }

    /// It may have been another for longer than is known.
    pub(super) fn forget(&mut self) {
        self.generation.forgotten += 1;
        self.change();
        self.value = None;
    }

    /// Stores what was loaded from `start` on, when the entry had this generation.
    pub(super) fn store(&mut self, value: T, start: Instant, generation: Generation) {
        if self.generation.forgotten == generation.forgotten {
            self.value = Some(value);
            self.changed_at = (self.generation.changes != generation.changes).then_some(start);
        }
    }
}
