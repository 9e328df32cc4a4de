//! Kerncast's server: keeps samples in Postgres, fits and validates models, serves forecasts.
//!
//! `routes/` is thin and documents itself (OpenAPI); `db/` holds all SQL; `fitting/` turns samples into
//! models after uploads; `backup` keeps it all in a file; `upkeep` drops fits that newer ones have
//! replaced; `events` announces changes; `postgres/` runs the private database.

pub mod access;
mod agents;
pub mod backup;
mod budget;

mod ceilings;
mod checker;
mod content;
pub mod data_folder;
pub mod db;
pub mod disk;
mod door;
mod error;
pub mod events;
mod extract;
pub mod fitting;
mod forecasts;
mod heavy;
pub mod listen;
mod measurements;
mod metrics;
mod overview;
mod paging;
mod patience;
pub mod postgres;
mod problem;
mod pulse;
mod requests;
mod roofline;
pub mod routes;
mod samples;
mod sources;
mod streams;
mod together;
pub mod token;
pub mod upkeep;
mod vitals;

pub use door::Hosts;

use std::{sync::Arc, time::Duration};

use sqlx::PgPool;

/// So long after a change forecasts may be of before it, where the database is slow.
const FORECASTS_BEHIND: Duration = Duration::from_secs(1);

/// What every route shares.
#[derive(Clone)]
pub struct App {
    pool: PgPool,
    access: Arc<access::Access>,
    metrics: Arc<metrics::Metrics>,
    events: events::Events,
    forecast_cache: Arc<forecasts::ForecastCache>,
    /// Of large requests.
    budget: Arc<budget::Budget>,
    /// What this server is called.
    hosts: Arc<Hosts>,
    /// Whether the database answers.
    pulse: pulse::Pulse,
    overview: Arc<together::Together<kerncast_wire::Overview>>,
    /// Absent: the database is elsewhere.
    disk: Option<disk::Disk>,
}

impl App {
    /// On a migrated database ([`db::connect`]), whose changes `events` tells ([`events::events`]).
    /// `settings`: who may do what.
    #[must_use]
    pub fn new(pool: PgPool, events: events::Events, settings: access::Settings) -> Self {
        Self {
            pulse: pulse::Pulse::of(&pool),
            pool,
            access: Arc::new(access::Access::new(settings, &events)),
            metrics: Arc::default(),
            forecast_cache: Arc::new(forecasts::ForecastCache::new(&events, FORECASTS_BEHIND)),
            events,
            budget: Arc::new(budget::Budget::new(budget::PATIENCE)),
            hosts: Arc::default(),
            overview: Arc::default(),
            disk: None,
        }
    }

    /// To have forecasts at most so long behind changes; else a second, where the database is slow.
    #[must_use]
    pub fn with_forecasts_behind(mut self, time: Duration) -> Self {
        self.forecast_cache = Arc::new(forecasts::ForecastCache::new(&self.events, time));
        self
    }

    /// To tell large requests that there is no memory for to come again after they have waited so long; else twenty seconds.
    #[must_use]
    pub fn with_patience(mut self, time: Duration) -> Self {
        self.budget = Arc::new(budget::Budget::new(time));
        self
    }

    /// Where fits are counted for `/metrics`.
    #[must_use]
    pub fn fits(&self) -> fitting::Counts {
        self.metrics.fits.clone()
    }

    /// To store nothing more than this disk has room for.
    #[must_use]
    pub fn with_disk(mut self, disk: disk::Disk) -> Self {
        self.disk = Some(disk);
        self
    }

    /// To be called by these names and addresses too, beside this machine's own.
    #[must_use]
    pub fn with_hosts(mut self, hosts: Hosts) -> Self {
        self.hosts = Arc::new(hosts);
        self
    }
}
