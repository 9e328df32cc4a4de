//! When the disk of the data folder will be full.

use kerncast_wire::{Because, FullDisk};
use sqlx::PgPool;

use crate::{db::sizes, disk::Disk};

/// Fewer days than these foretell nothing.
const FEWEST_DAYS: i32 = 7;
/// Room for fewer days than these needs attention.
const SOON_DAYS: f64 = 60.0;

/// What a person should know of the disk: that there is little room, or for how long there will be.
pub(crate) async fn warning(pool: &PgPool, disk: &Disk) -> sqlx::Result<Option<Because>> {
    let growth = sizes::growth(pool).await?;
    let low = disk.warning();
    let full = growth.and_then(|growth| foreseen(disk.room()?, growth));
    let any = low.is_some() || full.is_some();
    Ok(any.then_some(Because::DiskLow { low, full }))
}

/// `room_bytes`: until uploads are refused.
fn foreseen(room_bytes: u64, (bytes_per_day, over_days): (f64, i32)) -> Option<FullDisk> {
    if over_days < FEWEST_DAYS || bytes_per_day <= 0.0 {
        return None;
    }
    let days = room_bytes as f64 / bytes_per_day;
    (days < SOON_DAYS).then_some(FullDisk {
        days,
        bytes_per_day,
        over_days,
        room_bytes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_foreseen_by_how_the_database_grows() {
        let mib = f64::from(1 << 20);
        let room = 4100 << 20;
        let foreseen = |per_day, days| foreseen(room, (per_day, days));
        assert_eq!(
            foreseen(100.0 * mib, 29)
                .map(|full| full.to_string())
                .as_deref(),
            Some(
                "the disk is full in 41 days: the database has grown by 100 MiB a day over the last 29 days, and there is \
                 room for 4100 MiB more"
            )
        );
        assert_eq!(foreseen(10.0 * mib, 29), None, "more than a year");
        assert_eq!(foreseen(100.0 * mib, 6), None, "too few days");
        assert_eq!(foreseen(-100.0 * mib, 29), None, "it shrinks");
    }
}
