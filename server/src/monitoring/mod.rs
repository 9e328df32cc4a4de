//! For those who watch the server: metrics, the log of requests, and whether the database answers.

pub(crate) mod database_probe;
pub(crate) mod metrics;
pub(crate) mod request_log;
pub(crate) mod resident_memory;
