//! GPUs that nobody has measured.

use axum::http::StatusCode;
use serde_json::{Value, json};
use sqlx::PgPool;
use uuid::Uuid;

use crate::common::{Server, number, sample};

/// What ncu counts of a kernel whose warps add up numbers from memory.
fn counters(kernel: u32, groups: u32) -> Value {
    let warps = f64::from(groups) * 8.0;
    let instructions = warps * f64::from(kernel * 5 % 7 + 1) * 300.0;
    let loads = warps * f64::from(kernel * 3 % 5 + 1) * 20.0;
    json!({
        "ncu": {
            "smsp__inst_executed.sum": instructions,
            "smsp__warps_launched.sum": warps,
            "sm__ctas_launched.sum": groups,
            "smsp__sass_inst_executed_op_global_ld.sum": loads,
            "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": 4.0 * loads,
            "launch__occupancy_limit_warps": 8,
        }
    })
}

fn seconds(kernel: u32, groups: u32) -> f64 {
    let set = counters(kernel, groups);
    let warps = f64::from(groups) * 8.0;
    let instructions = number(&set["ncu"]["smsp__inst_executed.sum"]);
    let waves = f64::from(groups.div_ceil(132)).max(1.0);
    5e-6 + 5e-10 * (3.0 * instructions / warps * waves / 8.0).max(instructions / 4.0 / 132.0)
}

/// A sample of a device.
fn measured(device: &str, kernel: u32, groups: u32) -> Value {
    let mut sample = sample(kernel, groups);
    sample["id"] = json!(Uuid::now_v7());
    sample["device"]["name"] = json!(device);
    sample["workload"]["parameters"] = json!({ "groups": groups });
    sample["times"]["repetitions_s"] = json!([seconds(kernel, groups)]);
    sample["readings"] = json!({ "ncu": { "counters": counters(kernel, groups)["ncu"] } });
    sample
}

/// So many kernels of an H200.
fn of_h200(kernels: u32, sizes: &[u32]) -> Vec<Value> {
    let of = |kernel| {
        sizes
            .iter()
            .map(move |&groups| measured("NVIDIA H200", kernel, groups))
    };
    (0..kernels).flat_map(of).collect()
}

/// Fitted to eight kernels of an H200.
async fn fitted(pool: PgPool) -> Server {
    let server = Server::new(pool).await;
    server.fit(&of_h200(8, &[1, 100, 800, 4000])).await;
    server
}

