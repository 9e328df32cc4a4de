//! What is known of devices and kernels already, for uploads that may not change it.

use std::collections::HashMap;

use kerncast_wire::Device;
use sqlx::{PgConnection, types::Json};

use crate::db::{Result, plain};

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
    let devices = sqlx::query_scalar!(
        r#"SELECT device_json(devices) AS "device!: Json<Device>" FROM devices WHERE name = ANY ($1)"#,
        devices
    )
    .fetch_all(&mut *connection)
    .await?;
    let devices = plain(devices).into_iter();
    let devices = devices.map(|it| ((it.vendor.clone(), it.name.clone()), it));
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
        devices: devices.collect(),
        families,
        generated,
    })
}
