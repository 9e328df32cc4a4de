//! Why the database did not do what it was asked.

use tokio::task::JoinError;

/// Why the database did not do what it was asked. Messages are Postgres's own where it sent one.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Its disk is full.
    #[error(transparent)]
    DiskFull(sqlx::Error),
    /// A statement took longer than statements may.
    #[error(transparent)]
    TooSlow(sqlx::Error),
    /// It is away, ending or short of something, or others were in the way.
    #[error(transparent)]
    Away(sqlx::Error),
    /// The task that asked it ended early.
    #[error("the task that asked the database ended early")]
    Interrupted(#[from] JoinError),
    /// What is stored, or was to be stored, is not as it must be; the text says what.
    #[error("{0}")]
    Inconsistent(String),
    /// It refused a statement, or answered what nobody expected.
    #[error(transparent)]
    Other(sqlx::Error),
}

/// What a function of the database returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Whether nothing is wrong with what it was asked: it may answer later.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            Self::DiskFull(_) | Self::TooSlow(_) | Self::Away(_) | Self::Interrupted(_) => true,
            Self::Inconsistent(_) | Self::Other(_) => false,
        }
    }

    /// The error of a value, stored or to be stored, that can't be converted.
    pub(super) fn conversion(error: impl std::error::Error) -> Self {
        Self::Inconsistent(format!("a value can't be converted: {error}"))
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        /// SQLSTATE of a full disk.
        const DISK_FULL: &str = "53100";
        /// SQLSTATE of a statement that took too long.
        const CANCELLED: &str = "57014";
        /// Classes of SQLSTATE: no connection, transaction rolled back, short of resources, an operator's doing, the
        /// system's.
        const AWAY: [&str; 5] = ["08", "40", "53", "57", "58"];
        match &error {
            sqlx::Error::Database(refusal) => match refusal.code().as_deref() {
                Some(DISK_FULL) => Self::DiskFull(error),
                Some(CANCELLED) => Self::TooSlow(error),
                Some(code) if AWAY.iter().any(|class| code.starts_with(class)) => Self::Away(error),
                _ => Self::Other(error),
            },
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed => Self::Away(error),
            _ => Self::Other(error),
        }
    }
}
