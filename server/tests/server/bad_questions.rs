//! Deliberately bad questions: no answer that is off by more than its interval comes without a mark.

use crate::common::{
    Server, all_variants,
    forecasts::{
        KERNELS, SIZES, USUAL, all_of, counters, counts, fitted, forecast_once, measured, truth,
        warnings, with_ceilings,
    },
    number, run, with,
};
use axum::http::StatusCode;
use serde_json::{Value, json};
use sqlx::PgPool;

/// A question, the true time in seconds where it has one, and some words of a warning or of why there is no interval;
/// nothing where the interval is right.
type Question = (Value, Option<f64>, &'static str);

fn questions(gpu: i64, cpu: i64) -> Vec<Question> {
    let ask = |counts| json!({ "device": gpu, "counters": counters(counts) });
    let usual = |more: Value| with(ask(USUAL), &more);
    let among = |more: Value| json!({ "device": gpu, "counter_sets": [with(json!({ "counters": counters(USUAL) }), &more)] });
    let only = |counters: Value| json!({ "device": gpu, "counters": counters });
    let time = truth(USUAL);
    let far = [
        [1e5, 400.0, 48.0],
        [1e9, 400.0, 48.0],
        [2500.0, 1e6, 48.0],
        [2500.0, 1e12, 48.0],
        [1e5, 1e5, 48.0],
        [1e15, 1e15, 1e9],
        [1.0, 400.0, 48.0],
        [2500.0, 1.0, 48.0],
        [0.0, 0.0, 48.0],
        [0.5, 0.5, 1.0],
    ];
    let far = far.map(|counts| (ask(counts), Some(truth(counts)), "extrapolation"));
    let edges = [
        [9000.0, 3400.0, 192.0],
        [1000.0, 3400.0, 16.0],
        [9000.0, 100.0, 16.0],
    ];
    let edges = edges.map(|counts| (ask(counts), Some(truth(counts)), ""));
    let lacking = [
        json!({ "oclgrind": { "load_global": 2500 } }),
        json!({ "oclgrind": { "store_global": 400 } }),
        json!({ "oclgrind": { "load_global": 2500 }, "launch": { "work_groups": 48 } }),
    ];
    let says = "no interval: counters are missing";
    let lacking = lacking.map(|counters| (only(counters), None, says));
    let launches = [(2, "are of 2 launches"), (1000, "are of 1000 launches")];
    let launches = launches.map(|(n, says)| {
        let counters = json!({ "counters": { "launch": { "launches": n } } });
        (usual(counters), Some(f64::from(n) * time), says)
    });
    let outside = "lies outside the 90 % interval";
    let measured = [(606.0, outside), (2.0, outside), (0.01, outside), (1.1, "")];
    let measured = measured.map(|(factor, says)| {
        let measured = json!({ "measured": { "device": gpu, "time_s": factor * time } });
        (among(measured), Some(factor * time), says)
    });
    let others = questions_of_others(gpu, cpu);
    let tables: [&[Question]; 6] = [&far, &edges, &lacking, &launches, &measured, &others];
    tables.concat()
}

/// Questions about the CPU, by the paper's method, and about the GPU's limits.
fn questions_of_others(gpu: i64, cpu: i64) -> Vec<Question> {
    let ask = |counts| json!({ "device": gpu, "counters": counters(counts) });
    let usual = |more: Value| with(ask(USUAL), &more);
    let across = |more: Value| with(usual(json!({ "device": cpu, "counted_on": gpu })), &more);
    let time = truth(USUAL);
    let slow = Some(4.0 * time);
    let with_count = |provider: &str, name: &str, count: f64| {
        let mut question = ask(USUAL);
        question["counters"][provider][name] = json!(count);
        question
    };
    let impossible = "no interval: the model is wrong about this kernel";
    let sectors = "distinct_read_sectors";
    vec![
        // Counters of the wrong device, and none but the geometry.
        (
            usual(json!({ "device": cpu })),
            slow,
            "no counter of oclgrind is used",
        ),
        (
            json!({ "device": cpu, "counters": { "launch": { "work_groups": 48 } } }),
            slow,
            "no interval: the forecast knows only the launch's geometry",
        ),
        // From another device: a time that is wrong, and counters that are.
        (across(json!({})), slow, ""),
        (
            across(json!({ "time_s": 10.0 * time })),
            slow,
            "models disagree",
        ),
        (across(json!({ "time_s": 9e5 })), slow, "models disagree"),
        (
            across(json!({ "counters": counters([1e9, 400.0, 48.0]) })),
            None,
            "extrapolation",
        ),
        // Forecasts at or below 0, by the paper's method.
        (
            with(ask([0.0, 0.0, 48.0]), &json!({ "method": "ols" })),
            Some(1e-5),
            "extrapolation",
        ),
        (
            with(ask([1e9, 1e9, 48.0]), &json!({ "method": "ols" })),
            None,
            "extrapolation",
        ),
        // All that the device has.
        (
            with_count("launch", "work_group_size", 1024.0),
            Some(time),
            "",
        ),
        // More than the device's ceilings allow in the time that the model says; and bytes that a cache may hold.
        (with_count("oclgrind", "fmul", 1e12), Some(1.0), impossible),
        (
            with_count("analysis", sectors, 1e12 / 32.0),
            Some(1.0 / 1.09),
            impossible,
        ),
        (with_count("analysis", sectors, 1e6), Some(time), ""),
    ]
}

#[sqlx::test(migrations = "../migrations")]
async fn no_bad_question_gets_a_wrong_answer_without_a_mark(pool: PgPool) {
    let server = fitted(pool).await;
    let (gpu, cpu) = (server.device("gpu").await, server.device("cpu").await);
    with_ceilings(&server).await;
    for (question, truth, says) in questions(gpu, cpu) {
        let forecast = server.forecast(&question).await;
        let why = forecast["no_interval"].as_str().unwrap_or_default();
        let marks = format!("{} no interval: {why}", warnings(&forecast));
        assert!(marks.contains(says), "{question}, {says}: {forecast}");
        let interval = &forecast["interval"];
        let holds = |truth: f64| {
            number(&interval["low_s"]) <= truth && truth <= number(&interval["high_s"])
        };
        let is_right = interval.is_object() && truth.is_none_or(holds);
        let is_calm = forecast["warnings"] == json!([]) && why.is_empty();
        assert!(
            is_right || !is_calm,
            "{question}: wrong and calm: {forecast}"
        );
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn a_measured_time_outside_the_interval_is_an_alarm(pool: PgPool) {
    let server = fitted(pool).await;
    let (gpu, cpu) = (server.device("gpu").await, server.device("cpu").await);
    for (factor, lies) in [(1.1, "within"), (606.0, "above"), (0.01, "below")] {
        let time = factor * truth(USUAL);
        let set =
            json!({ "counters": counters(USUAL), "measured": { "device": gpu, "time_s": time } });
        let request = json!({ "devices": [gpu, cpu], "counter_sets": [set] });
        let forecasts = server.forecasts(&request).await;
        let (own, other) = (&forecasts[0], &forecasts[1]);
        assert_eq!(own["measured_s"], json!(time), "{own}");
        assert_eq!(own["measured_lies"], lies, "{own}");
        let alarm = own["warnings"][0].as_str().unwrap_or_default();
        assert_eq!(
            alarm.contains("lies outside the 90 % interval"),
            lies != "within",
            "{own}"
        );
        // It was measured on the other one.
        assert_eq!(other.get("measured_s"), None, "{other}");
        assert_eq!(other.get("measured_lies"), None, "{other}");
    }
    let header = "device,kernel,variant,time_s,oclgrind:load_global,oclgrind:store_global,launch:work_groups";
    let file = format!("{header}\ngpu,mine,global,0.9,2500,400,48\n");
    let path = format!("/v1/predictions?device={gpu}");
    let (status, answer) = server.post_as("text/csv", &path, file).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_eq!(
        answer["predictions"][0]["measured_lies"], "above",
        "{answer}"
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn trust_is_one_word(pool: PgPool) {
    let server = fitted(pool).await;
    let gpu = server.device("gpu").await;
    let trust = async |factor: f64| {
        let measured = json!({ "device": gpu, "time_s": factor * truth(USUAL) });
        let set = json!({ "counters": counters(USUAL), "measured": measured });
        let request = json!({ "device": gpu, "counter_sets": [set] });
        let answer = server.forecast(&request).await;
        let [word, why] =
            ["word", "why"].map(|it| answer["trust"][it].as_str().unwrap().to_owned());
        (word, why)
    };
    let (word, why) = trust(1.0).await;
    assert_eq!(word, "high", "{why}");
    assert!(why.starts_with("90 % of forecasts like this one"), "{why}");
    let (word, why) = trust(606.0).await;
    assert_eq!(word, "none", "{why}");
    assert!(why.contains("the measured time lies outside"), "{why}");
    let far = json!({ "device": gpu, "counters": counters([1e9, 400.0, 48.0]) });
    let far = server.forecast(&far).await;
    assert_eq!(far["trust"]["word"], "low", "{far}");
    assert!(warnings(&far).contains("extrapolation"), "{far}");
}

#[sqlx::test(migrations = "../migrations")]
async fn a_fit_that_misses_what_it_has_seen_says_so(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut batch = all_of("gpu");
    // One workload does something that its counters do not tell.
    let odd = json!([100.0 * truth(counts(5, 1))]);
    let place = usize::try_from(5 * SIZES + 1).unwrap();
    batch[place]["times"]["repetitions_s"] = odd;
    server.fit(&batch).await;
    let models = server.items("/v1/models?provider=oclgrind").await;
    let warnings = all_variants(&models, "per_worker")["warnings"].to_string();
    assert!(
        warnings.contains("though the fit has seen them; the farthest: kernel_5 (measured"),
        "{warnings}"
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn counters_that_were_given_are_used_though_geometry_alone_errs_less(pool: PgPool) {
    let server = fitted(pool.clone()).await;
    // As where a suite's kernels do alike, and Oclgrind tells little of what they do.
    let erring = "UPDATE hold_out_errors SET factor = CASE provider WHEN 'launch' THEN 1.01 ELSE 2 * factor END
        FROM models WHERE id = model_id AND hold_out_errors.kernel = ''";
    run(&pool, erring).await;
    let gpu = server.device("gpu").await;
    let request = json!({ "device": gpu, "counters": counters(USUAL) });
    let answer = server.forecast(&request).await;
    assert_eq!(answer["provider"], "oclgrind", "{answer}");
    let others = answer["others"].as_array().unwrap();
    assert!(
        others.iter().any(|it| it["provider"] == "launch"),
        "{answer}"
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn where_models_disagree_the_answer_says_so_and_holds_them_all(pool: PgPool) {
    let server = fitted(pool).await;
    let gpu = server.device("gpu").await;
    // Trees know no more loads than they have seen.
    let ask = |loads: f64| json!({ "device": gpu, "method": "forest", "counters": counters([loads, 400.0, 48.0]) });
    let calm = server.forecast(&ask(2500.0)).await;
    assert_eq!(calm["others"].as_array().unwrap().len(), 3, "{calm}");
    assert!(!warnings(&calm).contains("disagree"), "{calm}");
    for other in calm["others"].as_array().unwrap() {
        assert_eq!(other["disagrees"], false, "{other}");
        assert_ne!(other["model"], calm["model"]);
    }
    let far = server.forecast(&ask(1e7)).await;
    let [low, high] = ["low_s", "high_s"].map(|end| number(&far["interval"][end]));
    let mut disagree = 0;
    for other in far["others"].as_array().unwrap() {
        let time = number(&other["time_s"]);
        if other["disagrees"] == true {
            disagree += 1;
            assert!(low <= time && time <= high, "{far}");
            let named = other["method"].as_str().unwrap();
            assert!(warnings(&far).contains(named), "{far}");
        }
    }
    assert_eq!(
        warnings(&far).contains("models disagree"),
        disagree > 0,
        "{far}"
    );
    assert!(disagree > 0, "{far}");
}

#[sqlx::test(migrations = "../migrations")]
async fn an_answer_says_which_fits_are_pending(pool: PgPool) {
    let server = fitted(pool).await;
    let (gpu, cpu) = (server.device("gpu").await, server.device("cpu").await);
    let request = json!({ "device": gpu, "counters": counters(USUAL) });
    let calm = server.forecast(&request).await;
    assert_eq!(calm.get("pending"), None, "{calm}");
    server.stop_fitting();
    server.upload(&[measured("gpu", KERNELS, 1)]).await;
    // What is kept is dropped once the database has told of the job.
    let answer = forecast_once(&server, &request, "pending", true).await;
    assert_eq!(answer["trust"]["word"], "low", "{answer}");
    let pending = answer["pending"].as_array().unwrap();
    assert_eq!(pending.len(), 2, "{answer}");
    assert!(
        warnings(&answer).contains("fits from counters of launch, oclgrind are pending"),
        "{answer}"
    );
    // Whoever names a model gets that one, whatever comes.
    let named = json!({ "counters": request["counters"], "model": answer["model"] });
    assert_eq!(server.forecast(&named).await.get("pending"), None);
    // The fits of the pair come after them.
    let across = json!({ "device": cpu, "counted_on": gpu, "counters": request["counters"] });
    let across = server.forecast(&across).await;
    let pending = across["pending"].as_array().unwrap();
    assert!(
        pending.iter().all(|it| it["device"] == json!(gpu)),
        "{across}"
    );
    assert_eq!(pending.len(), 2, "{across}");
    // A refusal may be one only for now.
    let none = json!({ "device": gpu, "counters": { "oclgrind": { "branches": 1 } } });
    let problem = server.refuses("/v1/predictions", &none, "/counters").await;
    let expected = problem["errors"][0]["expected"].as_str().unwrap();
    assert!(
        expected.contains("fits from counters of oclgrind are pending"),
        "{problem}"
    );

    let pending = server.attention("fits_pending").await;
    assert_eq!(pending.len(), 1, "{pending:?}");
    assert_eq!(pending[0]["device"], json!(gpu));
    let detail = pending[0]["detail"].as_str().unwrap();
    assert!(
        detail.contains("from its counters of oclgrind, launch"),
        "{detail}"
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn a_misspelt_counter_is_named(pool: PgPool) {
    let server = fitted(pool).await;
    let gpu = server.device("gpu").await;
    let mut request = json!({ "device": gpu, "counters": counters(USUAL) });
    let meant = "Did you mean `ncu:dram__sectors_read.sum`?";
    request["counters"]["ncu"] = json!({ "dram__sectors_read": 5 });
    let answer = server.forecast(&request).await;
    assert!(warnings(&answer).contains(meant), "{answer}");
    request["counters"]["ncu"] = json!({ "dram__sector_read.sum": 5, "own.sum": 7 });
    let answer = server.forecast(&request).await;
    assert!(warnings(&answer).contains(meant), "{answer}");
    assert_eq!(answer["trust"]["word"], "low", "{answer}");
    assert!(
        !warnings(&answer).contains("own.sum is no counter"),
        "{answer}"
    );
}
