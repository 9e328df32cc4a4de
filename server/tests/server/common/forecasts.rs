//! A GPU whose samples are counted, and a CPU that takes four times as long: what questions are asked of.

use serde_json::{Value, json};
use sqlx::PgPool;

use super::{Server, ceilings, eventually, sample, with};

pub(crate) const KERNELS: u32 = 12;
pub(crate) const SIZES: u32 = 3;
/// Loads, stores and work-groups of a launch like those that were measured.
pub(crate) const USUAL: [f64; 3] = [2500.0, 400.0, 48.0];

/// Loads, stores and work-groups.
pub(crate) fn counts(kernel: u32, n: u32) -> [f64; 3] {
    let loads = 1000 * (n + 1) * (1 + kernel % 3);
    let stores = 100 * (kernel * n + 1);
    [loads, stores, 16 * (n + 1) * (1 + kernel % 4)].map(f64::from)
}

/// Seconds on the GPU, which samples miss by up to a fifth.
pub(crate) fn truth([loads, stores, _]: [f64; 3]) -> f64 {
    1e-5 + 1e-6 * loads + 3e-6 * stores
}

pub(crate) fn counters([loads, stores, groups]: [f64; 3]) -> Value {
    json!({
        "oclgrind": { "load_global": loads, "store_global": stores },
        "launch": { "work_groups": groups },
    })
}

pub(crate) fn measured(device: &str, kernel: u32, n: u32) -> Value {
    let counts = counts(kernel, n);
    let off = 1.0 + 0.02 * f64::from((7 * kernel + 3 * n) % 11);
    let times = if device == "gpu" { 1.0 } else { 4.0 };
    let mut sample = with(
        sample(kernel, n),
        &json!({
            "device": { "name": device },
            "workload": { "variant": "global" },
            "times": { "repetitions_s": [times * off * truth(counts)] },
        }),
    );
    let counters = counters(counts);
    sample["readings"] = json!({ "launch": { "counters": counters["launch"] } });
    if device == "gpu" {
        sample["readings"]["oclgrind"] = json!({ "counters": counters["oclgrind"] });
        let limits = json!({ "kind": "gpu", "max_work_group_size": 1024, "local_memory_bytes": 49_152,
            "global_memory_bytes": 1_u64 << 32 });
        sample = with(sample, &json!({ "device": limits }));
    }
    sample
}

/// All samples of a device.
pub(crate) fn all_of(device: &str) -> Vec<Value> {
    let kernels = (0..KERNELS).flat_map(|kernel| (0..SIZES).map(move |n| (kernel, n)));
    kernels
        .map(|(kernel, n)| measured(device, kernel, n))
        .collect()
}

pub(crate) async fn fitted(pool: PgPool) -> Server {
    let server = Server::new(pool).await;
    server
        .upload(&[all_of("gpu"), all_of("cpu")].concat())
        .await;
    server.fitted().await;
    server
}

/// The GPU's, measured at this moment.
pub(crate) async fn bring_ceilings(server: &Server, of: Value, measured_at: &str, agent: &str) {
    let mut new = ceilings(measured_at);
    new["device"]["name"] = json!("gpu");
    new["device"]["kind"] = json!("gpu");
    new["agent"]["name"] = json!(agent);
    new["ceilings"] = of;
    server.posted("/v1/ceilings", &new).await;
}

/// The GPU does 10¹² operations and moves 10¹² bytes a second.
pub(crate) async fn with_ceilings(server: &Server) {
    let of = json!({ "fp32_flop_per_s": 1e12, "copy_bytes_per_s": 1e12 });
    bring_ceilings(server, of, "2026-11-01T12:00:00Z", "lab-3").await;
}

pub(crate) fn warnings(forecast: &Value) -> String {
    forecast["warnings"].to_string()
}

/// The forecast that holds this, or lacks it, once it is so.
pub(crate) async fn forecast_once(
    server: &Server,
    question: &Value,
    field: &str,
    is_there: bool,
) -> Value {
    let ask = async || {
        let forecast = server.forecast(question).await;
        (forecast.get(field).is_some() == is_there).then_some(forecast)
    };
    eventually(field, ask).await
}
