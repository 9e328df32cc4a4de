//! What is known of a kernel before it runs, from its source by clang and the crate `analysis`.

pub mod accesses;
pub mod llvm;
pub mod oclgrind_counts;
