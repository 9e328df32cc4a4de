//! What stands beside a forecast: its interval, where its time goes, the baseline, what speaks against it.

use crate::common::{
    Server, all_variants, assert_close,
    forecasts::{KERNELS, SIZES, USUAL, counters, fitted},
    number, with,
};
use axum::http::StatusCode;
use serde_json::{Value, json};
use sqlx::PgPool;

async fn forecast(server: &Server, wishes: Value) -> Value {
    let gpu = server.device("gpu").await;
    let question = json!({ "device": gpu, "counters": counters(USUAL) });
    server.forecast(&with(question, &wishes)).await
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
    let least_covered = level * rows.len() as f64 - 1e-9;
    let place = (1..=ranks.len()).find(|&rows| rows as f64 >= least_covered);
    let rank = ranks[place.unwrap() - 1];
    scores[rank.min(scores.len() - 1)].0.exp()
}

#[sqlx::test(migrations = "../migrations")]
async fn an_interval_comes_from_the_errors_of_kernels_left_out(pool: PgPool) {
    let server = fitted(pool).await;
    let forecast = forecast(&server, json!({})).await;
    let expected = factor(&server, &forecast["model"], 0.9).await;
    let time = number(&forecast["time_s"]);
    let interval = &forecast["interval"];
    assert_eq!(interval["level"], 0.9);
    assert_close(&interval["high_s"], time * expected);
    assert_close(&interval["low_s"], time / expected);
    assert_eq!(forecast.get("no_interval"), None);
    let models = server.items("/v1/models?provider=oclgrind").await;
    let coverage = &all_variants(&models, "nnls")["coverage"];
    let of = (&coverage["level"], &coverage["n"]);
    assert_eq!(of, (&json!(0.9), &json!(KERNELS * SIZES)));
    assert!(
        (0.0..=1.0).contains(&number(&coverage["covered"])),
        "{coverage}"
    );
    assert!(number(&coverage["typical_factor"]) >= 1.0, "{coverage}");
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
        assert_close(&forecast["time_s"], whole);
        if explanation["form"] == "costs" {
            assert!(
                shares.iter().all(|share| number(&share["time_s"]) > 0.0),
                "{forecast}"
            );
        }
    }
    // Costs: what a counter's events cost each, times the events.
    let forecast = forecast(&server, json!({ "method": "nnls" })).await;
    let model = server.model(&forecast["model"]).await;
    assert_eq!(model["fit"]["form"], "costs");
    assert_eq!(model["fit"]["exponent"], 1.0);
    let shares = forecast["explanation"]["shares"].as_array().unwrap();
    for coefficient in model["fit"]["coefficients"].as_array().unwrap() {
        let counter = coefficient["counter"].as_str().unwrap();
        let (provider, name) = counter.split_once(':').unwrap();
        let events = number(&counters(USUAL)[provider][name]);
        let share = shares.iter().find(|it| it["counter"] == counter);
        assert_close(
            &share.unwrap()["time_s"],
            number(&coefficient["per_event"]) * events,
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
            { "counter": "launch:work_groups", "value": 8.0, "min": 16.0, "max": 192.0, "times": 0.5 },
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
async fn the_address_has_the_wishes_of_a_file(pool: PgPool) {
    let server = fitted(pool).await;
    let gpu = server.device("gpu").await;
    let file =
        "device,kernel,variant,time_s,oclgrind:load_global,oclgrind:store_global,launch:work_groups
A,sum,global,,2500,400,48
";
    let post = async |query: &str| {
        let path = format!("/v1/predictions?device={gpu}&{query}");
        server.post_as("text/csv", &path, file).await
    };
    for (query, field) in [
        ("method=magic", "method"),
        // Which older servers took.
        ("level=0.5", "level"),
    ] {
        let (_, problem) = post(query).await;
        assert_eq!(problem["errors"][0]["field"], field, "{problem}");
    }
    let (status, answer) = post("method=nnls").await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let forecast = &answer["predictions"][0];
    assert_eq!(forecast["method"], "nnls");
}
