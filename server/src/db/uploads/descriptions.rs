//! What is known of devices and kernels already, for uploads that may not change it.

use std::collections::HashMap;

use kerncast_wire::Device;
use sqlx::PgConnection;

use crate::db::{Result, from_word, number};

/// Devices by vendor and name, families by kernel, and whether kernels are generated; of those asked for that are
/// known.
#[derive(Debug, Default)]
pub(crate) struct Descriptions {
    pub(crate) devices: HashMap<(String, String), Device>,
    pub(crate) families: HashMap<String, String>,
    pub(crate) generated: HashMap<String, bool>,
}

/// What is known of devices of these names (of any vendor) and of these kernels.
pub(crate) async fn read_descriptions(
    connection: &mut PgConnection,
    devices: &[String],
    kernels: &[String],
) -> Result<Descriptions> {
    let devices = sqlx::query!(
        "
        SELECT
            vendor, name, kind, compute_units, global_memory_bytes, local_memory_bytes, max_work_group_size,
            max_buffer_bytes, cache_bytes
        FROM devices
        WHERE name = ANY ($1)
        ",
        devices
    )
    .fetch_all(&mut *connection)
    .await?
    .into_iter()
    .map(|row| {
        let device = Device {
            vendor: row.vendor,
            name: row.name,
            kind: from_word(row.kind)?,
            compute_units: row.compute_units.map(number).transpose()?,
            global_memory_bytes: row.global_memory_bytes.map(number).transpose()?,
            local_memory_bytes: row.local_memory_bytes.map(number).transpose()?,
            max_work_group_size: row.max_work_group_size.map(number).transpose()?,
            max_buffer_bytes: row.max_buffer_bytes.map(number).transpose()?,
            cache_bytes: row.cache_bytes.map(number).transpose()?,
        };
        Ok(((device.vendor.clone(), device.name.clone()), device))
    })
    .collect::<Result<_>>()?;
    let kernels = sqlx::query!(
        "SELECT name, family, generated FROM kernels WHERE name = ANY ($1)",
        kernels
    )
    .fetch_all(connection)
    .await?;
    let (mut families, mut generated) = (HashMap::new(), HashMap::new());
    for row in kernels {
        generated.insert(row.name.clone(), row.generated);
        families.extend(row.family.map(|family| (row.name, family)));
    }
    Ok(Descriptions {
        devices,
        families,
        generated,
    })
}
