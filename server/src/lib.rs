//! Kerncast's server: keeps samples in Postgres, fits and validates models, serves forecasts.
//!
//! `routes/` is thin and documents itself (OpenAPI); `db/` holds all SQL; `fitting/` turns samples into
//! models after uploads; `events` tells of changes; `postgres/` runs the private database.

pub mod access;
mod agents;
mod ceilings;
mod checker;
mod content;
pub mod data_folder;
pub mod db;
mod error;
pub mod events;
mod extract;
mod figure;
pub mod fitting;
mod metrics;
mod overview;
pub mod postgres;
mod prediction;
mod problem;
mod roofline;
pub mod routes;
mod samples;
mod sources;
pub mod token;

use std::sync::Arc;

use sqlx::PgPool;

/// What every route shares.
#[derive(Clone)]
pub struct App {
    pool: PgPool,
    access: Arc<access::Access>,
    metrics: Arc<metrics::Metrics>,
    events: events::Events,
    /// Models that answered before.
    kept: Arc<prediction::Kept>,
}

impl App {
    /// On a migrated database ([`db::connect`]), whose changes `events` tells ([`events::events`]).
    /// `settings`: who may do what.
    #[must_use]
    pub fn new(pool: PgPool, events: events::Events, settings: access::Settings) -> Self {
        Self {
            pool,
            access: Arc::new(access::Access::new(settings, &events)),
            metrics: Arc::default(),
            kept: Arc::new(prediction::Kept::new(&events)),
            events,
        }
    }
}
