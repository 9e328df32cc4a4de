//! Models from one device to another.

use crate::common::Server;
use axum::http::StatusCode;
use serde_json::{Value, json};
use sqlx::PgPool;
use uuid::Uuid;

/// Instructions, work-items and bytes of a workload: no two of the eight kernels have the same mix.
fn counts(kernel: u32, n: u32) -> [f64; 3] {
    let items = 4_f64.powi(i32::try_from(n).unwrap() + 4);
    let chain = 20.0 * f64::from(1 + kernel * kernel);
    [
        items * chain,
        items,
        items * f64::from(4 + (kernel * 5) % 7 * 8),
    ]
}

/// 5 µs a launch, 2 ns an instruction of the chain and 1 TB/s on the slow device; on the fast one half of
/// all.
fn seconds(device: &str, [instructions, items, bytes]: [f64; 3]) -> f64 {
    let share = if device == "slow" { 1.0 } else { 0.5 };
    share * (5e-6 + 2e-9 * instructions / items + 1e-12 * bytes)
}

fn sample(device: &str, kernel: u32, n: u32) -> Value {
    let [instructions, items, bytes] = counts(kernel, n);
    let mut sample = crate::common::sample(kernel, n);
    sample["device"]["name"] = json!(device);
    sample["times"]["repetitions_s"] = json!([seconds(device, counts(kernel, n))]);
    // Only the slow device's samples are counted: what forecasts the fast one are the slow one's counters.
    sample["readings"] =
        json!({ "launch": { "counters": { "work_items": items, "work_groups": 8 } } });
    if device == "slow" {
        sample["readings"]["oclgrind"] = json!({ "counters": {
            "instructions": instructions, "load_global_bytes": bytes, "load_global": bytes / 4.0,
        } });
    }
    sample
}

fn ceilings(device: &str, copy_bytes_per_s: f64) -> Value {
    let mut ceilings = crate::common::ceilings("2026-11-01T12:00:00Z");
    ceilings["device"]["name"] = json!(device);
    ceilings["ceilings"] =
        json!({ "copy_bytes_per_s": copy_bytes_per_s, "launch_latency_s": 5e6 / copy_bytes_per_s });
    ceilings
}

async fn measured(pool: PgPool) -> Server {
    let server = Server::new(pool).await;
    let samples: Vec<Value> = ["slow", "fast"]
        .into_iter()
        .flat_map(|device| {
            (0..8).flat_map(move |kernel| (0..4).map(move |n| sample(device, kernel, n)))
        })
        .collect();
    server.upload(&samples).await;
    for ceilings in [ceilings("slow", 1e12), ceilings("fast", 2e12)] {
        let (status, said) = server.post("/v1/ceilings", ceilings.to_string()).await;
        assert!(status.is_success(), "{said}");
    }
    server.fitted().await;
    server
}

async fn id(server: &Server, device: &str) -> Value {
    let devices = server.items("/v1/devices").await;
    let found = devices.iter().find(|it| it["name"] == device);
    found.unwrap()["id"].clone()
}

async fn pairs(server: &Server) -> Vec<Value> {
    let (status, pairs) = server.get("/v1/pairs").await;
    assert_eq!(status, StatusCode::OK, "{pairs}");
    pairs["items"].as_array().unwrap().clone()
}

fn model<'a>(pair: &'a Value, method: &str) -> &'a Value {
    let models = pair["models"].as_array().unwrap();
    models.iter().find(|it| it["method"] == method).unwrap()
}

#[sqlx::test(migrations = "../migrations")]
async fn devices_that_ran_the_same_forecast_each_other(pool: PgPool) {
    let server = measured(pool).await;
    let pairs = pairs(&server).await;
    assert_eq!(pairs.len(), 1, "{pairs:?}");
    let pair = &pairs[0];
    assert_eq!(pair["counted_on"], id(&server, "slow").await);
    assert_eq!(pair["device"], id(&server, "fast").await);
    assert_eq!(pair["provider"], "oclgrind");
    let error = |method: &str| {
        let error = model(pair, method)["leave_one_kernel_out"]["mean_ape"].as_f64();
        error.unwrap_or_else(|| panic!("{method} in {pair}"))
    };
    // Half of all, always: every way but the paper's knows it, the baselines exactly.
    assert!(error("across_median_ratio") < 1e-9, "{pair}");
    assert!(error("across_ceilings") < 1e-9, "{pair}");
    assert!(error("across_counters") < 1e-3, "{pair}");
    assert!(error("across_counters_and_time") < 0.02, "{pair}");
    assert!(error("paper_counters") > 0.0, "{pair}");
    assert!(error("paper_counters_and_time") >= 0.0, "{pair}");
    let of_pairs = |models: &[Value]| {
        let sources = models
            .iter()
            .map(|it| it["specification"].get("counted_on"));
        sources.flatten().count()
    };
    assert!(of_pairs(&server.items("/v1/models?limit=1000").await) > 0);
    let own = server.items("/v1/models?own=true&limit=1000").await;
    assert!(!own.is_empty() && of_pairs(&own) == 0, "{own:?}");
    let champions = pair["models"].as_array().unwrap().iter();
    let champions = champions.filter(|it| it["champion"] == true).count();
    assert!((1..=2).contains(&champions), "{pair}");
    // Its samples are the target's, and it says those of the device counted on.
    let id = model(pair, "across_counters")["model"].as_str().unwrap();
    let (status, model) = server.get(&format!("/v1/models/{id}")).await;
    assert_eq!(status, StatusCode::OK, "{model}");
    assert_eq!(model["specification"]["counted_on"], pair["counted_on"]);
    assert_eq!(model["samples"], 32);
}

