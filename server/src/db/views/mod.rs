//! Queries for the overview and for rooflines.

pub(crate) mod overview;
pub(crate) mod workload_counters;
