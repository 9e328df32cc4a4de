//! An uploaded batch: read, judged sample by sample, stored.

mod check;
mod names;
mod read;
mod store;
mod summary;

pub(crate) use check::{LONGEST_TIME, MOST_COUNTERS, PROVIDER, is_provider};
pub(crate) use names::Names;
pub(crate) use read::{Batch, Judged};
pub(crate) use store::{store, verdict};
pub(crate) use summary::summary;
