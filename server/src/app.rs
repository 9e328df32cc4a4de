//! What the routes share. Rooms below take what they need of it.

use std::{sync::Arc, time::Duration};

use axum::extract::FromRef;
use kerncast_wire::Overview;
use sqlx::PgPool;

use crate::{
    access::{Access, Settings},
    coalesce::Coalesced,
    db,
    events::Events,
    fitting,
    forecasts::ForecastCache,
    http::{Hosts, MemoryBudget},
    monitoring::{database_probe::DatabaseProbe, metrics::Metrics},
    upkeep::disk::Disk,
    views::overview::overview,
};

/// How old forecasts may be after a change where the database is slow.
const FORECASTS_BEHIND: Duration = Duration::from_secs(1);

/// What every route shares.
#[derive(Clone)]
pub struct App {
    pub(crate) pool: PgPool,
    pub(crate) access: Arc<Access>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) events: Events,
    pub(crate) forecast_cache: Arc<ForecastCache>,
    pub(crate) memory: Arc<MemoryBudget>,
    /// What this server is called.
    pub(crate) hosts: Arc<Hosts>,
    pub(crate) probe: DatabaseProbe,
    /// Absent: the database is elsewhere.
    pub(crate) disk: Option<Disk>,
    overview: Arc<Coalesced<Overview>>,
}

impl App {
    /// On a migrated database ([`db::connect`]), whose changes `events` tells ([`crate::events::events`]).
    /// `settings`: who may do what.
    #[must_use]
    pub fn new(pool: PgPool, events: Events, settings: Settings) -> Self {
        Self {
            probe: DatabaseProbe::new(&pool),
            access: Arc::new(Access::new(settings, &events, pool.clone())),
            metrics: Arc::default(),
            forecast_cache: Arc::new(ForecastCache::new(
                pool.clone(),
                events.watch(),
                FORECASTS_BEHIND,
            )),
            pool,
            events,
            memory: Arc::default(),
            hosts: Arc::default(),
            disk: None,
            overview: Arc::default(),
        }
    }

    /// Sets how old forecasts may be after a change where the database is slow; a second where it is not called. For tests.
    #[must_use]
    pub fn with_forecasts_behind(mut self, time: Duration) -> Self {
        let cache = ForecastCache::new(self.pool.clone(), self.events.watch(), time);
        self.forecast_cache = Arc::new(cache);
        self
    }

    /// Sets how long a large request waits for memory before it is told to come again; twenty seconds where it is not
    /// called. For tests.
    #[must_use]
    pub fn with_memory_wait(mut self, time: Duration) -> Self {
        self.memory = Arc::new(MemoryBudget::new(time));
        self
    }

    /// Turns uploads away where this disk is full.
    #[must_use]
    pub fn with_disk(mut self, disk: Disk) -> Self {
        self.disk = Some(disk);
        self
    }

    /// Sets by which names and addresses the server may be called, beside this machine's own.
    #[must_use]
    pub fn with_hosts(mut self, hosts: Hosts) -> Self {
        self.hosts = Arc::new(hosts);
        self
    }

    /// Where fits are counted for `/metrics`.
    #[must_use]
    pub fn fits(&self) -> fitting::Counts {
        self.metrics.fits.clone()
    }

    /// How everything is, no older than this call.
    pub(crate) async fn overview(&self) -> db::Result<Arc<Overview>> {
        self.overview
            .get(async || overview(&self.pool, self.disk.as_ref()).await)
            .await
    }
}

impl FromRef<App> for Arc<MemoryBudget> {
    fn from_ref(app: &App) -> Self {
        Self::clone(&app.memory)
    }
}
