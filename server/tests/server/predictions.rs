//! Forecasts from stored fits.

use crate::common::{Server, all_variants, samples, time};
use axum::http::StatusCode;
use serde_json::{Value, json};
use sqlx::PgPool;

async fn fitted(pool: PgPool) -> Server {
    let server = Server::new(pool).await;
    server.upload(&samples()).await;
    server.fitted().await;
    server
}

async fn predict(server: &Server, request: Value) -> Value {
    let (status, answer) = server.post("/v1/predictions", request.to_string()).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_eq!(
        answer["predictions"].as_array().unwrap().len(),
        1,
        "{answer}"
    );
    answer["predictions"][0].clone()
}

fn close(found: &Value, expected: f64) -> bool {
    (found.as_f64().unwrap() / expected - 1.0).abs() < 1e-9
}

#[sqlx::test(migrations = "../migrations")]
async fn the_champion_answers(pool: PgPool) {
    let server = fitted(pool).await;
    let counters = json!({
        "oclgrind": { "load_global": 2500, "store_global": 40, "unheard_of": 1 },
        "launch": { "work_groups": 16 },
    });
    let forecast = predict(&server, json!({ "counters": counters })).await;
    assert!(close(&forecast["time_s"], time(2500.0, 40.0)), "{forecast}");
    assert_eq!(forecast["missing"], json!([]));
    assert_eq!(
        forecast["unknown"],
        json!(["launch:work_groups", "oclgrind:unheard_of"])
    );
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
    let request =
        json!({ "counters": { "oclgrind": { "load_global": 2500 } }, "model": all["id"] });
    let forecast = predict(&server, request).await;
    // Stores over four kernels k and six sizes n: the mean of 10 (n² + k) is 10 (55 ÷ 6 + 1.5).
    let mean = 10.0 * (55.0 / 6.0 + 1.5);
    assert!(close(&forecast["time_s"], time(2500.0, mean)), "{forecast}");
    assert_eq!(forecast["missing"], json!(["oclgrind:store_global"]));
    assert!(
        forecast["warnings"][0]
            .as_str()
            .unwrap()
            .contains("lacks 1 of the model's 2 counters, for which the means of its samples stand in: oclgrind:store_global (107)"),
        "{forecast}"
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn counters_unlike_the_samples_are_warned_of(pool: PgPool) {
    let server = fitted(pool).await;
    let counters = json!({ "oclgrind": { "load_global": 9e9, "store_global": 40 } });
    let forecast = predict(&server, json!({ "counters": counters })).await;
    let warning = forecast["warnings"][0].as_str().unwrap();
    assert!(
        warning.contains("oclgrind:load_global is 9.00e9, outside"),
        "{warning}"
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn a_time_below_zero_is_warned_of(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut batch = samples();
    for sample in &mut batch {
        let loads = sample["readings"]["oclgrind"]["counters"]["load_global"]
            .as_f64()
            .unwrap();
        sample["times"]["repetitions_s"] = json!([1e-6 * (loads - 999.0)]);
    }
    server.upload(&batch).await;
    server.fitted().await;
    let counters = json!({ "oclgrind": { "load_global": 0, "store_global": 100 } });
    let forecast = predict(&server, json!({ "counters": counters })).await;
    assert!(forecast["time_s"].as_f64().unwrap() < 0.0, "{forecast}");
    assert!(
        forecast["warnings"]
            .to_string()
            .contains("s is no time: a linear model"),
        "{forecast}"
    );
    let word = forecast["trust"]["word"].as_str();
    assert_eq!(word, Some("none"), "{forecast}");
}

#[sqlx::test(migrations = "../migrations")]
async fn what_is_counted_goes_before_the_geometry_alone(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut batch = samples();
    for (i, sample) in (1..).zip(&mut batch) {
        // A poor explanation of the times, but one that varies.
        sample["readings"]["launch"]["counters"]["work_groups"] = json!(i % 7);
    }
    server.upload(&batch).await;
    server.fitted().await;
    let set = json!({ "oclgrind": { "load_global": 2500 }, "launch": { "work_groups": 3 } });
    let forecast = predict(&server, json!({ "counters": set })).await;
    let (_, model) = server
        .get(&format!(
            "/v1/models/{}",
            forecast["model"].as_str().unwrap()
        ))
        .await;
    assert_eq!(model["specification"]["provider"], "oclgrind");
    assert_eq!(forecast["missing"], json!(["oclgrind:store_global"]));
    assert_eq!(forecast["trust"]["word"], "none", "{forecast}");
    let warning = forecast["warnings"][0].as_str().unwrap();
    assert!(warning.contains("oclgrind:store_global"), "{forecast}");
}

#[sqlx::test(migrations = "../migrations")]
async fn what_no_model_can_answer_says_why(pool: PgPool) {
    let server = Server::new(pool).await;
    let loads = json!({ "oclgrind": { "load_global": 2500 } });
    let (status, problem) = server
        .post("/v1/predictions", json!({ "counters": loads }).to_string())
        .await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        problem["detail"]
            .as_str()
            .unwrap()
            .contains("there is no model yet"),
        "{problem}"
    );
    let request = json!({ "counters": loads, "device": 99 });
    let (_, problem) = server.post("/v1/predictions", request.to_string()).await;
    assert_eq!(problem["errors"][0]["field"], "/device", "{problem}");

    let mut batch = samples();
    for mut sample in samples() {
        sample["device"]["name"] = json!("Another");
        batch.push(sample);
    }
    server.upload(&batch).await;
    server.fitted().await;
    let device = server.items("/v1/devices").await[0]["id"].clone();
    let nobody = "00000000-0000-7000-8000-000000000000";
    for (request, field) in [
        (json!({ "counters": loads }), "/device"),
        (json!({ "counters": loads, "device": 99 }), "/device"),
        (
            json!({ "counters": { "a/b": { "c~d": -1 } } }),
            "/counters/a~1b/c~0d",
        ),
        (json!({ "counters": {}, "device": device }), "/counters"),
        (
            json!({ "counters": { "ncu": { "a": 1 } }, "device": device }),
            "/counters",
        ),
        (
            json!({ "counters": { "oclgrind": { "a": 1 } }, "device": device }),
            "/counters",
        ),
        (
            json!({ "counters": { "oclgrind": { "load_global": -1 } }, "device": device }),
            "/counters/oclgrind/load_global",
        ),
        (json!({ "counters": loads, "model": nobody }), "/model"),
    ] {
        let (status, problem) = server.post("/v1/predictions", request.to_string()).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        assert_eq!(problem["errors"][0]["field"], field, "{problem}");
    }
}

/// Models are kept between requests until newer ones come.
#[sqlx::test(migrations = "../migrations")]
async fn newer_models_answer_once_they_are_there(pool: PgPool) {
    let server = fitted(pool).await;
    let counters = json!({ "oclgrind": { "load_global": 2500, "store_global": 40 } });
    let request = json!({ "counters": counters });
    let first = predict(&server, request.clone()).await["model"].clone();
    assert_eq!(predict(&server, request.clone()).await["model"], first);
    let more: Vec<Value> = (0..4)
        .map(|kernel| crate::common::sample(kernel, 7))
        .collect();
    server.upload(&more).await;
    server.fitted().await;
    for _ in 0..200 {
        if predict(&server, request.clone()).await["model"] != first {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("{first} still answers");
}
