//! Plans and forecasts of streams: how a primitive would process an array of any length, how long that would take, and
//! whether the device is faster than the CPU (docs/streams.md).
//!
//! A trip takes as long as all stages of one chunk, plus the slowest stage of each other chunk; the first call also has a
//! start. The rates are measured once ([`Rates`]). `kerncast` and the server forecast with the same code.

mod change;
mod checked_forecast;
mod element;
mod error;
mod job;
pub mod memory;
mod offload;
pub mod plan;
mod rates;
mod run;
mod scatter;
mod sort;
mod start;
mod trip;
mod trust;
mod uploaded;

pub use change::Change;
pub use checked_forecast::CheckedForecast;
pub use element::Type;
pub use error::Error;
pub use job::{Explained, Job, PlannedTrip, passes};
pub use offload::{Offer, Offload, Size, Who};
pub use plan::{Bound, Options, Plan, Way};
pub use rates::{Check, First, FirstRun, Line, Move, Rates, Start, Timed, WORKS, Work, on_host};
pub use run::{Request, Run, Took};
pub use start::{Programs, StartForecast};
pub use trip::{Load, MovedArray, TripForecast, forecast};
pub use uploaded::{MeasuredStreams, NewStreamRates, OffloadAnswer, OffloadQuestion};
