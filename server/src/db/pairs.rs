//! What models from one device to another are made from.

use std::collections::BTreeMap;

use kerncast_models::across::Ceilings;
use sqlx::PgConnection;
use uuid::Uuid;

/// The newest sample of a workload on a device.
#[derive(Clone, Copy)]
pub(crate) struct Ran {
    pub(crate) sample: Uuid,
    /// Median repetition, seconds.
    pub(crate) median_s: f64,
}

/// What each device has run, by device and workload, and its newest ceilings.
pub(crate) struct Device {
    pub(crate) id: i32,
    pub(crate) ran: BTreeMap<i32, Ran>,
    pub(crate) ceilings: Option<Ceilings>,
}

/// Keeps other uses of advisory locks apart.
const FITS_ACROSS: i32 = 0x6b63_6178;

/// Makes fits across devices to one target wait for each other until the transaction ends. To be called
/// before the samples are read.
pub(crate) async fn lock(connection: &mut PgConnection, target: i32) -> sqlx::Result<()> {
    sqlx::query!(
        r#"SELECT pg_advisory_xact_lock($1, $2) AS "locked!: ()""#,
        FITS_ACROSS,
        target
    )
    .execute(connection)
    .await
    .map(|_| ())
}

/// All devices that have run these workloads or have ceilings, by id.
pub(crate) async fn devices(
    connection: &mut PgConnection,
    workloads: &[i32],
) -> sqlx::Result<Vec<Device>> {
    let mut devices: BTreeMap<i32, Device> = BTreeMap::new();
    let empty = |id| Device {
        id,
        ran: BTreeMap::new(),
        ceilings: None,
    };
    let samples = sqlx::query!(
        "
        SELECT DISTINCT ON (device_id, workload_id) id, device_id, workload_id, median_s
        FROM samples
        WHERE workload_id = ANY ($1)
        ORDER BY device_id, workload_id, measured_at DESC, id DESC
        ",
        workloads
    )
    .fetch_all(&mut *connection)
    .await?;
    for row in samples {
        let device = devices
            .entry(row.device_id)
            .or_insert_with(|| empty(row.device_id));
        let ran = Ran {
            sample: row.id,
            median_s: row.median_s,
        };
        device.ran.insert(row.workload_id, ran);
    }
    let ceilings = sqlx::query!(
        "
        SELECT DISTINCT ON (device_id)
            device_id, copy_bytes_per_s, host_to_device_bytes_per_s, device_to_host_bytes_per_s,
            fp32_flop_per_s, fp64_flop_per_s, int32_op_per_s, local_bytes_per_s, launch_latency_s
        FROM ceilings
        ORDER BY device_id, measured_at DESC, id DESC
        "
    )
    .fetch_all(connection)
    .await?;
    for row in ceilings {
        let device = devices
            .entry(row.device_id)
            .or_insert_with(|| empty(row.device_id));
        device.ceilings = Some(Ceilings {
            copy_bytes_per_s: row.copy_bytes_per_s,
            host_to_device_bytes_per_s: row.host_to_device_bytes_per_s,
            device_to_host_bytes_per_s: row.device_to_host_bytes_per_s,
            fp32_flop_per_s: row.fp32_flop_per_s,
            fp64_flop_per_s: row.fp64_flop_per_s,
            int32_op_per_s: row.int32_op_per_s,
            local_bytes_per_s: row.local_bytes_per_s,
            launch_latency_s: row.launch_latency_s,
        });
    }
    Ok(devices.into_values().collect())
}
