//! Analyses a kernel's source without running it, by clang and the crate `analysis`.

pub mod accesses;
pub mod oclgrind_counts;