#[sqlx::test(migrations = "../migrations")]
async fn another_device_s_counters_and_time_forecast_this_one(pool: PgPool) {
    let server = measured(pool).await;
    let (slow, fast) = (id(&server, "slow").await, id(&server, "fast").await);
    let counted = counts(3, 2);
    let counters = json!({
        "oclgrind": { "instructions": counted[0], "load_global_bytes": counted[2], "load_global": counted[2] / 4.0 },
        "launch": { "work_items": counted[1], "work_groups": 8 },
    });
    let time = seconds("slow", counted);
    // Half of all, always: the plainest that knows it answers, or the method that was asked for.
    let by = |method: &str| json!({ "time_s": time, "method": method });
    for (extra, method, by_ceilings) in [
        (json!({}), "across_counters", false),
        (json!({ "time_s": time }), "across_ceilings", false),
        (
            by("across_counters_and_time"),
            "across_counters_and_time",
            true,
        ),
    ] {
        let mut request = json!({ "counters": counters, "counted_on": slow, "device": fast });
        let fields = request.as_object_mut().unwrap();
        fields.extend(extra.as_object().unwrap().clone());
        let (status, answer) = server.post("/v1/predictions", request.to_string()).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        let forecast = &answer["predictions"][0];
        assert_eq!(forecast["method"], method, "{forecast}");
        let found = forecast["time_s"].as_f64().unwrap();
        assert!((found / (time / 2.0) - 1.0).abs() < 0.02, "{forecast}");
        assert_eq!(
            forecast["by_ceilings"].is_object(),
            by_ceilings,
            "{forecast}"
        );
        assert!(forecast["baseline"].is_object(), "{forecast}");
    }
    for (request, field) in [
        (
            json!({ "counters": counters, "device": fast, "time_s": time }),
            "/time_s",
        ),
        (
            json!({ "counters": counters, "device": fast, "counted_on": slow, "time_s": -1 }),
            "/time_s",
        ),
        (
            json!({ "counters": counters, "device": fast, "counted_on": slow, "method": "ols" }),
            "/method",
        ),
        (
            json!({ "counters": counters, "device": slow, "counted_on": fast }),
            "/device",
        ),
        (
            json!({ "counters": counters, "device": 99, "counted_on": slow }),
            "/device",
        ),
        (
            json!({ "counter_sets": [{ "counters": counters }], "counted_on": slow, "time_s": time }),
            "/time_s",
        ),
    ] {
        let (status, problem) = server.post("/v1/predictions", request.to_string()).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        assert_eq!(problem["errors"][0]["field"], field, "{problem}");
    }
    // A model across devices answers only where the counters are said to be its source's.
    let pairs = pairs(&server).await;
    let model = &model(&pairs[0], "across_counters_and_time")["model"];
    for (request, field) in [
        (
            json!({ "counters": counters, "model": model }),
            "/counted_on",
        ),
        (
            json!({ "counters": counters, "model": model, "counted_on": slow }),
            "/counters",
        ),
    ] {
        let (status, problem) = server.post("/v1/predictions", request.to_string()).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        assert_eq!(problem["errors"][0]["field"], field, "{problem}");
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn a_device_with_ceilings_alone_is_forecast_by_other_devices(pool: PgPool) {
    let server = measured(pool).await;
    let mut new = ceilings("new", 4e12);
    new["id"] = json!(Uuid::now_v7());
    let (status, said) = server.post("/v1/ceilings", new.to_string()).await;
    assert!(status.is_success(), "{said}");
    server.fitted().await;
    let (slow, new) = (id(&server, "slow").await, id(&server, "new").await);
    let pairs = pairs(&server).await;
    let pair = pairs.iter().find(|it| it["device"] == new).unwrap();
    let model = model(pair, "across_by_ceilings");
    assert_eq!(model["workloads"], 64, "both devices' times of 32: {pair}");
    assert!(
        model["leave_one_device_out"]["mean_ape"].is_number(),
        "{pair}"
    );
    let (_, detail) = server
        .get(&format!("/v1/models/{}", model["model"].as_str().unwrap()))
        .await;
    let warnings = detail["warnings"].to_string();
    assert!(
        warnings.contains("nothing but its ceilings") && warnings.contains("leaving each"),
        "{warnings}"
    );
    let counters = json!({ "oclgrind": { "instructions": 1e6, "load_global_bytes": 4e9 }, "launch": { "work_items": 4096 } });
    let request = json!({ "counters": counters, "counted_on": slow, "device": new });
    let (status, answer) = server.post("/v1/predictions", request.to_string()).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    // 4 GB at 4 TB/s take 1 ms; how far from that the two devices' kernels are decides.
    let forecast = &answer["predictions"][0];
    let found = forecast["time_s"].as_f64().unwrap();
    assert!(found > 1e-4 && found < 1e-2, "{forecast}");
    assert!(
        forecast["warnings"]
            .to_string()
            .contains("nothing but its ceilings"),
        "{forecast}"
    );
}

/// What a device with ceilings alone is forecast by is what all others make of theirs: also a third one's.
#[sqlx::test(migrations = "../migrations")]
async fn a_third_devices_new_ceilings_and_times_make_a_new_fit(pool: PgPool) {
    let server = measured(pool).await;
    let post = async |device: &str, copy: f64, measured_at: &str| {
        let mut new = ceilings(device, copy);
        new["id"] = json!(Uuid::now_v7());
        new["measured_at"] = json!(measured_at);
        let (status, said) = server.post("/v1/ceilings", new.to_string()).await;
        assert!(status.is_success(), "{said}");
        server.fitted().await;
    };
    post("new", 4e12, "2026-11-01T12:00:00Z").await;
    let slow = id(&server, "slow").await;
    let new = id(&server, "new").await;
    let model_now = async || {
        let pairs = pairs(&server).await;
        let mut from_slow = pairs.iter();
        let pair = from_slow.find(|it| it["device"] == new && it["counted_on"] == slow);
        model(pair.unwrap(), "across_by_ceilings")["model"].clone()
    };
    let first = model_now().await;
    // The third device turns out to be faster than it was said to be.
    post("fast", 3e12, "2026-11-02T12:00:00Z").await;
    let second = model_now().await;
    assert_ne!(first, second, "new ceilings of a third device");
    let mut again = sample("fast", 3, 2);
    again["id"] = json!(Uuid::now_v7());
    again["measured_at"] = json!("2026-11-03T12:00:00Z");
    again["times"]["repetitions_s"] = json!([1e-3]);
    server.upload(&[again]).await;
    server.fitted().await;
    assert_ne!(second, model_now().await, "a new time of a third device");
}

#[sqlx::test(migrations = "../migrations")]
async fn a_raised_revision_of_a_method_across_devices_is_fitted_again(pool: PgPool) {
    let server = measured(pool.clone()).await;
    assert_eq!(
        kerncast_server::fitting::ask_where_outdated(&pool)
            .await
            .unwrap(),
        0
    );
    sqlx::query(
        "UPDATE models SET code_version = '0.1.0 (across_counters 1)', fingerprint = sha256(fingerprint)
         WHERE method = 'across_counters'",
    )
    .execute(&pool)
    .await
    .unwrap();
    assert_eq!(
        kerncast_server::fitting::ask_where_outdated(&pool)
            .await
            .unwrap(),
        1
    );
    server.fitted().await;
    let pairs = pairs(&server).await;
    let id = model(&pairs[0], "across_counters")["model"]
        .as_str()
        .unwrap();
    let (_, model) = server.get(&format!("/v1/models/{id}")).await;
    let version = model["code_version"].as_str().unwrap();
    assert_ne!(version, "0.1.0 (across_counters 1)");
}

#[sqlx::test(migrations = "../migrations")]
async fn a_device_with_one_kernel_in_common_is_no_failure(pool: PgPool) {
    let server = measured(pool).await;
    for n in 0..4 {
        let mut new = sample("fast", 3, n);
        new["device"]["name"] = json!("new");
        server.upload(&[new]).await;
        server.fitted().await;
        let (_, jobs) = server.get("/v1/jobs").await;
        assert_eq!(
            jobs["items"],
            json!([]),
            "after {n} samples no job has failed"
        );
    }
    let devices = server.items("/v1/devices").await;
    let new = devices.iter().find(|it| it["name"] == "new").unwrap();
    let path = format!("/v1/models?device={}&limit=200", new["id"]);
    let models = server.items(&path).await;
    assert!(!models.is_empty());
    for model in &models {
        let refusal = model["refusal"].as_str().unwrap_or_default();
        assert!(!refusal.contains("please report it"), "{model}");
    }
}
