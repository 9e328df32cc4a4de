//! All SQL. Listings come as JSON in the words of the API; the types of the crate `wire` read them.

pub(crate) mod agents;

pub mod audit;
pub(crate) mod backup;
pub(crate) mod catalogue;
mod connect;
pub(crate) mod counts;
pub(crate) mod decisions;
pub(crate) mod described;
pub(crate) mod events;
pub(crate) mod failure;
pub(crate) mod fit_parts;
pub(crate) mod fits;
pub(crate) mod forecasters;
pub(crate) mod gate;
pub(crate) mod held_out;
pub(crate) mod history;
pub(crate) mod inputs;
pub(crate) mod jobs;
pub(crate) mod kernels;
pub(crate) mod machines;
pub(crate) mod measurements;
pub(crate) mod models;
pub(crate) mod moves;
pub(crate) mod overview;
pub(crate) mod rates;
pub(crate) mod readings;
pub(crate) mod samples;
mod short_names;
pub(crate) mod sizes;
pub(crate) mod sources;
pub(crate) mod speedups;
pub(crate) mod stored_fit;
pub(crate) mod streams;
pub(crate) mod succession;
pub mod tokens;
pub(crate) mod training;
pub(crate) mod upload;
pub(crate) mod uploads;
pub(crate) mod validations;
mod words;

pub(crate) use connect::ping;
pub use connect::{ConnectError, connect};
