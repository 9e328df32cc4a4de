//! Every answer is what the API's description says of it.

use std::collections::BTreeSet;

use crate::common::{ADMIN, Server, ceilings, run, sample, streams};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use sqlx::PgPool;

/// The hash of a file `kernel.cl` that says `kernel`.
const SOURCE: &str = "a171690d52c69e8fa257b67b60cfacbc53e865b7ccc7a66f2fcfe7ffe7d1bd06";

/// What of everything there is: two devices that ran the same, local memory among it, one with ceilings, an
/// agent's report, sources, models of all kinds.
async fn busy(pool: PgPool) -> Server {
    let server = Server::new(pool.clone()).await;
    let mut batch = Vec::new();
    for (device, slower) in [("Device", 1.0), ("Slower", 2.0)] {
        for kernel in 0..6 {
            for n in 0..4 {
                for (variant, gain) in [("global", 1.0), ("local", 0.8)] {
                    let mut sample = sample(kernel, n);
                    sample["device"]["name"] = json!(device);
                    sample["workload"]["variant"] = json!(variant);
                    sample["times"]["cold_repetitions_s"] = json!([0.5]);
                    sample["flags"] = json!(["shared"]);
                    sample["conditions"] =
                        json!({ "temperature_c": 40.0, "throttle_reasons": ["heat"] });
                    for time in sample["times"]["repetitions_s"].as_array_mut().unwrap() {
                        *time = json!(time.as_f64().unwrap() * slower * gain);
                    }
                    batch.push(sample);
                }
            }
        }
    }
    batch[0]["provenance"]["source_hash"] = json!(SOURCE);
    for (i, point) in [1, 2, 4, 8].into_iter().enumerate() {
        let mut sample = sample(0, u32::try_from(i).unwrap());
        sample["workload"] = json!({ "kernel": "local_memory", "variant": "local", "parameters": { "i": point, "w": 1, "c": 1 } });
        sample["readings"] = json!({ "local_memory": { "counters": {
            "instructions": point, "warps": 1, "congestion": 1, "product": point, "cycles": 300 + 2 * point,
        } } });
        batch.push(sample);
    }
    server.upload(&batch).await;
    let rates = streams("2026-11-01T12:00:00Z", 1.0);
    let report = json!({
        "agent": { "name": "lab-3", "version": "0.1.0" }, "spool": 3, "rejected": 0,
        "run": { "ended_at": "2026-11-01T12:00:00Z", "measured": 7, "failed": 2, "skipped": 1, "errors": ["no"] },
    });
    for (path, body) in [
        ("/v1/ceilings", ceilings("2026-11-01T12:00:00Z")),
        ("/v1/streams", rates),
        ("/v1/agents", report),
    ] {
        server.posted(path, &body).await;
    }
    let source = json!({ "files": { "kernel.cl": "kernel" } });
    let (status, answer) = server
        .put(&format!("/v1/sources/{SOURCE}"), source.to_string())
        .await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let analysis =
        json!({ "tool": "kerncast", "variants": [{ "variant": "global", "parameters": {} }] });
    let path = format!("/v1/sources/{SOURCE}/analysis");
    let (status, answer) = server.put(&path, analysis.to_string()).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    server.fitted().await;
    // A fit that was given up.
    run(&pool, "INSERT INTO fitting_jobs (device_id, provider, attempts) SELECT id, 'other', 3 FROM devices").await;
    server
}

