//! Across devices: what runs on one device forecasts the time on another.

mod costs;
mod error;
mod folds;
mod non_negative;
mod pair;
mod relative;
mod scaled;
mod smooth;
mod terms;
mod workloads;

pub use costs::{Costs, from_counters};
pub use error::AcrossError;
pub use pair::{Pair, from_source};
pub use scaled::Scaled;
pub use smooth::Smooth;
pub use terms::{Roles, Term};
pub use workloads::Workloads;
