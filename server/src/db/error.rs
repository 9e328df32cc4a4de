//! What is wrong where the database fails.

use sqlx::Error;

/// Whether nothing is wrong with what it was asked: it is away, ending, short of something, or others were in the
/// way. Asked again later it may answer.
pub(crate) fn is_away(error: &Error) -> bool {
    /// Of SQLSTATE: no connection, transaction rolled back, short of resources, an operator's doing, the system's.
    const CLASSES: [&str; 5] = ["08", "40", "53", "57", "58"];
    match error {
        Error::Database(error) => error
            .code()
            .is_some_and(|code| CLASSES.iter().any(|class| code.starts_with(class))),
        Error::Io(_)
        | Error::Tls(_)
        | Error::Protocol(_)
        | Error::PoolTimedOut
        | Error::PoolClosed
        | Error::WorkerCrashed => true,
        _ => false,
    }
}

/// Whether its disk is full.
pub(crate) fn is_full(error: &Error) -> bool {
    const DISK_FULL: &str = "53100";
    matches!(error, Error::Database(error) if error.code().as_deref() == Some(DISK_FULL))
}
