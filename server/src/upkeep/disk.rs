//! Room on the disk of the data folder. A Postgres whose disk is full ends and can't start again, so uploads are turned
//! away before that.

use std::path::{Path, PathBuf};

use kerncast_wire::Because;
use rustix::fs::statvfs;

const MIB: u64 = 1 << 20;

/// A server's disk, and how little room on it is too little, bytes.
#[derive(Clone, Debug)]
pub struct Disk {
    folder: PathBuf,
    low: u64,
    full: u64,
}

impl Disk {
    /// With fewer free bytes Postgres can't even repair its files after a crash.
    pub(crate) const TO_START: u64 = 64 * MIB;

    /// The disk of a data folder. Below a quarter of a gibibyte nothing is uploaded any more: Postgres writes
    /// everything twice, and repairs itself by writing. Below two somebody should look.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self::with_limits(folder, 2048 * MIB, 256 * MIB)
    }

    /// A disk with other limits: below `low` free bytes it needs attention, below `full` it takes no uploads.
    #[must_use]
    pub fn with_limits(folder: &Path, low: u64, full: u64) -> Self {
        Self {
            folder: folder.to_owned(),
            low,
            full,
        }
    }

    /// Bytes that are free; none where the system does not say.
    pub(crate) fn free(&self) -> Option<u64> {
        free(&self.folder)
    }

    /// Why nothing more should be stored, where that is so.
    pub(crate) fn refusal(&self) -> Option<String> {
        let is_full = free(&self.folder).is_some_and(|free| free < self.full);
        let because = || self.warning().map(|low| low.to_string());
        is_full.then(|| because().unwrap_or_default())
    }

    /// What a person should know where there is little room.
    pub(crate) fn warning(&self) -> Option<Because> {
        let free_bytes = free(&self.folder).filter(|&free| free < self.low)?;
        Some(Because::DiskLow {
            folder: self.folder.display().to_string(),
            free_bytes,
            full_bytes: self.full,
        })
    }
}

/// Bytes that are free for others than root on the disk of a folder; none where the system does not say.
pub(crate) fn free(folder: &Path) -> Option<u64> {
    let disk = statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}
