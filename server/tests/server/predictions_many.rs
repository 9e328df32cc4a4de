//! Many counter sets, many devices, and profilers' files in place of JSON.

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

use crate::common::{Server, assert_close, number, samples, time};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use sqlx::PgPool;

/// Two devices; the second takes twice as long.
async fn fitted(pool: PgPool) -> (Server, [i64; 2]) {
    let server = Server::new(pool).await;
    let mut batch = samples();
    for mut sample in samples() {
        sample["device"]["name"] = json!("Slower");
        for time in sample["times"]["repetitions_s"].as_array_mut().unwrap() {
            *time = json!(2.0 * number(time));
        }
        batch.push(sample);
    }
    server.fit(&batch).await;
    let devices = [server.device("Device").await, server.device("Slower").await];
    (server, devices)
}

#[sqlx::test(migrations = "../migrations")]
async fn every_set_is_forecast_on_every_device(pool: PgPool) {
    let (server, [fast, slow]) = fitted(pool).await;
    let set = |loads: f64| json!({ "oclgrind": { "load_global": loads, "store_global": 40 } });
    let sets = json!([{ "counters": set(2500.0) }, { "name": "second", "counters": set(3000.0) }]);
    let request = json!({ "counter_sets": sets, "devices": [slow, fast] });
    let predictions = server.forecasts(&request).await;
    let places = predictions.iter();
    let places: Vec<_> = places
        .map(|it| [&it["counter_set"], &it["device"], &it["name"]])
        .map(|it| json!(it))
        .collect();
    assert_eq!(
        places,
        [
            json!([0, slow, null]),
            json!([0, fast, null]),
            json!([1, slow, "second"]),
            json!([1, fast, "second"]),
        ]
    );
    assert_close(&predictions[1]["time_s"], time(2500.0, 40.0));
    assert_close(&predictions[2]["time_s"], 2.0 * time(3000.0, 40.0));
}

#[sqlx::test(migrations = "../migrations")]
async fn a_set_without_a_forecast_spoils_no_other(pool: PgPool) {
    let (server, [fast, _]) = fitted(pool).await;
    let sets = json!([
        { "counters": { "ncu": { "a": 1 } } },
        { "counters": { "oclgrind": { "load_global": 2500, "store_global": 40 } } },
    ]);
    let question = json!({ "counter_sets": sets, "devices": [fast, 99] });
    let predictions = server.forecasts(&question).await;
    for (place, why) in [
        (0, "counters of a provider with a model: "),
        (1, "devices that have models"),
        (3, "devices that have models"),
    ] {
        let refusal = predictions[place]["refusal"].as_str().unwrap();
        assert!(refusal.contains(why), "{refusal}");
    }
    assert_eq!(predictions[0].get("time_s"), None);
    assert_close(&predictions[2]["time_s"], time(2500.0, 40.0));

    let none = json!({ "counter_sets": [sets[0], sets[0]], "device": fast });
    let first = "/counter_sets/0/counters";
    let problem = server.refuses("/v1/predictions", &none, first).await;
    assert_eq!(problem["errors"][1]["field"], "/counter_sets/1/counters");
}

const TIDY: &str = "device,kernel,variant,time_s,param:n,oclgrind:load_global,oclgrind:store_global
Elsewhere,product,local,0.5,64,2500,40
Elsewhere,sum,,,,3000,
Elsewhere,empty,,,,,
";

