//! Kerncast's agent: runs OpenCL kernels, takes their times and counters, keeps them in a spool and
//! uploads them.

mod data;
pub mod opencl;
mod prepared;
pub mod suite;

pub use data::Data;
pub use prepared::{Prepared, RunError, RunOnce, run_once};
