//! Everything that `kerncast` does, below its command line (`cli/` in the binary).
//!
//! - **Measuring:** `run` → `measure` → `child` → `prepared_launch` → `timing`, `conditions`; `providers` with `replay`
//!   and `cuda` count; `ceilings` and `local_memory` measure the device; `agent` does all this every night.
//! - **To the server:** `spool`, `delivery`, `client`.
//! - **Without a run:** `clang`, `source_analysis`, `counting`.
//! - **Answers:** `forecast`, `comparison`, `rewrite`, `evaluate`, `import`, `stream`; `draft` and `trace` make folders.
//! - **Small:** `config`, `folders`, `device`, `device_choice`, `kernels`, `generated`, `workload`, `programs`, `progress`,
//!   `units`, `doctor`.

#[macro_use]
pub mod progress;

pub mod agent;
pub mod ceilings;
pub mod child;
pub mod clang;
pub mod client;
pub mod comparison;
pub mod conditions;
pub mod config;
pub mod counting;
pub mod cuda;
pub mod delivery;
pub mod device;
pub mod device_choice;
pub mod doctor;
pub mod draft;
pub mod evaluate;
pub mod folders;
pub mod forecast;
pub mod generated;
pub mod import;
pub mod kernels;
pub mod local_memory;
pub mod measure;
mod prepared_launch;
mod programs;
pub mod providers;
pub mod replay;
pub mod rewrite;
pub mod run;
pub mod source_analysis;
pub mod spool;
pub mod stream;
pub mod timing;
pub mod trace;
pub mod units;
pub mod workload;

pub use prepared_launch::{PreparedLaunch, RunError};

/// A wrong request of the user: what is impossible or missing, and what to ask for instead.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);
