//! Plans and forecasts of streams: how a primitive would process an array of any length, how long that would take, and
//! whether the device is faster than the CPU (docs/streams.md).
//!
//! A trip takes as long as all stages of one chunk, plus the slowest stage of each other chunk; the first call also has a
//! start. The rates are measured once ([`StreamRates`]). `kerncast` and the server forecast with the same code.

mod change;
mod checked_forecast;
mod element;
mod forecast_error;
pub mod memory;
mod offload;
pub mod plan;
mod rates;
mod requests;
mod run;
mod scatter;
mod sort;
mod start;
mod stream_job;
mod trip;
mod trust;

pub use change::OffloadChange;
pub use checked_forecast::CheckedForecast;
pub use element::ElementType;
pub use forecast_error::ForecastError;
pub use offload::{Offload, OffloadOffer, OffloadSize, Processor};
pub use plan::{Options, StreamBound, StreamPlan, StreamWay};
pub use rates::{
    FirstCallRun, ForecastAndTime, MoveRate, RateLine, StreamCheck, StreamRates, StreamStart,
    StreamWork, TimedWork, host_seconds,
};
pub use requests::{MeasuredStreams, NewStreamRates, OffloadAnswer, OffloadQuestion};
pub use run::{RunTimes, StreamRequest, StreamRun};
pub use start::{Programs, StartForecast};
pub use stream_job::{ExplainedStream, PlannedTrip, StreamJob, trip_count};
pub use trip::{MovedArray, TripForecast, TripLoad, forecast_trip};
