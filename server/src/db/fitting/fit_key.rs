//! What fits are for, and how one server keeps others from making the same.

use sqlx::PgConnection;

use crate::db::Result;

/// Keep other uses of advisory locks apart: fits of a device's own samples, and fits to a target from others.
pub(super) const FITS_LOCK: i32 = 0x6b63_6173;
pub(super) const FITS_ACROSS_LOCK: i32 = 0x6b63_6178;

/// What fits are for: times or counters of a device by a provider's counters, its own or another device's.
#[derive(Clone, Debug)]
pub(crate) struct FitKey {
    pub(crate) device: i32,
    /// The device whose counters forecast it, where that is another.
    pub(crate) counted_on: Option<i32>,
    pub(crate) provider: String,
}

impl FitKey {
    /// Takes the fits of the device until the transaction ends, so that the model stored last has seen the most samples;
    /// those from its own counters apart from those from others'. False, at once, where another such fit is under way. To
    /// be called before the samples are read.
    pub(crate) async fn try_lock(&self, connection: &mut PgConnection) -> Result<bool> {
        let across = self.counted_on.is_some();
        Ok(sqlx::query_scalar!(
            r#"SELECT pg_try_advisory_xact_lock($1, $2) AS "locked!""#,
            if across { FITS_ACROSS_LOCK } else { FITS_LOCK },
            self.device
        )
        .fetch_one(connection)
        .await?)
    }
}
