//! Models from one device to another.

use crate::common::{Server, with};
use serde_json::{Value, json};
use sqlx::PgPool;

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

async fn measured(pool: PgPool) -> Server {
    let server = Server::new(pool).await;
    let samples: Vec<Value> = ["slow", "fast"]
        .into_iter()
        .flat_map(|device| {
            (0..8).flat_map(move |kernel| (0..4).map(move |n| sample(device, kernel, n)))
        })
        .collect();
    server.upload(&samples).await;
    server.fitted().await;
    server
}

fn model<'a>(pair: &'a Value, method: &str) -> &'a Value {
    let models = pair["models"].as_array().unwrap();
    models.iter().find(|it| it["method"] == method).unwrap()
}

#[sqlx::test(migrations = "../migrations")]
async fn devices_that_ran_the_same_forecast_each_other(pool: PgPool) {
    let server = measured(pool).await;
    let pairs = server.items("/v1/pairs").await;
    assert_eq!(pairs.len(), 1, "{pairs:?}");
    let pair = &pairs[0];
    assert_eq!(pair["counted_on"], server.device("slow").await);
    assert_eq!(pair["device"], server.device("fast").await);
    assert_eq!(pair["provider"], "oclgrind");
    let error = |method: &str| {
        let error = model(pair, method)["leave_one_kernel_out"]["mean_ape"].as_f64();
        error.unwrap_or_else(|| panic!("{method} in {pair}"))
    };
    // Half of all, always: every way but the paper's knows it, the baseline exactly.
    assert!(error("across_median_ratio") < 1e-9, "{pair}");
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
    let model = server.model(&model(pair, "across_counters")["model"]).await;
    assert_eq!(model["specification"]["counted_on"], pair["counted_on"]);
    assert_eq!(model["samples"], 32);
}

#[sqlx::test(migrations = "../migrations")]
async fn another_device_s_counters_and_time_forecast_this_one(pool: PgPool) {
    let server = measured(pool).await;
    let (slow, fast) = (server.device("slow").await, server.device("fast").await);
    let counted = counts(3, 2);
    let counters = json!({
        "oclgrind": { "instructions": counted[0], "load_global_bytes": counted[2], "load_global": counted[2] / 4.0 },
        "launch": { "work_items": counted[1], "work_groups": 8 },
    });
    let time = seconds("slow", counted);
    let there = json!({ "counters": counters, "counted_on": slow, "device": fast });
    // Half of all, always: the plainest that knows it answers, or the method that was asked for.
    let by = |method: &str| json!({ "time_s": time, "method": method });
    for (extra, method) in [
        (json!({}), "across_counters"),
        (json!({ "time_s": time }), "across_median_ratio"),
        (by("across_counters_and_time"), "across_counters_and_time"),
    ] {
        let forecast = server.forecast(&with(there.clone(), &extra)).await;
        assert_eq!(forecast["method"], method, "{forecast}");
        let forecast_s = forecast["time_s"].as_f64().unwrap();
        assert!((forecast_s / (time / 2.0) - 1.0).abs() < 0.02, "{forecast}");
        assert!(forecast["baseline"].is_object(), "{forecast}");
    }
    for (extra, field) in [
        (json!({ "method": "ols" }), "/method"),
        (json!({ "device": slow, "counted_on": fast }), "/device"),
        (json!({ "device": 99 }), "/device"),
    ] {
        let question = with(there.clone(), &extra);
        server.refuses("/v1/predictions", &question, field).await;
    }
    let of_a_set =
        json!({ "counter_sets": [{ "counters": counters }], "counted_on": slow, "time_s": time });
    server
        .refuses("/v1/predictions", &of_a_set, "/time_s")
        .await;
    // A model across devices answers only where the counters are said to be its source's.
    let pairs = server.items("/v1/pairs").await;
    let model = &model(&pairs[0], "across_counters_and_time")["model"];
    let mut named = json!({ "counters": counters, "model": model });
    server
        .refuses("/v1/predictions", &named, "/counted_on")
        .await;
    named["counted_on"] = json!(slow);
    server.refuses("/v1/predictions", &named, "/counters").await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_device_with_one_kernel_in_common_is_no_failure(pool: PgPool) {
    let server = measured(pool).await;
    for n in 0..4 {
        let mut new = sample("fast", 3, n);
        new["device"]["name"] = json!("new");
        server.fit(&[new]).await;
        let (_, jobs) = server.get("/v1/jobs").await;
        assert_eq!(
            jobs["items"],
            json!([]),
            "after {n} samples no job has failed"
        );
    }
    let new = server.device("new").await;
    let path = format!("/v1/models?device={new}&limit=200");
    let models = server.items(&path).await;
    assert!(!models.is_empty());
    for model in &models {
        let refusal = model["refusal"].as_str().unwrap_or_default();
        assert!(!refusal.contains("please report it"), "{model}");
    }
}