#[sqlx::test(migrations = "../migrations")]
async fn every_answer_fits_its_schema(pool: PgPool) {
    let server = busy(pool).await;
    let (_, description) = server.get("/openapi.json").await;
    let device = server.items("/v1/devices").await[0]["id"].clone();
    let models = server.items("/v1/models?limit=1000").await;
    let sample = server.items("/v1/samples").await[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let champion = models.iter().find(|it| it["champion"] == true).unwrap();
    let model = champion["id"].as_str().unwrap();

    let mut checked = BTreeSet::new();
    for (path, operations) in description["paths"].as_object().unwrap() {
        let Some(operation) = operations.get("get") else {
            continue;
        };
        let concrete = match path.as_str() {
            "/v1/samples/{id}" => path.replace("{id}", &sample),
            _ if path.starts_with("/v1/sources/{hash}") => path.replace("{hash}", SOURCE),
            _ if path.starts_with("/v1/models/{id}") => path.replace("{id}", model),
            _ if path.starts_with("/v1/devices/{id}") => path.replace("{id}", &device.to_string()),
            _ => path.replace("{name}", "kernel_1"),
        };
        let request = Request::get(&concrete).header("authorization", format!("Bearer {ADMIN}"));
        let request = request.body(Body::empty()).unwrap();
        let response = server.response(request).await;
        let (head, mut body) = response.into_parts();
        let media_type = head.headers["content-type"].to_str().unwrap();
        let media_type = media_type.split(';').next().unwrap();
        let mut text = Vec::new();
        while let Some(frame) = body.frame().await {
            text.extend_from_slice(&frame.unwrap().into_data().unwrap());
            if media_type == "text/event-stream" {
                break;
            }
        }
        let text = String::from_utf8(text).unwrap();
        let answer = match media_type {
            "application/json" | "application/problem+json" => serde_json::from_str(&text).unwrap(),
            "text/event-stream" => {
                serde_json::from_str(text.strip_prefix("data: ").unwrap()).unwrap()
            }
            _ => Value::String(text),
        };
        let status = head.status.as_u16().to_string();
        let responses = &operation["responses"];
        let response = responses.get(&status).unwrap_or(&responses["default"]);
        let response = match response["$ref"].as_str() {
            Some(reference) => description.pointer(&reference[1..]).unwrap(),
            None => response,
        };
        let schema = &response["content"][media_type]["schema"];
        assert!(
            schema.is_object(),
            "{path} answers {status} as {media_type}: not described"
        );
        assert_fits(&description, schema, &answer, path);
        if head.status == StatusCode::OK && !is_empty(&answer) {
            checked.insert(path.clone());
        }
    }
    let expected: BTreeSet<String> = description["paths"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, it)| it.get("get").is_some())
        .map(|(path, _)| path.clone())
        .collect();
    let unseen: Vec<_> = expected.difference(&checked).collect();
    assert!(
        unseen.is_empty(),
        "nothing was there to look at: {unseen:?}"
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn forecasts_and_verdicts_fit_their_schemas(pool: PgPool) {
    let server = busy(pool).await;
    let (_, description) = server.get("/openapi.json").await;
    let devices = server.items("/v1/devices").await;
    let device = &devices[0]["id"];
    let streamed = &server.items("/v1/streams").await[0]["device"];
    let set = json!({ "oclgrind": { "load_global": 2500, "store_global": 40 } });
    for (path, request) in [
        (
            "/v1/predictions",
            json!({ "counters": set, "device": device }),
        ),
        (
            "/v1/predictions",
            json!({ "counter_sets": [{ "counters": set }, { "counters": {} }], "device": device }),
        ),
        (
            "/v1/speedups",
            json!({ "before": { "counters": set }, "after": [{ "counters": set }], "devices": [device] }),
        ),
        ("/v1/samples", json!({ "samples": [sample(0, 1), {}] })),
        (
            "/v1/offload",
            json!({ "device": streamed, "work": "sort", "element": "u32", "bytes": 1 << 30 }),
        ),
    ] {
        let answer = server.posted(path, &request).await;
        let response = &description["paths"][path]["post"]["responses"]["200"];
        assert_fits(
            &description,
            &response["content"]["application/json"]["schema"],
            &answer,
            path,
        );
    }
}

fn is_empty(answer: &Value) -> bool {
    let list = answer.get("items").unwrap_or(answer);
    list.as_array().is_some_and(Vec::is_empty)
}

fn assert_fits(description: &Value, schema: &Value, answer: &Value, path: &str) {
    let mut schema = schema.clone();
    schema["components"] = description["components"].clone();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let wrong: Vec<String> = validator
        .iter_errors(answer)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(
        wrong.is_empty(),
        "{path}: {:#?}",
        &wrong[..wrong.len().min(5)]
    );
}
