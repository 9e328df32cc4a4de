//! Predictions: counter sets in, forecasts from stored fits out.

mod answer;
mod asked;
mod candidates;
mod champions;
mod columns;
mod contradiction;
mod explain;
mod file;
mod floor;
mod forecast;
mod kept;
mod known_speedups;
mod limits;
mod others;
mod pending;
mod plan;
mod refusals;
mod speedups;
mod text;
mod trust;
mod unmeasured;

use std::sync::Arc;

use sqlx::PgPool;

pub(crate) use asked::{Asked, Wishes};
pub(crate) use champions::Champions;
pub(crate) use file::bytes_of_file;
pub(crate) use kept::Kept;
pub(crate) use plan::Plan;
pub(crate) use speedups::{kernel_speedups, speedup_models, speedups};
pub(crate) use text::Text;

/// What forecasts are made from: the database, and what is cached of it.
#[derive(Clone)]
pub(crate) struct Store {
    pub(crate) pool: PgPool,
    pub(crate) kept: Arc<Kept>,
}
