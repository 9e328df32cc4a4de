//! An uploaded batch: read, judged sample by sample, stored.

mod check;
mod decision;
mod read;
mod store;

pub(crate) use check::{LONGEST_TIME, MOST_COUNTERS};
pub(crate) use decision::{check_decision, check_reason};
pub(crate) use read::{Batch, Judged};
pub(crate) use store::{store, verdict};
