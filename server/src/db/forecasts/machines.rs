//! What devices have room for and can do at most, as forecasts need it.

use std::collections::BTreeMap;

use kerncast_wire::{Ceilings, Device};
use sqlx::{PgPool, types::Json};

use crate::db::Result;

/// A device as it is known, and its ceilings: the best of the last ninety days.
pub(crate) struct Machine {
    pub(crate) device: Device,
    pub(crate) ceilings: Option<Ceilings>,
}

/// All devices by their ids.
pub(crate) async fn machines(pool: &PgPool) -> Result<BTreeMap<i64, Machine>> {
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
    let machines = rows.into_iter().map(|row| {
        let machine = Machine {
            device: row.device.0,
            ceilings: row.ceilings.map(|Json(ceilings)| ceilings),
        };
        (row.id, machine)
    });
    Ok(machines.collect())
}
