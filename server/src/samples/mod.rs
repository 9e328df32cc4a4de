//! An uploaded batch: read, judged sample by sample, stored.

mod check;
mod read;
mod renamed;
mod store;

pub(crate) use check::{LONGEST_TIME, PROVIDER, is_provider};
pub(crate) use read::{Judged, read_batch};
pub(crate) use store::store;
