//! What the server takes of its machine.

use std::fs;

use sqlx::PgPool;

use crate::{
    db::{self, upkeep::database_bytes},
    upkeep::disk::Disk,
};

/// Bytes that the server uses at one moment. What is not known is none.
#[derive(Debug)]
pub(crate) struct ResourceUse {
    /// Memory of the process.
    pub(crate) memory_bytes: Option<i64>,
    pub(crate) database_bytes: i64,
    /// None too where the database is elsewhere.
    pub(crate) disk_free_bytes: Option<i64>,
}

impl ResourceUse {
    pub(crate) async fn now(pool: &PgPool, disk: Option<&Disk>) -> db::Result<Self> {
        let disk = disk.and_then(Disk::free);
        Ok(Self {
            memory_bytes: resident_memory(),
            disk_free_bytes: disk.and_then(|it| i64::try_from(it).ok()),
            database_bytes: database_bytes(pool).await?,
        })
    }
}

/// Bytes of memory, as Linux counts them.
fn resident_memory() -> Option<i64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kib: i64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}
