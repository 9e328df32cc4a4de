//! Bad input gets a problem that names the field, and leaves nothing behind.

use crate::common::{Server, sample};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use kerncast_server::{App, access::Settings, events::events, routes};
use serde_json::{Value, json};
use sqlx::PgPool;

/// Sets the value at a pointer; the last part of it may be new.
fn with(pointer: &str, value: Value) -> Value {
    let mut sample = sample(0, 1);
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    match sample.pointer_mut(parent).unwrap() {
        Value::Object(fields) => drop(fields.insert(name.to_owned(), value)),
        Value::Array(items) => items[name.parse::<usize>().unwrap()] = value,
        other => panic!("{other} has no {name}"),
    }
    sample
}

#[sqlx::test(migrations = "../migrations")]
async fn each_wrong_field_of_a_sample_is_named(pool: PgPool) {
    let server = Server::new(pool).await;
    let many: serde_json::Map<String, Value> =
        (0..5001).map(|i| (format!("c{i}"), json!(1))).collect();
    let itself = [
        ("/id", json!("x")),
        ("/measured_at", json!("yesterday")),
        ("/measured_at", json!("2999-01-01T00:00:00Z")),
        ("/measured_at", json!("1999-01-01T00:00:00Z")),
        ("/colour", json!("red")),
        ("/workload/kernel", json!("")),
        ("/workload/kernel", json!("a\0b")),
        ("/workload/kernel", json!("a\u{202e}b")),
        ("/workload/kernel", json!("k".repeat(201))),
        ("/workload/parameters/n", json!(1.0)),
        (
            "/workload/parameters",
            json!({ "p".repeat(200): 1, "q".repeat(200): 1, "r".repeat(200): 1, "s".repeat(200): 1, "t".repeat(200): 1 }),
        ),
        ("/device", json!(["Vendor", "Device", "cpu", 8, null, null])),
        ("/device/kind", json!("fpga")),
        ("/device/global_memory_bytes", json!(u64::MAX)),
        ("/times/repetitions_s", json!([])),
        ("/times/repetitions_s", json!(vec![1.0; 100_001])),
        ("/times/repetitions_s/1", json!(0)),
        ("/times/repetitions_s/1", json!(-1e-3)),
        ("/times/repetitions_s/1", json!(1e6)),
        ("/times/launches_per_repetition", json!(0)),
        ("/origin", json!("stolen")),
        ("/readings/param", json!({ "counters": { "a": 1 } })),
        ("/readings/Tool!", json!({ "counters": { "a": 1 } })),
        ("/readings/tool", json!({})),
        (
            "/readings/tool",
            json!({ "counters": { "a": 1 }, "refusal": "no" }),
        ),
        ("/provenance/tools/t", json!("\0")),
    ];
    let itself = itself.map(|(pointer, value)| (pointer, value, ""));
    let within = [
        ("/times/cold_repetitions_s", json!([1.0, 0.0]), "/1"),
        ("/flags", json!(["slow"]), "/0"),
        ("/conditions", json!({ "clock_mhz": 1 }), "/clock_mhz"),
        (
            "/conditions",
            json!({ "compute_clock_mhz": -1 }),
            "/compute_clock_mhz",
        ),
        (
            "/conditions",
            json!({ "temperature_c": 1e9 }),
            "/temperature_c",
        ),
        (
            "/conditions",
            json!({ "throttle_reasons": [""] }),
            "/throttle_reasons",
        ),
        ("/readings/tool", json!({ "refusal": " " }), "/refusal"),
        (
            "/readings/tool",
            json!({ "counters": { "a/b": -1 } }),
            "/counters/a~1b",
        ),
        ("/readings/tool", json!({ "refusal": "n\0o" }), "/refusal"),
        (
            "/readings/tool",
            json!({ "refusal": "n\u{1b}[2Jo" }),
            "/refusal",
        ),
        (
            "/readings/tool",
            json!({ "refusal": "n\u{202e}o" }),
            "/refusal",
        ),
    ];
    let rejected = async |sample: Value, field: &str| {
        let answer = server.upload(&[sample]).await;
        let verdict = &answer["verdicts"][0];
        assert_eq!(verdict["verdict"], "rejected", "{field}: {answer}");
        let named = verdict["problems"][0]["field"].as_str().unwrap();
        assert_eq!(named, format!("/samples/0{field}"));
    };
    for (pointer, value, place) in itself.into_iter().chain(within) {
        rejected(with(pointer, value), &format!("{pointer}{place}")).await;
    }
    let too_many = with("/readings/tool", json!({ "counters": many }));
    rejected(too_many, "/readings").await;
    let mut missing = sample(0, 1);
    missing.as_object_mut().unwrap().remove("agent");
    rejected(missing, "/agent").await;
    for listing in [
        "samples", "devices", "kernels", "counters", "agents", "models",
    ] {
        assert!(
            server.items(&format!("/v1/{listing}")).await.is_empty(),
            "{listing}"
        );
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn numbers_that_are_none_are_named(pool: PgPool) {
    let server = Server::new(pool).await;
    let text =
        json!({ "samples": [with("/readings/tool", json!({ "counters": { "a": 12345 } }))] });
    let field = "/samples/0/readings/tool/counters/a";
    for number in ["NaN", "Infinity", "-Infinity"] {
        let body = text.to_string().replace("12345", number);
        let (status, problem) = server.post("/v1/samples", body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
        assert_eq!(problem["errors"][0]["field"], field);
        assert_eq!(problem["errors"][0]["value"], number);
    }
    for number in ["1e999", "1e200", "-1", "null", "\"5\""] {
        let body = text.to_string().replace("12345", number);
        let (status, answer) = server.post("/v1/samples", body).await;
        assert_eq!(status, StatusCode::OK);
        assert_eq!(
            answer["verdicts"][0]["problems"][0]["field"], field,
            "{number}"
        );
    }
}

/// The last of two values would be taken for the only one.
#[sqlx::test(migrations = "../migrations")]
async fn a_key_that_is_there_twice_is_named(pool: PgPool) {
    let server = Server::new(pool).await;
    let body = json!({ "samples": [sample(0, 1)] }).to_string();
    for (once, twice, field) in [
        (r#""n":1"#, r#""n":1,"n":2"#, "/workload/parameters/n"),
        (
            r#""work_groups":16"#,
            r#""work_groups":16,"items":1,"work_groups":17"#,
            "/readings/launch/counters/work_groups",
        ),
        (
            r#""kind":"cpu""#,
            r#""kind":"cpu","kind":"gpu""#,
            "/device/kind",
        ),
    ] {
        let (_, answer) = server
            .post("/v1/samples", body.replacen(once, twice, 1))
            .await;
        let problem = &answer["verdicts"][0]["problems"][0];
        assert_eq!(problem["field"], format!("/samples/0{field}"), "{answer}");
    }
    let set = r#"{"counters":{"tool":{"a":1,"a":2}}}"#;
    let (status, answer) = server.post("/v1/predictions", set).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert_eq!(answer["errors"][0]["field"], "/counters/tool/a", "{answer}");
    let set = r#"{"after":[],"before":{"counters":{"tool":{"a":1,"a":2}}}}"#;
    let (_, answer) = server.post("/v1/speedups", set).await;
    let field = "/before/counters/tool/a";
    assert_eq!(answer["errors"][0]["field"], field, "{answer}");
}

/// Postgres's index of workloads takes rows of up to 2,704 bytes.
#[sqlx::test(migrations = "../migrations")]
async fn the_longest_workload_is_stored(pool: PgPool) {
    let server = Server::new(pool).await;
    // Four bytes each, and none like another, so that nothing is gained by compression.
    let variant: String = (0..200)
        .map(|i| char::from_u32(0x20000 + i * 2003 % 40000).unwrap())
        .collect();
    let parameters: serde_json::Map<String, Value> = (b'#'..=b'~')
        .filter(|&name| name != b'\\')
        .map(|name| {
            let value = 10000 + u32::from(name) * 7919 % 90000;
            (char::from(name).to_string(), json!(value))
        })
        .collect();
    let mut sample = with("/workload/variant", json!(variant));
    sample["workload"]["parameters"] = json!(parameters);
    let answer = server.upload(&[sample]).await;
    assert_eq!(answer["stored"], 1, "{answer}");
}

#[sqlx::test(migrations = "../migrations")]
async fn what_is_no_batch_is_refused(pool: PgPool) {
    let server = Server::new(pool).await;
    let too_many = format!("{{\"samples\":[{}]}}", vec!["{}"; 10_001].join(","));
    let batches = [
        ("", ""),
        ("{", ""),
        ("[]", ""),
        ("{}", "/samples"),
        ("{\"samples\":3}", "/samples"),
        ("{\"samples\":[]}", "/samples"),
        ("{\"samples\":[],\"x\":1}", "/x"),
        ("{\"samples\":[{}]} and more", ""),
        (&too_many, "/samples"),
    ];
    for (body, field) in batches {
        let (status, problem) = server.post("/v1/samples", body.to_owned()).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body:.40}");
        assert_eq!(
            problem["errors"][0]["field"], field,
            "{body:.40}: {problem}"
        );
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn a_body_that_is_too_large_is_refused_with_and_without_its_length(pool: PgPool) {
    let server = Server::new(pool).await;
    const MIB: usize = 1 << 20;
    let (status, problem) = server.post("/v1/samples", vec![b' '; 100 * MIB]).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE, "{problem}");
    let chunks = (0..65).map(|_| Ok::<_, std::io::Error>(vec![b' '; MIB]));
    let body = Body::from_stream(futures_util::stream::iter(chunks));
    let (status, problem) = server.post("/v1/samples", body).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE, "{problem}");
}

/// Over a real connection: a client that sends all before it reads must not find it closed.
#[sqlx::test(migrations = "../migrations")]
async fn a_refusal_can_be_read_after_a_large_body(pool: PgPool) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(
        axum::serve(
            listener,
            routes::router(App::new(pool.clone(), events(pool).0, Settings::default())),
        )
        .into_future(),
    );
    let post = |path, media_type| {
        let request = ureq::post(format!("{url}/{path}"))
            .config()
            .http_status_as_error(false)
            .build()
            .header("authorization", "Bearer wrong")
            .header("content-type", media_type);
        let sent = tokio::task::spawn_blocking(move || request.send(vec![b' '; 32 << 20]));
        async { sent.await.unwrap().unwrap() }
    };
    let refused = post("samples", "application/json").await;
    assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(refused.headers()["www-authenticate"], "Bearer");
    let refused = post("predictions", "text/html").await;
    assert_eq!(refused.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
}

#[sqlx::test(migrations = "../migrations")]
async fn requests_that_nobody_serves_say_why(pool: PgPool) {
    let server = Server::new(pool).await;
    for (path, status, field) in [
        ("/v1/samples?limit=0", 400, "limit"),
        ("/v1/samples?limit=1001", 400, "limit"),
        ("/v1/samples?limit=many", 400, "limit"),
        ("/v1/samples?limit=1&limit=2", 400, "limit"),
        ("/v1/samples?device=x", 400, "device"),
        ("/v1/samples?kernel=a%00b", 400, "kernel"),
        ("/v1/samples?color=red", 400, "color"),
        ("/v1/samples?format=xml", 400, "format"),
        ("/v1/samples?cursor=x", 400, "cursor"),
        ("/v1/devices?cursor=x", 400, "cursor"),
        ("/v1/counters?cursor=x", 400, "cursor"),
        ("/v1/models?superseded=maybe", 400, "superseded"),
        ("/v1/counters?provider=a%00b", 400, "provider"),
        ("/v1/devices/x/roofline", 400, "id"),
        ("/v1/devices/1/roofline?cursor=x", 400, "cursor"),
        ("/v1/models/x", 400, "id"),
        ("/v1/models/x/validation", 400, "id"),
    ] {
        let (found, problem) = server.get(path).await;
        assert_eq!(found, status, "{path}: {problem}");
        assert_eq!(problem["errors"][0]["field"], field, "{path}: {problem}");
    }
    // Whatever the limit is, the same is expected.
    for limit in ["-3", "0", "1001", "2.5", "many", "99999999999"] {
        let (_, problem) = server.get(&format!("/v1/samples?limit={limit}")).await;
        let expected = json!({ "field": "limit", "value": limit, "expected": "a whole number from 1 to 1000" });
        assert_eq!(problem["errors"], json!([expected]));
    }
    let no_model = "/v1/models/00000000-0000-7000-8000-000000000000";
    for path in [
        "/v1/nothing",
        "/nothing",
        "/v1/devices/1/roofline",
        no_model,
        &format!("{no_model}/validation"),
    ] {
        assert_eq!(server.get(path).await.0, StatusCode::NOT_FOUND, "{path}");
    }
    let delete = Request::delete("/v1/samples").body(Body::empty()).unwrap();
    assert_eq!(server.send(delete).await.0, StatusCode::METHOD_NOT_ALLOWED);
}

#[sqlx::test(migrations = "../migrations")]
async fn uploads_need_the_token_and_json(pool: PgPool) {
    let server = Server::new(pool).await;
    for path in ["/v1/samples", "/v1/ceilings"] {
        for authorization in ["", "Bearer wrong", "Basic YQ==", "Bearer"] {
            let request = Request::post(path)
                .header("authorization", authorization)
                .header("content-type", "application/json");
            let (status, problem) = server.send(request.body(Body::from("{}")).unwrap()).await;
            assert_eq!(
                status,
                StatusCode::UNAUTHORIZED,
                "{authorization}: {problem}"
            );
        }
    }
    for media_type in ["", "text/html", "application/jsonp"] {
        let request = Request::post("/v1/predictions").header("content-type", media_type);
        let (status, problem) = server.send(request.body(Body::from("{}")).unwrap()).await;
        assert_eq!(
            status,
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "{media_type}: {problem}"
        );
    }
    let packed = Request::post("/v1/predictions")
        .header("content-type", "application/json")
        .header("content-encoding", "gzip");
    let (status, problem) = server.send(packed.body(Body::from("{}")).unwrap()).await;
    assert_eq!(status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let field = json!({ "field": "Content-Encoding", "value": "gzip", "expected": "no encoding: the body as it is" });
    assert_eq!(problem["errors"], json!([field]));
}