#[sqlx::test(migrations = "../migrations")]
async fn they_are_forecast_by_the_models_of_another(pool: PgPool) {
    let server = fitted(pool).await;
    let (_, gpus) = server.get("/v1/gpus").await;
    let named = |name: &str| gpus.as_array().unwrap().iter().any(|it| it["name"] == name);
    assert!(named("NVIDIA H200") && named("NVIDIA GeForce RTX 4090"));

    let h200 = server.device("NVIDIA H200").await;
    let question = json!({
        "counters": counters(3, 4000), "devices": [h200], "gpus": ["H100 PCIe", "RTX 4090", "h200"]
    });
    let forecasts = server.forecasts(&question).await;
    let [measured, like, other, itself] = &forecasts[..] else {
        panic!("{forecasts:?}");
    };
    assert!(measured["unmeasured"].is_null() && itself["unmeasured"].is_null());
    assert_eq!(measured["time_s"], itself["time_s"]);
    // It has 114 of 132 multiprocessors, at 1755 in place of 1980 MHz.
    let slower = number(&like["time_s"]) / number(&measured["time_s"]);
    assert!((1.1..1.4).contains(&slower), "{slower}");
    assert_eq!(like["unmeasured"]["same_architecture"], true);
    assert_eq!(like["unmeasured"]["like"], h200);
    assert_eq!(other["unmeasured"]["same_architecture"], false);
    let kinds: Vec<&Value> = other["warned"].as_array().unwrap().iter().collect();
    assert!(
        kinds.iter().any(|it| it["kind"] == "other_architecture"),
        "{kinds:?}"
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn the_time_on_a_gpu_of_the_same_architecture_travels(pool: PgPool) {
    let server = fitted(pool).await;
    let h200 = server.device("NVIDIA H200").await;
    let set = json!({ "counters": counters(3, 4000) });
    let mut slow = set.clone();
    // Three times as long as kernels with such counters take.
    slow["measured"] = json!({ "device": h200, "time_s": 3.0 * seconds(3, 4000) });
    let question = json!({
        "counter_sets": [set, slow], "devices": [h200], "gpus": ["H100 PCIe", "RTX 4090"],
        "method": "waves"
    });
    let forecasts = server.forecasts(&question).await;
    let [own, like, other, _, slow_like, slow_other] = &forecasts[..] else {
        panic!("{forecasts:?}");
    };
    let time = |of: &Value| number(&of["time_s"]);
    let expected = 3.0 * seconds(3, 4000) * time(like) / time(own);
    assert!((time(slow_like) / expected - 1.0).abs() < 1e-9);
    let shares = slow_like["explanation"]["shares"].as_array().unwrap();
    let shares: f64 = shares.iter().map(|it| number(&it["time_s"])).sum();
    let rest = number(&slow_like["explanation"]["rest_s"]);
    assert!(((shares + rest) / expected - 1.0).abs() < 1e-6);
    let there = number(&slow_like["unmeasured"]["measured_there_s"]);
    assert!((there / (3.0 * seconds(3, 4000)) - 1.0).abs() < 1e-12);
    // Of another architecture it says nothing.
    assert!((time(slow_other) / time(other) - 1.0).abs() < 1e-12);
    assert!(slow_other["unmeasured"]["measured_there_s"].is_null());
}

#[sqlx::test(migrations = "../migrations")]
async fn a_name_must_mean_one(pool: PgPool) {
    let server = fitted(pool).await;
    let ask = |gpus: Value| json!({ "counters": counters(1, 100), "gpus": gpus });
    for (name, expected) in [
        ("RTX 4091", "a GPU of /v1/gpus"),
        ("V100", "one of Tesla V100-PCIE-16GB"),
        ("", "a GPU of /v1/gpus"),
    ] {
        let problem = server
            .refuses("/v1/predictions", &ask(json!([name])), "/gpus/0")
            .await;
        let message = problem["errors"][0]["expected"].as_str().unwrap();
        assert!(message.starts_with(expected), "{message}");
    }
    let both = json!({ "counters": counters(1, 100), "gpus": ["T4"], "counted_on": 1 });
    server.refuses("/v1/predictions", &both, "/gpus").await;
    let csv = "device,kernel,variant,time_s,ncu:smsp__inst_executed.sum,ncu:smsp__warps_launched.sum\nd,k,v,1e-3,1000000,8000\n";
    let path = "/v1/predictions?gpus=RTX%204090";
    let (status, answer) = server.post_as("text/csv", path, csv).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let prediction = &answer["predictions"][0];
    assert_eq!(prediction["unmeasured"]["gpu"], "NVIDIA GeForce RTX 4090");
    // A file's time is that of the GPU that is asked about.
    assert_eq!(prediction["measured_s"], 1e-3);
}

#[sqlx::test(migrations = "../migrations")]
async fn without_models_of_a_gpu_there_is_no_forecast(pool: PgPool) {
    let server = Server::new(pool).await;
    server.fit(&crate::common::samples()).await;
    let question = json!({ "counters": { "oclgrind": { "load_global": 1e6 } }, "gpus": ["T4"] });
    let problem = server
        .refuses("/v1/predictions", &question, "/gpus/0")
        .await;
    let message = problem["errors"][0]["expected"].as_str().unwrap();
    assert!(message.starts_with("an NVIDIA GPU"), "{message}");
}

#[sqlx::test(migrations = "../migrations")]
async fn one_with_generated_kernels_alone_borrows_anothers(pool: PgPool) {
    let server = Server::new(pool).await;
    let generated = |kernel: u32| {
        let mut sample = measured("NVIDIA H100 PCIe", 50 + kernel, 800);
        sample["workload"]["generated"] = json!(true);
        sample
    };
    let of_h100: Vec<Value> = (0..3).map(generated).collect();
    server.fit(&of_h200(40, &[100, 4000])).await;
    server.fit(&of_h100).await;

    let device = server.device("NVIDIA H100 PCIe").await;
    let path = format!("/v1/models?device={device}");
    let models = server.items(&path).await;
    let model = models
        .iter()
        .find(|it| it["specification"]["method"] == "waves");
    let model = server.model(&model.expect("a fit")["id"]).await;
    assert_eq!(
        (&model["samples"], &model["kernels"]),
        (&json!(83), &json!(40))
    );
    let warnings = model["warned"].as_array().unwrap();
    let borrowed = warnings.iter().find(|it| it["kind"] == "borrowed");
    assert_eq!(borrowed.expect("a warning")["kernels"], 40);

    // What was measured is shown as it was, beside a forecast for there.
    let path = format!("/v1/models/{}/validation", model["id"].as_str().unwrap());
    let (_, validation) = server.get(&path).await;
    let rows = validation["hold_outs"][0]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 80);
    for row in rows {
        let (measured, predicted) = (number(&row["measured"]), number(&row["predicted"]));
        assert!((0.5..2.0).contains(&(predicted / measured)), "{row}");
    }
    let question = json!({ "counters": counters(60, 400), "device": device });
    let forecast = server.forecast(&question).await;
    assert!(
        forecast["unmeasured"].is_null() && forecast["interval"].is_object(),
        "{forecast}"
    );
}
