//! Forecasts of counter sets, from stored fits. The way of a request:
//!
//! 1. `request` reads counter sets and options from JSON, `profiler_file` from a file. Each `counter_set` is checked;
//!    `contradiction` finds counters that can't be of one launch.
//! 2. `plan` chooses the models of every set on every device out of the `candidates`, and loads them through the `cache`.
//!    `unmeasured` finds whose models answer for a GPU that nobody has measured.
//! 3. `answer_stream` has one prediction after the other made, and writes it.
//! 4. `plan/prediction` makes one: it refuses what the device can't run (`device_limits`) or no model answers (`refusals`),
//!    has the `model` `forecast` (`columns` joins the counters, `explain` shares the time out among them), adds
//!    what speaks against that (`counter_warnings`, `other_models`, `floor`, `measured_time`, `pending_fits`), and sums it
//!    up as `trust`.
//!
//! `speedups` divides two such forecasts; `left_out_speedups` says how such ratios turned out. The gate has samples forecast by a [`LoadedModel`] (`fitting/gate_forecasts`).

mod answer_stream;
mod cache;
mod candidates;
mod columns;
mod contradiction;
mod counter_set;
mod counter_warnings;
mod device_limits;
mod explain;
mod floor;
mod forecast;
mod left_out_speedups;
mod measured_time;
mod model;
mod other_models;
mod pending_fits;
mod plan;
mod profiler_file;
mod refusals;
mod request;
mod speedups;
mod trust;
mod unmeasured;

pub(crate) use answer_stream::PredictionStream;
pub(crate) use cache::ForecastCache;
pub(crate) use counter_set::PostedSet;
pub(crate) use model::LoadedModel;
pub(crate) use plan::Plan;
pub(crate) use profiler_file::bytes_to_read;
pub(crate) use request::{ForecastRequest, RequestOptions};
pub(crate) use speedups::{forecast_speedups, kernel_speedups, speedup_models};