#[sqlx::test(migrations = "../migrations")]
async fn every_launch_of_a_file_is_a_set(pool: PgPool) {
    let (server, [fast, slow]) = fitted(pool).await;
    let path = format!("/v1/predictions?device={fast},{slow}");
    let (status, answer) = server.post_as("text/csv; charset=utf-8", &path, TIDY).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let predictions = answer["predictions"].as_array().unwrap();
    assert_eq!(predictions.len(), 6);
    assert_eq!(predictions[0]["name"], "product local n=64 (line 2)");
    assert_eq!(predictions[0]["measured_s"], 0.5);
    // It was measured on one of them, or elsewhere: it contradicts nobody.
    assert_eq!(predictions[0].get("measured_lies"), None);
    assert_close(&predictions[1]["time_s"], 2.0 * time(2500.0, 40.0));
    assert_eq!(predictions[2]["missing"], json!(["oclgrind:store_global"]));
    assert_eq!(predictions[2].get("measured_s"), None);
    assert!(
        predictions[4]["refusal"]
            .as_str()
            .unwrap()
            .ends_with("not empty"),
        "{answer}"
    );
}

/// The captured file of five launches that is in the parsers' tests.
const NCU: &str =
    include_str!("../../../profilers/tests/captured/ncu_2025.3_raw_h200_ptx_replay.csv.txt");

#[sqlx::test(migrations = "../migrations")]
async fn ncus_own_file_is_forecast_by_its_counters_and_geometry(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut batch = samples();
    for sample in &mut batch {
        let loads = sample["readings"]["oclgrind"]["counters"]["load_global"].clone();
        sample["readings"]["ncu"] = json!({ "counters": { "smsp__inst_executed.sum": loads } });
        sample["times"]["repetitions_s"] = json!([1e-6 * loads.as_f64().unwrap()]);
        let n = sample["workload"]["parameters"]["n"].as_i64().unwrap();
        sample["readings"]["launch"]["counters"]["work_groups"] = json!(1 + (n * 7) % 5);
    }
    server.fit(&batch).await;
    let (status, answer) = server.post_as("text/plain", "/v1/predictions", NCU).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let mm = &answer["predictions"][1];
    assert_eq!(mm["name"], "mm 1048576 work-items (line 12)");
    assert_eq!(mm["measured_s"], 358_304e-9);
    // It is an H200's, and the forecast is of another device.
    assert_eq!(mm.get("measured_lies"), None);
    assert_close(&mm["time_s"], 146.571_264);
    assert_eq!(
        mm["missing"],
        json!([]),
        "the geometry counts as launch:work_groups"
    );
    assert_eq!(answer["notes"][0]["line"], 11);
}

/// The captured file of `ncu --set full`.
const SET_FULL: &str =
    include_str!("../../../profilers/tests/captured/ncu_2025.3_raw_h200_set_full.csv.txt");

/// Its sections have no instructions by pipe, which the best model takes; warps follow from the launch's shape.
#[sqlx::test(migrations = "../migrations")]
async fn ncus_set_full_has_a_model_and_an_interval(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut batch = Vec::new();
    for kernel in 0..10_u32 {
        for groups in [1, 100, 800, 4000_u32] {
            let mut sample = crate::common::sample(kernel, groups);
            let warps = 8.0 * f64::from(groups);
            let instructions = warps * f64::from(kernel * 5 % 7 + 1) * 300.0;
            let by_pipe = instructions * f64::from(kernel * 3 % 5 + 1) / 5.0;
            let waves = f64::from(groups.div_ceil(132));
            let cycles = 3.0 * instructions / warps * waves / 8.0 + by_pipe / 2.0 / 132.0;
            sample["device"]["name"] = json!("NVIDIA H200");
            sample["times"]["repetitions_s"] = json!([5e-6 + 5e-10 * cycles]);
            sample["readings"] = json!({ "ncu": { "counters": {
                "smsp__inst_executed.sum": instructions,
                "smsp__warps_launched.sum": warps,
                "sm__ctas_launched.sum": groups,
                "launch__occupancy_limit_warps": 8,
                "smsp__inst_executed_pipe_alu.sum": by_pipe,
            } } });
            batch.push(sample);
        }
    }
    server.fit(&batch).await;
    let (status, answer) = server
        .post_as("text/csv", "/v1/predictions", SET_FULL)
        .await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    for forecast in answer["predictions"].as_array().unwrap() {
        assert_eq!(forecast["method"], "waves_forest_sections", "{forecast}");
        assert_eq!(forecast["missing"], json!([]), "{forecast}");
        assert!(forecast["interval"]["high_s"].is_number(), "{forecast}");
    }
    // Whether atomics are on one address no section tells.
    let mut atomics = batch[5]["readings"]["ncu"]["counters"].clone();
    atomics["smsp__inst_executed_pipe_alu.sum"].take();
    let atomics = atomics.as_object_mut().unwrap();
    atomics.retain(|_, value| !value.is_null());
    let reductions = "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum";
    for (requests, word) in [(0, "high"), (640, "low")] {
        atomics.insert(reductions.to_owned(), json!(requests));
        let set = json!({ "counters": { "ncu": atomics } });
        let forecast = server.forecast(&set).await;
        assert_eq!(forecast["method"], "waves_forest_sections", "{forecast}");
        let warned = forecast["warned"].to_string().contains("atomics_unplaced");
        assert_eq!(warned, word == "low", "{forecast}");
        assert_eq!(forecast["trust"]["word"], word, "{forecast}");
    }
    // Whoever has all is answered by a model of all.
    let all = &batch[5]["readings"]["ncu"]["counters"];
    let all = server
        .forecast(&json!({ "counters": { "ncu": all } }))
        .await;
    assert_ne!(all["method"], "waves_forest_sections", "{all}");
}

