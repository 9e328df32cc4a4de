//! Before anything is done: how a primitive would be done of arrays of any length, how long that would take, and whether it
//! pays beside the CPU (docs/streams.md).
//!
//! A trip takes all stages of one chunk, and the slowest of them for each other chunk; before the first one there is the
//! start. Rates are measured once ([`Rates`]), by whom is no matter here: `kerncast` and the server answer alike.

mod by_checks;
mod change;
mod element;
mod job;
mod judged;
pub mod needs;
mod offload;
pub mod plan;
mod rates;
mod run;
mod scatter;
mod start;
mod trip;
mod trust;
mod uploaded;

pub use by_checks::Error;
pub use change::Change;
pub use element::Type;
pub use job::{Explained, Job, PlannedTrip, passes};
pub use judged::Judged;
pub use offload::{Offer, Offload, Size, Who};
pub use plan::{Bound, Options, Plan, Way};
pub use rates::{Check, First, FirstRun, Line, Move, Rates, Start, Timed, WORKS, Work, on_host};
pub use run::{Asked, Run, Took};
pub use start::{Programs, StartForecast};
pub use trip::{Load, Moved, TripForecast, forecast};
pub use uploaded::{MeasuredStreams, NewStreamRates, OffloadAnswer, OffloadQuestion};
