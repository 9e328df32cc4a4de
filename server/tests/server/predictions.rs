//! Forecasts from stored fits: which model answers, and what is refused.

use crate::common::{
    Server, all_variants, assert_close,
    forecasts::{self, USUAL, counters, truth},
    number, samples, time, with,
};
use axum::http::StatusCode;
use serde_json::{Value, json};
use sqlx::PgPool;

async fn fitted(pool: PgPool) -> Server {
    let server = Server::new(pool).await;
    server.fit(&samples()).await;
    server
}

#[sqlx::test(migrations = "../migrations")]
async fn the_champion_answers(pool: PgPool) {
    let server = fitted(pool).await;
    let counters = json!({
        "oclgrind": { "load_global": 2500, "store_global": 40, "unheard_of": 1 },
        "launch": { "work_groups": 16 },
    });
    let forecast = server.forecast(&json!({ "counters": counters })).await;
    assert_close(&forecast["time_s"], time(2500.0, 40.0));
    assert_eq!(forecast["missing"], json!([]));
    let unknown = json!(["launch:work_groups", "oclgrind:unheard_of"]);
    assert_eq!(forecast["unknown"], unknown);
    assert_eq!(forecast["warnings"], json!([]));
    let models = server.items("/v1/models?provider=oclgrind").await;
    let champion = models.iter().find(|it| it["champion"] == true).unwrap();
    assert_eq!(forecast["model"], champion["id"]);
}