/// Models of ncu's counters have the launch's geometry among their columns, which ncu tells too.
#[sqlx::test(migrations = "../migrations")]
async fn ncus_counters_alone_have_an_interval(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut batch = Vec::new();
    for kernel in 0..10 {
        for n in 0..4 {
            let mut sample = crate::common::sample(kernel, n);
            let (groups, size) = (f64::from(8 + 3 * n + kernel), f64::from(64 + 32 * (n % 2)));
            let loads = f64::from(1000 * (n + 1) * (kernel + 2));
            sample["times"]["repetitions_s"] = json!([1e-5 + 1e-9 * loads + 1e-8 * groups * size]);
            sample["readings"] = json!({
                "launch": { "counters": { "work_groups": groups, "work_items": groups * size } },
                "ncu": { "counters": {
                    "smsp__inst_executed.sum": loads, "launch__grid_size": groups,
                    "launch__thread_count": groups * size, "sm__ctas_launched.sum": groups,
                } },
            });
            batch.push(sample);
        }
    }
    server.fit(&batch).await;
    let ncu = |more: Value| {
        let mut counters = json!({ "smsp__inst_executed.sum": 9000, "launch__thread_count": 1280 });
        let more = more.as_object().unwrap().clone();
        counters.as_object_mut().unwrap().extend(more);
        json!({ "counters": { "ncu": counters }, "method": "nnls" })
    };
    let whole = json!({ "launch__grid_size": 20, "sm__ctas_launched.sum": 20 });
    let by_ncu = server.forecast(&ncu(whole)).await;
    assert_eq!(by_ncu["provider"], "ncu", "{by_ncu}");
    assert_eq!(by_ncu["missing"], json!([]), "{by_ncu}");
    assert!(by_ncu["interval"]["high_s"].is_number(), "{by_ncu}");
    // The same as by the launch's own counters.
    let mut both = ncu(json!({ "sm__ctas_launched.sum": 20 }));
    both["counters"]["launch"] = json!({ "work_groups": 20, "work_items": 1280 });
    let both = server.forecast(&both).await;
    assert_eq!(by_ncu["time_s"], both["time_s"]);
    // What the device counted serves too.
    let counted = ncu(json!({ "sm__ctas_launched.sum": 20 }));
    let counted = server.forecast(&counted).await;
    assert_eq!(counted["time_s"], by_ncu["time_s"]);
    assert!(counted["interval"]["high_s"].is_number(), "{counted}");
    // Nothing says how many work-items there are.
    let mut silent = ncu(json!({ "sm__ctas_launched.sum": 20 }));
    let counters = silent["counters"]["ncu"].as_object_mut().unwrap();
    counters.remove("launch__thread_count");
    let silent = server.forecast(&silent).await;
    assert_eq!(silent["missing"], json!(["launch:work_items"]), "{silent}");
    assert_eq!(silent.get("interval"), None);
}

