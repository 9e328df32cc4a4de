//! An uploaded batch: read, checked sample by sample, stored.

mod check;
mod read;
mod store;

pub(crate) use check::{LONGEST_TIME, MOST_COUNTERS};
pub(crate) use read::{Batch, CheckedSample};
pub(crate) use store::{batch_verdict, store};
