//! What devices have room for and can do at most, as forecasts need it.

use std::collections::BTreeMap;

use kerncast_wire::{Ceilings, Device};
use sqlx::{PgPool, types::Json};

use crate::db::Result;

/// A device, and its ceilings: the best of the last ninety days.
pub(crate) struct KnownDevice {
    pub(crate) device: Device,
    pub(crate) ceilings: Option<Ceilings>,
}

/// All devices by their ids.
pub(crate) async fn known_devices(pool: &PgPool) -> Result<BTreeMap<i64, KnownDevice>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            id::bigint AS "id!", device_json(devices) AS "device!: Json<Device>",
            (
                SELECT ceilings_json(device_ceilings)
                FROM device_ceilings
                WHERE device_id = devices.id
            ) AS "ceilings: Json<Ceilings>"
        FROM devices
        "#
    )
    .fetch_all(pool)
    .await?;
    let devices = rows.into_iter().map(|row| {
        let device = KnownDevice {
            device: row.device.0,
            ceilings: row.ceilings.map(|Json(ceilings)| ceilings),
        };
        (row.id, device)
    });
    Ok(devices.collect())
}