#[sqlx::test(migrations = "../migrations")]
async fn mistakes_in_a_file_are_named_by_line_and_column(pool: PgPool) {
    let (server, [fast, _]) = fitted(pool).await;
    let wrong = TIDY.replace("3000", "3,000");
    for (file, path, status, field) in [
        (
            TIDY.replace("2500", "much"),
            format!("?device={fast}"),
            422,
            Some("line 2, column oclgrind:load_global"),
        ),
        (
            TIDY.replace("time_s", "seconds"),
            String::new(),
            422,
            Some("line 1"),
        ),
        (TIDY.to_owned(), String::new(), 422, Some("device")),
        (
            TIDY.to_owned(),
            "?device=1,x".to_owned(),
            400,
            Some("device"),
        ),
        (
            TIDY.to_owned(),
            "?devices=1".to_owned(),
            400,
            Some("devices"),
        ),
        (wrong, String::new(), 422, None),
        ("hello\n".to_owned(), String::new(), 422, None),
        (String::new(), String::new(), 422, None),
    ] {
        let (answer_status, problem) = server
            .post_as("text/csv", &format!("/v1/predictions{path}"), file)
            .await;
        assert_eq!(answer_status.as_u16(), status, "{problem}");
        assert_eq!(problem["errors"][0]["field"].as_str(), field, "{problem}");
        assert!(
            problem["detail"].as_str().is_some_and(|it| !it.is_empty()),
            "{problem}"
        );
    }
    let (status, _) = server.post_as("text/html", "/v1/predictions", TIDY).await;
    assert_eq!(status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let request = json!({ "counters": { "oclgrind": { "load_global": 1 } } });
    let path = format!("/v1/predictions?device={fast}");
    let (_, problem) = server.post(&path, request.to_string()).await;
    assert_eq!(problem["errors"][0]["field"], "query", "{problem}");
}

/// The test has one thread: where it computed forecasts, nothing else would go on meanwhile.
#[sqlx::test(migrations = "../migrations")]
async fn many_forecasts_do_not_keep_other_requests_waiting(pool: PgPool) {
    let (server, [fast, slow]) = fitted(pool).await;
    let set = |loads: u32| json!({ "counters": { "oclgrind": { "load_global": loads, "store_global": 40 } } });
    // Fits are read before.
    let first = json!({ "counter_sets": [set(1)], "devices": [fast, slow] });
    server.forecasts(&first).await;
    let sets: Vec<Value> = (1..=5000).map(set).collect();
    let request = json!({ "counter_sets": sets, "devices": [fast, slow] }).to_string();
    let start = Instant::now();
    let ended = Cell::new(false);
    let watch = async {
        let (mut last, mut longest) = (Instant::now(), Duration::ZERO);
        while !ended.get() {
            tokio::time::sleep(Duration::from_millis(1)).await;
            longest = longest.max(last.elapsed());
            last = Instant::now();
        }
        longest
    };
    let request = async {
        let headers = Request::post("/v1/predictions").header("content-type", "application/json");
        let response = server
            .response(headers.body(Body::from(request)).unwrap())
            .await;
        assert_eq!(response.status(), StatusCode::OK);
        response.into_body().collect().await.unwrap();
        let took = start.elapsed();
        ended.set(true);
        took
    };
    let (took, longest) = tokio::join!(request, watch);
    assert!(
        longest < took / 2,
        "nothing else went on for {longest:?} of {took:?}"
    );
}
