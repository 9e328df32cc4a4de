//! Where the values of readings and samples' repetitions are that are not in the database itself: other databases of
//! PostgreSQL, each of which has those of some devices' samples. The database, here the coordinator, has all else, and
//! says of each reading and sample which shard has them; so only what wants them needs a shard (docs/scale.md).

mod moving;
mod setup;
mod watch;
mod write;

pub use crate::db::shards::{OfDevice, devices};
pub use moving::{MoveError, move_device};
pub use setup::ShardsError;
pub(crate) use setup::{Address, addresses};
pub use watch::{sweep, sweep_now, watch};

use std::{
    collections::BTreeMap,
    error::Error,
    fmt, io,
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::{Duration, Instant},
};

use chrono::{DateTime, Utc};
use sqlx::{
    PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tokio::time::timeout;
use uuid::Uuid;

use crate::db::{on_shard, ping, shards};

/// Connections to each shard: uploads and fits ask for a moment.
const CONNECTIONS: u32 = 8;
/// A shard that gives no connection within this time is lost …
const PATIENCE: Duration = Duration::from_secs(3);
/// … and so is one that does not answer within this.
const LONGEST: Duration = Duration::from_secs(30);
/// A lost shard is not asked again so soon: whoever wants it is told at once, and waits for nothing.
const PAUSE: Duration = Duration::from_secs(2);

/// The shards that this server reaches; none where there are no others.
#[derive(Clone, Debug, Default)]
pub struct Shards(Arc<RwLock<BTreeMap<i16, Arc<Shard>>>>);

/// A shard, whether it answers or not.
#[derive(Debug)]
pub(crate) struct Shard {
    pub(crate) number: i16,
    pub(crate) name: String,
    /// What tells its address from another.
    address: String,
    pool: PgPool,
    failed: Mutex<Option<Failed>>,
}

/// The names of the shards that the database knows, by number.
///
/// # Errors
/// Where the database fails.
pub async fn known(pool: &PgPool) -> sqlx::Result<BTreeMap<i16, String>> {
    let known = shards::list(&mut *pool.acquire().await?).await?;
    Ok(known.into_iter().map(|it| (it.number, it.name)).collect())
}

/// Since when a shard does not answer.
#[derive(Clone, Debug)]
struct Failed {
    since: DateTime<Utc>,
    last: Instant,
    why: String,
}

/// That a shard does not answer, as the cause of a failure of the database.
#[derive(Debug)]
pub(crate) struct Lost {
    pub(crate) shard: String,
    why: String,
}

impl fmt::Display for Lost {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "the shard {} can't be reached: {}",
            self.shard, self.why
        )
    }
}

impl Error for Lost {}

impl Lost {
    pub(crate) fn error(shard: &str, why: impl Into<String>) -> sqlx::Error {
        let lost = Self {
            shard: shard.to_owned(),
            why: why.into(),
        };
        sqlx::Error::Io(io::Error::new(io::ErrorKind::NotConnected, lost))
    }

    /// Where that is why the database failed.
    pub(crate) fn of(error: &sqlx::Error) -> Option<&Self> {
        match error {
            sqlx::Error::Io(error) => error.get_ref()?.downcast_ref(),
            _ => None,
        }
    }
}

impl Shards {
    pub(crate) fn is_empty(&self) -> bool {
        self.read().is_empty()
    }

    /// The shard of this number.
    ///
    /// # Errors
    /// Where this server was not told how to reach it.
    pub(crate) fn get(&self, number: i16) -> sqlx::Result<Arc<Shard>> {
        let shard = self.read().get(&number).cloned();
        shard.ok_or_else(|| {
            let why = "this server does not know it; --shards names the file that has its address";
            Lost::error(&format!("number {number}"), why)
        })
    }

    /// All of them.
    pub(crate) fn all(&self) -> Vec<Arc<Shard>> {
        self.read().values().cloned().collect()
    }

    /// Bytes that a shard's values take, and about how many readings and samples' repetitions they are.
    ///
    /// # Errors
    /// Where it can't be reached.
    pub async fn size(&self, number: i16) -> sqlx::Result<(i64, i64)> {
        let shard = self.get(number)?;
        shard.ask(async |pool| on_shard::size(pool).await).await
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, BTreeMap<i16, Arc<Shard>>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn replace(&self, all: BTreeMap<i16, Arc<Shard>>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = all;
    }
}

impl Shard {
    /// One that is set up, of this id; nothing is asked of it yet.
    fn new(number: i16, name: String, id: Uuid, options: PgConnectOptions) -> Self {
        let address = setup::address(&options);
        let options = options.application_name("kerncast-server").options([
            ("jit", "off"),
            ("statement_timeout", "30s"),
            ("tcp_keepalives_idle", "30"),
            ("tcp_keepalives_interval", "10"),
            ("tcp_keepalives_count", "3"),
            ("tcp_user_timeout", "60000"),
        ]);
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(PATIENCE)
            // Another database under its address, an empty one perhaps, would answer that there is nothing.
            .after_connect(move |connection, _| Box::pin(on_shard::check(connection, id)))
            .connect_lazy_with(options);
        Self {
            number,
            name,
            address,
            pool,
            failed: Mutex::new(None),
        }
    }

    /// Asks the shard something.
    ///
    /// # Errors
    /// [`Lost`], at once where it did not answer a moment ago.
    pub(crate) async fn ask<T>(
        &self,
        question: impl AsyncFnOnce(&PgPool) -> sqlx::Result<T>,
    ) -> sqlx::Result<T> {
        if let Some(Failed { last, why, .. }) = self.failed()
            && last.elapsed() < PAUSE
        {
            return Err(Lost::error(&self.name, why));
        }
        let answer = timeout(LONGEST, question(&self.pool)).await;
        let error = match answer {
            Ok(Ok(answer)) => {
                if self.lock().take().is_some() {
                    tracing::info!(shard = self.name, "a shard is there again");
                }
                return Ok(answer);
            }
            Ok(Err(error)) => error.to_string(),
            Err(_) => format!("it did not answer within {} s", LONGEST.as_secs()),
        };
        let mut failed = self.lock();
        if failed.is_none() {
            tracing::error!(shard = self.name, "a shard can't be reached: {error}");
        }
        *failed = Some(Failed {
            since: failed.as_ref().map_or_else(Utc::now, |it| it.since),
            last: Instant::now(),
            why: error.clone(),
        });
        Err(Lost::error(&self.name, error))
    }

    /// Whether it answers.
    pub(crate) async fn feel(&self) -> sqlx::Result<()> {
        self.ask(async |pool| ping(pool).await).await
    }

    /// Since when it has not answered; none where it did when it was asked last.
    pub(crate) fn lost_since(&self) -> Option<DateTime<Utc>> {
        self.failed().map(|it| it.since)
    }

    fn failed(&self) -> Option<Failed> {
        self.lock().clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Failed>> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
