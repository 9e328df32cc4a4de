//! Kerncast's agent: runs OpenCL kernels, measures times and counters, keeps them in a spool and uploads
//! them.

pub mod ceilings;
pub mod child;
pub mod collect;
pub mod compare;
pub mod conditions;
pub mod cuda;
mod data;
pub mod doctor;
pub mod evaluate;
pub mod folders;
pub mod import;
pub mod local_memory;
pub mod opencl;
mod parallel;
mod prepared;
pub mod providers;
pub mod repeatability;
pub mod replay;
mod run_once;
mod scratch;
pub mod server;
pub mod spool;
pub mod suite;
pub mod timing;

pub use data::Data;
pub use prepared::{Prepared, RunError};
pub use run_once::{RunOnce, run_once};
