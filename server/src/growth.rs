//! When the disk of the data folder will be full.

use std::{error::Error, time::Duration};

use sqlx::PgPool;

use crate::{db::sizes, disk::Disk};

/// Between two looks at how large the database is.
const LOOK: Duration = Duration::from_secs(3600);
/// Fewer days than these foretell nothing.
const FEWEST_DAYS: i32 = 7;
/// Room for fewer days than these needs attention.
const SOON_DAYS: f64 = 60.0;

/// Notes every hour how large the database is, for ever.
pub async fn watch(pool: PgPool) {
    loop {
        if let Err(error) = sizes::note(&pool).await {
            tracing::error!(
                error = &error as &dyn Error,
                "the database's size can't be noted"
            );
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// What a person should know of the disk: that there is little room, or for how long there will be.
pub(crate) async fn warning(pool: &PgPool, disk: &Disk) -> sqlx::Result<Option<String>> {
    let growth = sizes::growth(pool).await?;
    let foreseen = growth.and_then(|growth| foreseen(disk.room()?, growth));
    Ok(match (disk.warning(), foreseen) {
        (Some(low), Some(foreseen)) => Some(format!("{low}; {foreseen}")),
        (low, foreseen) => low.or(foreseen),
    })
}

/// `room`: bytes until uploads are refused.
fn foreseen(room: u64, (per_day, days): (f64, i32)) -> Option<String> {
    if days < FEWEST_DAYS || per_day <= 0.0 {
        return None;
    }
    let left = room as f64 / per_day;
    (left < SOON_DAYS).then(|| {
        format!(
            "the disk is full in {left:.0} days: the database has grown by {:.0} MiB a day over the last {days} days, and \
             there is room for {} MiB more",
            per_day / (1 << 20) as f64,
            room >> 20
        )
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
            foreseen(100.0 * mib, 29).as_deref(),
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
