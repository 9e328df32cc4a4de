//! An uploaded batch: read, judged sample by sample, stored.

mod check;
mod names;
mod read;
mod renamed;
mod store;

pub(crate) use check::{LONGEST_TIME, MOST_COUNTERS, PROVIDER, is_provider};
pub(crate) use names::Names;
pub(crate) use read::{Batch, Judged};
pub(crate) use store::{store, verdict};
