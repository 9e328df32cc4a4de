//! An uploaded batch: read, judged sample by sample, stored.

mod check;
mod read;
mod store;

pub(crate) use check::{LONGEST_TIME, MOST_COUNTERS};
pub(crate) use read::{Batch, JudgedSample};
pub(crate) use store::{batch_verdict, store};
