//! What stands beside a forecast: its interval, where its time goes, the baseline, what speaks against it.

use crate::common::{Server, all_variants, number, sample};
use axum::http::StatusCode;
use serde_json::{Value, json};
use sqlx::PgPool;

/// Ten kernels of three sizes, whose times loads and stores explain but for a fifth.
async fn fitted(pool: PgPool) -> Server {
    let server = Server::new(pool).await;
    let sizes = |kernel| (0..3).map(move |n| (kernel, n));
    let batch = (0..10).flat_map(sizes).map(|(kernel, n)| {
        let mut sample = sample(kernel, n);
        let (loads, stores) = (1000 * (n + 1) * (1 + kernel % 3), 100 * (kernel * n + 1));
        sample["readings"]["oclgrind"]["counters"] =
            json!({ "load_global": loads, "store_global": stores });
        let off = 1.0 + 0.02 * f64::from((7 * kernel + 3 * n) % 11);
        let time = 1e-6 * f64::from(loads) + 3e-6 * f64::from(stores) + 1e-5;
        sample["times"]["repetitions_s"] = json!([off * time]);
        sample
    });
    server.upload(&batch.collect::<Vec<_>>()).await;
    server.fitted().await;
    server
}

fn counters() -> Value {
    json!({ "oclgrind": { "load_global": 2500, "store_global": 400 }, "launch": { "work_groups": 16 } })
}

async fn forecast(server: &Server, wishes: Value) -> Value {
    let mut request = wishes;
    if request.get("counters").is_none() {
        request["counters"] = counters();
    }
    let (status, answer) = server.post("/v1/predictions", request.to_string()).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer["predictions"][0].clone()
}

/// The factor of an interval by its definition, from a stored hold-out whose kernels have three rows each. A
/// row's rank, in rows: those of other kernels that are less off, and its own kernel's three. The factor is the
/// first error above the rank that `level` of the rows do not exceed.
async fn factor(server: &Server, model: &Value, level: f64) -> f64 {
    let path = format!("/v1/models/{}/validation", model.as_str().unwrap());
    let (_, validation) = server.get(&path).await;
    let hold_outs = validation["hold_outs"].as_array().unwrap();
    let by_kernel = hold_outs.iter().find(|it| it["key"] == "kernel").unwrap();
    let score = |row: &Value| {
        (number(&row["predicted"]) / number(&row["measured"]))
            .ln()
            .abs()
    };
    let rows = by_kernel["rows"].as_array().unwrap();
    let mut scores: Vec<(f64, &Value)> = rows.iter().map(|it| (score(it), &it["kernel"])).collect();
    scores.sort_by(|a, b| a.0.total_cmp(&b.0));
    let less_off = |(score, kernel): &(f64, &Value)| {
        let others = scores.iter().filter(|(_, other)| other != kernel);
        others.filter(|(other, _)| other < score).count()
    };
    let mut ranks: Vec<usize> = scores.iter().map(|row| less_off(row) + 3).collect();
    ranks.sort_unstable();
    let wanted = level * rows.len() as f64 - 1e-9;
    let place = (1..=ranks.len()).find(|&rows| rows as f64 >= wanted);
    let rank = ranks[place.unwrap() - 1];
    scores[rank.min(scores.len() - 1)].0.exp()
}

#[sqlx::test(migrations = "../migrations")]
async fn an_interval_comes_from_the_errors_of_kernels_left_out(pool: PgPool) {
    let server = fitted(pool).await;
    for (wishes, level) in [(json!({}), 0.9), (json!({ "level": 0.5 }), 0.5)] {
        let forecast = forecast(&server, wishes).await;
        let expected = factor(&server, &forecast["model"], level).await;
        let time = number(&forecast["time_s"]);
        let interval = &forecast["interval"];
        assert_eq!(interval["level"], level);
        assert!((number(&interval["high_s"]) / time / expected - 1.0).abs() < 1e-9);
        assert!((time / number(&interval["low_s"]) / expected - 1.0).abs() < 1e-9);
        assert_eq!(forecast.get("no_interval"), None);
    }
    let models = server.items("/v1/models?provider=oclgrind").await;
    let coverage = &all_variants(&models, "nnls")["coverage"];
    assert_eq!(
        (&coverage["level"], &coverage["n"]),
        (&json!(0.9), &json!(30))
    );
    assert!(
        (0.0..=1.0).contains(&number(&coverage["covered"])),
        "{coverage}"
    );
    assert!(number(&coverage["typical_factor"]) >= 1.0, "{coverage}");
}

