//! Where the values of readings and samples' repetitions are that are not in the database itself: other databases of
//! PostgreSQL, each of which has those of some devices' samples. The database, here the coordinator, has all else, and
//! says of each reading and sample which shard has them; so only what wants them needs a shard (docs/scale.md).

mod moving;
mod setup;
mod watch;
mod write;

pub use crate::db::shards::{Home, OfDevice, devices};
pub use moving::{MoveError, move_device};
pub use setup::{ALL, COORDINATOR, ShardsError};
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
    pub(crate) id: Uuid,
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

/// That shards do not give what they should, as the cause of a failure of the database.
#[derive(Debug)]
pub(crate) struct Lost(Vec<Fault>);

/// What is wrong with a shard.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) shard: String,
    pub(crate) why: Why,
}

/// Why a shard does not give what it should.
#[derive(Debug)]
pub(crate) enum Why {
    /// It does not answer. The reason is for the log: it may have addresses.
    Away(String),
    /// It answers, and has not got this.
    Lacks(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shard, why } = self;
        match why {
            Why::Away(_) => write!(formatter, "the shard {shard} can't be reached"),
            Why::Lacks(what) => write!(
                formatter,
                "the shard {shard} has not {what}, which the database says are there"
            ),
        }
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, fault) in self.0.iter().enumerate() {
            let between = if place > 0 { "; " } else { "" };
            write!(formatter, "{between}{fault}")?;
            if let Why::Away(reason) = &fault.why {
                write!(formatter, ": {reason}")?;
            }
        }
        Ok(())
    }
}

impl Error for Lost {}

impl Lost {
    /// That a shard can't be reached.
    pub(crate) fn away(shard: &str, reason: impl Into<String>) -> sqlx::Error {
        Self::one(shard, Why::Away(reason.into()))
    }

    /// That a shard answers, and has not got something.
    pub(crate) fn lacks(shard: &str, what: String) -> sqlx::Error {
        Self::one(shard, Why::Lacks(what))
    }

    fn one(shard: &str, why: Why) -> sqlx::Error {
        let shard = shard.to_owned();
        Self(vec![Fault { shard, why }]).into()
    }

    /// All of these as one; one that is none of a shard's comes before them. None where there are none.
    pub(crate) fn together(errors: impl IntoIterator<Item = sqlx::Error>) -> Option<sqlx::Error> {
        let mut all = Vec::new();
        for error in errors {
            match error {
                sqlx::Error::Io(error) if error.get_ref().is_some_and(|it| it.is::<Self>()) => {
                    let lost = error.into_inner().and_then(|it| it.downcast().ok());
                    all.extend(lost.into_iter().flat_map(|it: Box<Self>| it.0));
                }
                other => return Some(other),
            }
        }
        (!all.is_empty()).then(|| Self(all).into())
    }

    /// Where that is why the database failed.
    pub(crate) fn of(error: &sqlx::Error) -> Option<&Self> {
        match error {
            sqlx::Error::Io(error) => error.get_ref()?.downcast_ref(),
            _ => None,
        }
    }

    /// Whether every shard answers, and lacks something: asked again it would lack it still.
    pub(crate) fn only_lacks(error: &sqlx::Error) -> bool {
        let all_lack = |lost: &Self| lost.0.iter().all(|it| matches!(it.why, Why::Lacks(_)));
        Self::of(error).is_some_and(all_lack)
    }

    pub(crate) fn faults(&self) -> &[Fault] {
        &self.0
    }

    /// For whoever asked, who is not told addresses.
    pub(crate) fn told(&self) -> String {
        let faults: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        faults.join("; ")
    }
}

impl From<Lost> for sqlx::Error {
    fn from(lost: Lost) -> Self {
        Self::Io(io::Error::new(io::ErrorKind::NotConnected, lost))
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
            Lost::away(&format!("number {number}"), why)
        })
    }

    /// All of them.
    pub(crate) fn all(&self) -> Vec<Arc<Shard>> {
        self.read().values().cloned().collect()
    }

    /// All of them, by number and id.
    pub(crate) fn numbered(&self) -> Vec<shards::Numbered> {
        self.read().values().map(|it| (it.number, it.id)).collect()
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
            id,
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
            return Err(Lost::away(&self.name, why));
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
        Err(Lost::away(&self.name, error))
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