#[sqlx::test(migrations = "../migrations")]
async fn a_missing_counter_is_replaced_by_its_mean_and_said(pool: PgPool) {
    let server = fitted(pool).await;
    let models = server.items("/v1/models?provider=oclgrind").await;
    let all = all_variants(&models, "ols");
    let question =
        json!({ "counters": { "oclgrind": { "load_global": 2500 } }, "model": all["id"] });
    let forecast = server.forecast(&question).await;
    // Stores over four kernels k and six sizes n: the mean of 10 (n² + k) is 10 (55 ÷ 6 + 1.5).
    let mean = 10.0 * (55.0 / 6.0 + 1.5);
    assert_close(&forecast["time_s"], time(2500.0, mean));
    assert_eq!(forecast["missing"], json!(["oclgrind:store_global"]));
    let warning = "lacks 1 of the model's 2 counters, for which the means of its samples stand in: oclgrind:store_global (107)";
    assert!(
        forecast["warnings"].to_string().contains(warning),
        "{forecast}"
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn a_time_below_zero_is_warned_of(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut batch = samples();
    for sample in &mut batch {
        let loads = number(&sample["readings"]["oclgrind"]["counters"]["load_global"]);
        sample["times"]["repetitions_s"] = json!([1e-6 * (loads - 999.0)]);
    }
    server.fit(&batch).await;
    let counters = json!({ "oclgrind": { "load_global": 0, "store_global": 100 } });
    let forecast = server.forecast(&json!({ "counters": counters })).await;
    assert!(number(&forecast["time_s"]) < 0.0, "{forecast}");
    let warnings = forecast["warnings"].to_string();
    assert!(
        warnings.contains("s is no time: a linear model"),
        "{forecast}"
    );
    assert_eq!(forecast["trust"]["word"], "none", "{forecast}");
}

#[sqlx::test(migrations = "../migrations")]
async fn what_is_counted_goes_before_the_geometry_alone(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut batch = samples();
    for (i, sample) in (1..).zip(&mut batch) {
        // A poor explanation of the times, but one that varies.
        sample["readings"]["launch"]["counters"]["work_groups"] = json!(i % 7);
    }
    server.fit(&batch).await;
    let set = json!({ "oclgrind": { "load_global": 2500 }, "launch": { "work_groups": 3 } });
    let forecast = server.forecast(&json!({ "counters": set })).await;
    assert_eq!(forecast["provider"], "oclgrind");
    assert_eq!(forecast["missing"], json!(["oclgrind:store_global"]));
    assert_eq!(forecast["trust"]["word"], "none", "{forecast}");
    let warning = forecast["warnings"][0].as_str().unwrap();
    assert!(warning.contains("oclgrind:store_global"), "{forecast}");
}

#[sqlx::test(migrations = "../migrations")]
async fn where_nothing_is_fitted_yet_the_answer_says_so(pool: PgPool) {
    let server = Server::new(pool).await;
    let question = json!({ "counters": counters(USUAL) }).to_string();
    let (status, problem) = server.post("/v1/predictions", question).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("there is no model yet"), "{problem}");
}

/// Questions without an answer, and the field that is to blame.
fn refusals(gpu: i64, cpu: i64, model: &Value) -> Vec<(Value, &'static str)> {
    let set = counters(USUAL);
    let one = json!({ "device": gpu, "counters": set });
    let plus = |more: Value| with(one.clone(), &more);
    let by = |counters: Value| json!({ "device": gpu, "counters": counters });
    let among = |more: Value| json!({ "device": gpu, "counter_sets": [with(json!({ "counters": set }), &more)] });
    let across = |more: Value| plus(with(json!({ "device": cpu, "counted_on": gpu }), &more));
    let (nobody, time) = ("00000000-0000-7000-8000-000000000000", truth(USUAL));
    vec![
        // Which device.
        (json!({ "counters": set }), "/device"),
        (plus(json!({ "device": 99 })), "/device"),
        (plus(json!({ "counted_on": gpu })), "/device"),
        (plus(json!({ "counted_on": 99 })), "/device"),
        (plus(json!({ "counted_on": cpu })), "/device"),
        (plus(json!({ "devices": [cpu] })), "/devices"),
        // Which counters: none, and none that a model knows.
        (json!({ "device": gpu }), "/counters"),
        (by(json!({})), "/counters"),
        (by(json!({ "oclgrind": {} })), "/counters"),
        (by(json!({ "oclgrind": { "branches": 7 } })), "/counters"),
        (by(json!({ "launch": { "work_groups": 48 } })), "/counters"),
        (by(json!({ "mine": { "a": 1 } })), "/counters"),
        (by(json!({ "rocprofv3": { "SQ_WAVES": 1 } })), "/counters"),
        (by(json!({ "a/b": { "c~d": -1 } })), "/counters/a~1b/c~0d"),
        // Which sets.
        (plus(json!({ "counter_sets": [] })), "/counter_sets"),
        (
            json!({ "device": gpu, "counter_sets": [] }),
            "/counter_sets",
        ),
        (
            json!({ "devices": [gpu, cpu], "counter_sets": vec![json!({ "counters": set }); 5001] }),
            "/counter_sets",
        ),
        (
            among(json!({ "counters": { "oclgrind": { "br": -1 } } })),
            "/counter_sets/0/counters/oclgrind/br",
        ),
        (
            among(json!({ "measured": { "device": gpu, "time_s": 0 } })),
            "/counter_sets/0/measured/time_s",
        ),
        // By which model.
        (plus(json!({ "model": nobody })), "/model"),
        (plus(json!({ "method": "magic" })), "/method"),
        (plus(json!({ "method": "across_counters" })), "/method"),
        (
            json!({ "counters": set, "method": "nnls", "model": model }),
            "/method",
        ),
        (across(json!({ "method": "across_counters" })), "/method"),
        // With which time.
        (plus(json!({ "time_s": time })), "/time_s"),
        (across(json!({ "time_s": -1 })), "/time_s"),
        (
            across(json!({ "time_s": time, "method": "paper_counters" })),
            "/time_s",
        ),
    ]
}

/// Launches that no device can have run, and the field that is to blame.
fn impossible_launches(gpu: i64) -> Vec<(Value, &'static str)> {
    let one = json!({ "device": gpu, "counters": counters(USUAL) });
    let plus = |more: Value| with(one.clone(), &more);
    let launch = |more: Value| plus(json!({ "counters": { "launch": more } }));
    let ncu = |more: Value| json!({ "device": gpu, "counters": { "ncu": more } });
    vec![
        // What the device has no room for.
        (
            launch(json!({ "work_group_size": 2048 })),
            "/counters/launch/work_group_size",
        ),
        (
            launch(json!({ "local_bytes": 49_153 })),
            "/counters/launch/local_bytes",
        ),
        (
            launch(json!({ "global_bytes": 8_u64 << 30 })),
            "/counters/launch/global_bytes",
        ),
        // What contradicts itself: more work-groups than work-items, and fewer than one instruction a warp.
        (
            launch(json!({ "work_items": 1, "work_groups": 2 })),
            "/counters/launch/work_items",
        ),
        (
            launch(json!({ "work_items": 1, "work_groups": 65536, "work_group_size": 256 })),
            "/counters/launch/work_items",
        ),
        (
            ncu(json!({ "launch__thread_count": 10, "launch__grid_size": 40 })),
            "/counters/ncu/launch__thread_count",
        ),
        (
            ncu(json!({ "smsp__inst_executed.sum": 0, "launch__grid_size": 64 })),
            "/counters/ncu/smsp__inst_executed.sum",
        ),
        (
            ncu(json!({ "smsp__inst_executed.sum": 1, "smsp__warps_launched.sum": 512 })),
            "/counters/ncu/smsp__warps_launched.sum",
        ),
        (
            plus(json!({ "counters": { "ncu": { "launch__grid_size": 65 } } })),
            "/counters/ncu/launch__grid_size",
        ),
    ]
}

#[sqlx::test(migrations = "../migrations")]
async fn what_cannot_be_answered_is_refused_by_the_name_of_its_field(pool: PgPool) {
    let server = forecasts::fitted(pool).await;
    let (gpu, cpu) = (server.device("gpu").await, server.device("cpu").await);
    let models = server.items("/v1/models?provider=oclgrind").await;
    let questions = refusals(gpu, cpu, &models[0]["id"]).into_iter();
    for (question, field) in questions.chain(impossible_launches(gpu)) {
        server.refuses("/v1/predictions", &question, field).await;
    }
    let misspelt = json!({ "device": gpu, "counters": { "oclgrnd": { "load_global": 2500 } } });
    let field = "/counters/oclgrnd";
    let problem = server.refuses("/v1/predictions", &misspelt, field).await;
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("Did you mean `oclgrind`?"), "{detail}");
    // A profiler that no model has learned from is not misspelt.
    let other = json!({ "device": gpu, "counters": { "oneprof": { "EuActive": 70.5 } } });
    let problem = server.refuses("/v1/predictions", &other, "/counters").await;
    let detail = problem["detail"].as_str().unwrap();
    assert!(
        detail.contains("oclgrind") && !detail.contains("Did you mean"),
        "{detail}"
    );
}