#[sqlx::test(migrations = "../migrations")]
async fn where_there_is_no_interval_the_answer_says_why(pool: PgPool) {
    let server = fitted(pool).await;
    let few = forecast(&server, json!({ "level": 0.99 })).await;
    assert_eq!(few.get("interval"), None);
    let why = few["no_interval"].as_str().unwrap();
    assert!(
        why.contains("regions of kernels, (10)") && why.contains("99 are needed"),
        "{why}"
    );

    let lacking = json!({ "counters": { "oclgrind": { "load_global": 2500 } }, "method": "nnls" });
    let lacking = forecast(&server, lacking).await;
    assert_eq!(lacking.get("interval"), None);
    let why = lacking["no_interval"].as_str().unwrap();
    assert!(why.contains("counters are missing"), "{why}");

    let of = |launches: u32| {
        let mut counters = counters();
        counters["launch"]["launches"] = json!(launches);
        json!({ "counters": counters })
    };
    let one = forecast(&server, of(1)).await;
    assert!(one["interval"]["high_s"].is_number(), "{one}");
    let several = forecast(&server, of(10)).await;
    assert_eq!(several.get("interval"), None);
    let why = several["no_interval"].as_str().unwrap();
    assert!(why.contains("the counters are of 10 launches"), "{why}");
    assert!(
        several["warnings"]
            .as_array()
            .unwrap()
            .contains(&json!(why))
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn a_forecast_says_where_its_time_goes(pool: PgPool) {
    let server = fitted(pool).await;
    let models = server.items("/v1/models?provider=oclgrind").await;
    for method in ["nnls", "ols", "per_worker", "forest"] {
        let forecast = forecast(&server, json!({ "method": method })).await;
        assert_eq!(
            (&forecast["method"], &forecast["provider"]),
            (&json!(method), &json!("oclgrind"))
        );
        assert_eq!(forecast["model"], all_variants(&models, method)["id"]);
        let explanation = &forecast["explanation"];
        let shares = explanation["shares"].as_array().unwrap();
        let sum: f64 = shares.iter().map(|share| number(&share["time_s"])).sum();
        let whole = sum + number(&explanation["rest_s"]);
        assert!(
            (whole / number(&forecast["time_s"]) - 1.0).abs() < 1e-9,
            "{forecast}"
        );
        if explanation["form"] == "costs" {
            assert!(
                shares.iter().all(|share| number(&share["time_s"]) > 0.0),
                "{forecast}"
            );
        }
    }
    // Costs: what a counter's events cost each, times the events.
    let forecast = forecast(&server, json!({ "method": "nnls" })).await;
    let (_, model) = server
        .get(&format!(
            "/v1/models/{}",
            forecast["model"].as_str().unwrap()
        ))
        .await;
    assert_eq!(model["fit"]["form"], "costs");
    assert_eq!(model["fit"]["exponent"], 1.0);
    for coefficient in model["fit"]["coefficients"].as_array().unwrap() {
        let (provider, name) = coefficient["counter"]
            .as_str()
            .unwrap()
            .split_once(':')
            .unwrap();
        let expected = number(&coefficient["per_event"]) * number(&counters()[provider][name]);
        let shares = forecast["explanation"]["shares"].as_array().unwrap();
        let share = shares
            .iter()
            .find(|it| it["counter"] == coefficient["counter"])
            .unwrap();
        assert!(
            (number(&share["time_s"]) / expected - 1.0).abs() < 1e-9,
            "{share}"
        );
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn the_papers_method_stands_beside_every_other(pool: PgPool) {
    let server = fitted(pool).await;
    let papers = forecast(&server, json!({ "method": "ols" })).await;
    assert_eq!(papers.get("baseline"), None);
    for method in ["nnls", "forest"] {
        let other = forecast(&server, json!({ "method": method })).await;
        let baseline = &other["baseline"];
        for same in [
            "model",
            "time_s",
            "leave_one_kernel_out_mean_ape",
            "missing",
        ] {
            assert_eq!(baseline[same], papers[same], "{same}");
        }
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn counters_outside_what_was_seen_are_named_with_how_far(pool: PgPool) {
    let server = fitted(pool).await;
    // Loads were 1,000 to 9,000.
    let far = json!({ "oclgrind": { "load_global": 18_000, "store_global": 400 }, "launch": { "work_groups": 8 } });
    let forecast = forecast(&server, json!({ "counters": far, "method": "nnls" })).await;
    assert_eq!(
        forecast["outside"],
        json!([
            { "counter": "oclgrind:load_global", "value": 18_000.0, "min": 1000.0, "max": 9000.0, "times": 2.0 },
            { "counter": "launch:work_groups", "value": 8.0, "min": 16.0, "max": 16.0, "times": 0.5 },
        ])
    );
    let warnings = forecast["warnings"].to_string();
    assert!(
        warnings.contains("outside the 1000 to 9000 that the model has seen"),
        "{warnings}"
    );
    // A little more than ever makes no difference.
    let near = json!({ "oclgrind": { "load_global": 9_500, "store_global": 400 }, "launch": { "work_groups": 16 } });
    let forecast = self::forecast(&server, json!({ "counters": near, "method": "nnls" })).await;
    assert_eq!(forecast["outside"][0]["counter"], "oclgrind:load_global");
    let warnings = forecast["warnings"].to_string();
    assert!(!warnings.contains("outside"), "{warnings}");
}

#[sqlx::test(migrations = "../migrations")]
async fn wishes_that_make_no_sense_are_refused(pool: PgPool) {
    let server = fitted(pool).await;
    let models = server.items("/v1/models?provider=oclgrind").await;
    let model = &models[0]["id"];
    for (mut request, field) in [
        (json!({ "method": "magic" }), "/method"),
        (json!({ "method": "nnls", "model": model }), "/method"),
        (json!({ "level": 0 }), "/level"),
        (json!({ "level": 1 }), "/level"),
        (json!({ "level": -0.5 }), "/level"),
        (json!({ "level": 90 }), "/level"),
    ] {
        request["counters"] = counters();
        let (status, problem) = server.post("/v1/predictions", request.to_string()).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        assert_eq!(problem["errors"][0]["field"], field, "{problem}");
    }
    let file = "device,kernel,variant,time_s,oclgrind:load_global,oclgrind:store_global\nA,sum,global,,2500,400\n";
    for (query, field) in [
        ("method=magic", "method"),
        ("level=2", "level"),
        ("level=NaN", "level"),
    ] {
        let path = format!("/v1/predictions?{query}");
        let (_, problem) = server.post_as("text/csv", &path, file).await;
        assert_eq!(problem["errors"][0]["field"], field, "{problem}");
    }
    let path = "/v1/predictions?method=nnls&level=0.5";
    let (status, answer) = server.post_as("text/csv", path, file).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let forecast = &answer["predictions"][0];
    assert_eq!(
        (&forecast["method"], &forecast["interval"]["level"]),
        (&json!("nnls"), &json!(0.5))
    );
}
