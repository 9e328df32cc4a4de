//! Models of what is no time: the microbenchmark's clock cycles.

use crate::common::{Server, sample};
use axum::http::StatusCode;
use serde_json::{Value, json};
use sqlx::PgPool;

/// T = 2·iwc + 300 cycles, as a GPU of 1 GHz would take.
fn point(i: u32, w: u32, c: u32) -> Value {
    let product = i * w * c;
    let cycles = 2 * product + 300;
    let mut point = sample(0, 0);
    point["workload"] = json!({
        "kernel": "local_memory", "family": "microbenchmark", "variant": "local",
        "parameters": { "i": i, "w": w, "c": c },
    });
    point["times"]["repetitions_s"] = json!([f64::from(cycles) * 1e-9 + 5e-6]);
    point["readings"] = json!({ "local_memory": { "counters": {
        "instructions": i, "warps": w, "congestion": c, "product": product, "cycles": cycles,
    } } });
    point
}

fn points() -> Vec<Value> {
    let sizes = [1, 4, 16, 32];
    let pairs = sizes.map(|i| sizes.map(|w| (i, w)));
    let points = pairs.into_iter().flatten();
    points
        .flat_map(|(i, w)| sizes.map(|c| point(i, w, c)))
        .collect()
}

#[sqlx::test(migrations = "../migrations")]
async fn the_microbenchmark_is_one_line_of_cycles(pool: PgPool) {
    let server = Server::new(pool).await;
    server.fit(&points()).await;
    let models = server.items("/v1/models").await;
    assert_eq!(
        models.len(),
        1,
        "no variants, no other provider: {models:?}"
    );
    let expected = json!({
        "device": models[0]["specification"]["device"], "provider": "local_memory", "method": "ols",
        "counters": ["local_memory:product"], "response": "local_memory:cycles",
    });
    assert_eq!(models[0]["specification"], expected);
    assert_eq!(models[0]["champion"], false, "it forecasts no time");

    let id = models[0]["id"].as_str().unwrap();
    let (_, model) = server.get(&format!("/v1/models/{id}")).await;
    let fit = &model["fit"];
    assert_eq!(fit["unit"], "cycle");
    let slope = fit["coefficients"][0]["per_event"].as_f64().unwrap();
    assert!((slope / 2.0 - 1.0).abs() < 1e-9, "{fit}");
    let mean = fit["coefficients"][0]["mean"].as_f64().unwrap();
    let at_zero = fit["intercept"].as_f64().unwrap() - slope * mean;
    assert!((at_zero / 300.0 - 1.0).abs() < 1e-6, "{at_zero}");

    let (_, validation) = server.get(&format!("/v1/models/{id}/validation")).await;
    let row = &validation["hold_outs"][1]["rows"][0];
    let cycles = |name: &str| row["parameters"][name].as_f64().unwrap();
    let expected = 2.0 * cycles("i") * cycles("w") * cycles("c") + 300.0;
    assert_eq!(row["measured"], json!(expected), "cycles, not seconds");

    let request = json!({ "model": id, "counters": { "local_memory": { "product": 8 } } });
    let (status, problem) = server.post("/v1/predictions", request.to_string()).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
    assert!(
        problem["detail"]
            .as_str()
            .unwrap()
            .contains("local_memory:cycles"),
        "{problem}"
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn where_no_clock_was_read_the_microbenchmark_is_a_line_of_seconds(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut batch = points();
    for point in &mut batch {
        let counters = &mut point["readings"]["local_memory"]["counters"];
        counters.as_object_mut().unwrap().remove("cycles");
    }
    server.fit(&batch).await;
    let models = server.items("/v1/models").await;
    assert_eq!(models.len(), 1);
    assert_eq!(models[0]["specification"].get("response"), None);
    let id = models[0]["id"].as_str().unwrap();
    let (_, model) = server.get(&format!("/v1/models/{id}")).await;
    assert_eq!(model["fit"]["unit"], "s");
}
