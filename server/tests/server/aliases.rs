//! Counters under other chips' names: one name behind every door.

use crate::common::{Server, sample, time};
use axum::http::StatusCode;
use serde_json::{Value, json};
use sqlx::PgPool;

/// As Hopper has them, and as GeForce Blackwell has.
const HOPPER: [&str; 2] = ["dram__sectors_read.sum", "dram__sectors_write.sum"];
const BLACKWELL: [&str; 2] = ["dram__sectors_op_read.sum", "dram__sectors_op_write.sum"];

fn counted([read, write]: [&str; 2], reads: f64, writes: f64) -> Value {
    json!({ read: reads, write: writes })
}

/// Sixteen kernels' samples whose time is what is read and written.
fn samples(names: [&str; 2]) -> Vec<Value> {
    let sizes = (0..4).flat_map(|kernel| (0..6).map(move |n| (kernel, n)));
    let all = sizes.map(|(kernel, n)| {
        let mut sample = sample(kernel, n);
        let own = &sample["readings"]["oclgrind"]["counters"];
        let [reads, writes] = ["load_global", "store_global"].map(|it| own[it].as_f64().unwrap());
        sample["readings"] = json!({ "ncu": { "counters": counted(names, reads, writes) } });
        sample
    });
    all.collect()
}

async fn fitted(pool: PgPool, names: [&str; 2]) -> Server {
    let server = Server::new(pool).await;
    server.upload(&samples(names)).await;
    server.fitted().await;
    server
}

fn assert_forecast(answer: &Value) {
    let forecast = &answer["predictions"][0];
    let ratio = forecast["time_s"].as_f64().unwrap_or_default() / time(2500.0, 40.0);
    assert!((ratio - 1.0).abs() < 1e-6, "{answer}");
    let nothing = json!([]);
    assert_eq!(
        (&forecast["missing"], &forecast["unknown"]),
        (&nothing, &nothing)
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn counters_of_another_chip_are_forecast(pool: PgPool) {
    let server = fitted(pool, HOPPER).await;
    let request = json!({ "counters": { "ncu": counted(BLACKWELL, 2500.0, 40.0) } });
    let (_, answer) = server.post("/v1/predictions", request.to_string()).await;
    assert_forecast(&answer);

    let file = r#""ID","Process ID","Kernel Name","CC","dram__sectors_op_read.sum","dram__sectors_op_write.sum"
"","","","","sector","sector"
"0","1","copy","12.0","2,500","40"
"#;
    let (_, answer) = server.post_as("text/csv", "/v1/predictions", file).await;
    assert_forecast(&answer);
}

#[sqlx::test(migrations = "../migrations")]
async fn counters_are_stored_under_one_name(pool: PgPool) {
    let server = Server::new(pool).await;
    let samples = samples(BLACKWELL);
    server.upload(&samples).await;
    let names: Vec<Value> = server.items("/v1/counters").await;
    let names: Vec<&Value> = names.iter().map(|it| &it["name"]).collect();
    assert_eq!(names, HOPPER);
    let roles = server.items("/v1/counters").await;
    assert_eq!(roles[0]["role"], "dram_read_sectors");
    let path = format!("/v1/samples/{}", samples[3]["id"].as_str().unwrap());
    let (_, stored) = server.get(&path).await;
    let sent = &samples[3]["readings"]["ncu"]["counters"];
    assert_eq!(
        stored["readings"]["ncu"]["counters"],
        counted(
            HOPPER,
            sent[BLACKWELL[0]].as_f64().unwrap(),
            sent[BLACKWELL[1]].as_f64().unwrap()
        )
    );
    let again = server.upload(&samples).await;
    assert_eq!(again["repeated"], samples.len());
    server.fitted().await;
    let request = json!({ "counters": { "ncu": counted(HOPPER, 2500.0, 40.0) } });
    let (_, answer) = server.post("/v1/predictions", request.to_string()).await;
    assert_forecast(&answer);
}

/// Both names, and not the same number: each door names both.
#[sqlx::test(migrations = "../migrations")]
async fn a_counter_that_contradicts_itself_is_refused(pool: PgPool) {
    let server = fitted(pool, HOPPER).await;
    let (alias, name) = (BLACKWELL[0], HOPPER[0]);
    let expected = |at: &str| {
        json!([{
            "field": format!("{at}/ncu/{alias}"), "value": "5",
            "expected": format!("7, as {name} is: they are two names of one counter"),
        }])
    };
    let counters = json!({ "ncu": { alias: 5, name: 7 } });
    let set = json!({ "counters": counters });
    for (path, request, at) in [
        ("/v1/predictions", set.clone(), "/counters"),
        (
            "/v1/speedups",
            json!({ "before": set, "after": [set] }),
            "/before/counters",
        ),
    ] {
        let (status, problem) = server.post(path, request.to_string()).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        assert_eq!(problem["errors"], expected(at));
    }

    let mut sample = samples(HOPPER).remove(0);
    sample["readings"] = json!({ "ncu": { "counters": counters["ncu"] } });
    let verdict = &server.upload(&[sample.clone()]).await["verdicts"][0];
    assert_eq!(verdict["verdict"], "rejected");
    let field = format!("/samples/0/readings/ncu/counters/{alias}");
    assert_eq!(verdict["problems"][0]["field"], field);
    assert_eq!(
        verdict["problems"][0]["expected"],
        expected("")[0]["expected"]
    );

    sample["readings"]["ncu"]["counters"][alias] = json!(7);
    let verdict = server.upload(&[sample]).await;
    assert_eq!(verdict["stored"], 1, "{verdict}");
}

/// Where no alias is known, the names that are missing are named.
#[sqlx::test(migrations = "../migrations")]
async fn what_is_missing_is_named(pool: PgPool) {
    let server = fitted(pool, HOPPER).await;
    let names = HOPPER.map(|name| format!("ncu:{name}"));
    let strange = json!({ "dram__sectors_of_tomorrow.sum": 2500 });
    let request = json!({ "counters": { "ncu": strange } });
    let (status, problem) = server.post("/v1/predictions", request.to_string()).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let problem = problem.to_string();
    assert!(names.iter().all(|name| problem.contains(name)), "{problem}");

    let mut counters = strange;
    counters[HOPPER[0]] = json!(2500);
    let request = json!({ "counters": { "ncu": counters } });
    let (_, answer) = server.post("/v1/predictions", request.to_string()).await;
    let forecast = &answer["predictions"][0];
    assert_eq!(forecast["missing"], json!([names[1]]));
    assert_eq!(
        forecast["unknown"],
        json!(["ncu:dram__sectors_of_tomorrow.sum"])
    );
}
