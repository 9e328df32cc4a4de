//! Deliberately bad questions: no answer that is off by more than its interval comes without a mark.

use crate::common::{Server, all_variants, ceilings, number, sample};
use axum::http::StatusCode;
use serde_json::{Value, json};
use sqlx::PgPool;

const KERNELS: u32 = 12;
const SIZES: u32 = 3;

/// Loads, stores and work-groups.
fn counts(kernel: u32, n: u32) -> [f64; 3] {
    let loads = 1000 * (n + 1) * (1 + kernel % 3);
    let stores = 100 * (kernel * n + 1);
    [loads, stores, 16 * (n + 1) * (1 + kernel % 4)].map(f64::from)
}

/// Seconds on the device `gpu`; `cpu` takes four times as long.
fn truth([loads, stores, _]: [f64; 3]) -> f64 {
    1e-5 + 1e-6 * loads + 3e-6 * stores
}

fn set([loads, stores, groups]: [f64; 3]) -> Value {
    json!({
        "oclgrind": { "load_global": loads, "store_global": stores },
        "launch": { "work_groups": groups },
    })
}

fn measured(device: &str, kernel: u32, n: u32) -> Value {
    let mut sample = sample(kernel, n);
    let counts = counts(kernel, n);
    let off = 1.0 + 0.02 * f64::from((7 * kernel + 3 * n) % 11);
    let times = if device == "gpu" { 1.0 } else { 4.0 };
    sample["device"]["name"] = json!(device);
    if device == "gpu" {
        sample["device"]["kind"] = json!("gpu");
        sample["device"]["max_work_group_size"] = json!(1024);
        sample["device"]["local_memory_bytes"] = json!(49_152);
        sample["device"]["global_memory_bytes"] = json!(1_u64 << 32);
    }
    sample["workload"]["variant"] = json!("global");
    sample["times"]["repetitions_s"] = json!([times * off * truth(counts)]);
    sample["readings"] = json!({});
    for (provider, counters) in set(counts).as_object().unwrap() {
        // Only the GPU's are counted.
        if device == "gpu" || provider == "launch" {
            sample["readings"][provider] = json!({ "counters": counters });
        }
    }
    sample
}

async fn fitted(pool: PgPool) -> Server {
    let server = Server::new(pool).await;
    let all = ["gpu", "cpu"].into_iter().flat_map(|device| {
        (0..KERNELS)
            .flat_map(move |kernel| (0..SIZES).map(move |size| measured(device, kernel, size)))
    });
    server.upload(&all.collect::<Vec<_>>()).await;
    server.fitted().await;
    server
}

/// The GPU does 10¹² operations and moves 10¹² bytes a second.
async fn with_ceilings(server: &Server) {
    let mut new = ceilings("2026-11-01T12:00:00Z");
    new["device"]["name"] = json!("gpu");
    new["device"]["kind"] = json!("gpu");
    new["ceilings"] = json!({ "fp32_flop_per_s": 1e12, "copy_bytes_per_s": 1e12 });
    let (status, said) = server.post("/v1/ceilings", new.to_string()).await;
    assert!(status.is_success(), "{said}");
}

async fn id(server: &Server, device: &str) -> i64 {
    let devices = server.items("/v1/devices").await;
    let found = devices.iter().find(|it| it["name"] == device);
    found.unwrap()["id"].as_i64().unwrap()
}

async fn forecast(server: &Server, request: &Value) -> Value {
    let (status, answer) = server.post("/v1/predictions", request.to_string()).await;
    assert_eq!(status, StatusCode::OK, "{request}: {answer}");
    answer["predictions"][0].clone()
}

fn warnings(forecast: &Value) -> String {
    forecast["warnings"].to_string()
}

/// A question, the true time in seconds where it has one, and what has to be said: a field that is wrong where it
/// begins with `/`, else some words of a warning or of why there is no interval; nothing where the interval is right.
type Question = (&'static str, Value, Option<f64>, &'static str);

fn questions(gpu: i64, cpu: i64) -> Vec<Question> {
    let ask = |counts: [f64; 3]| json!({ "device": gpu, "counters": set(counts) });
    let with = |mut request: Value, field: &str, value: Value| {
        request[field] = value;
        request
    };
    let usual = [2500.0, 400.0, 48.0];
    let only = |counters: Value| json!({ "device": gpu, "counters": { "oclgrind": counters } });
    let sets = |fields: Value| {
        let mut one = json!({ "counters": set(usual) });
        one.as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        json!({ "device": gpu, "counter_sets": [one] })
    };
    let time = truth(usual);
    let took =
        |factor: f64| sets(json!({ "measured": { "device": gpu, "time_s": factor * time } }));
    let by = |method: &str, counts| with(ask(counts), "method", json!(method));
    let launches = |n: u32| {
        let mut request = ask(usual);
        request["counters"]["launch"]["launches"] = json!(n);
        request
    };
    let needs = |name: &str, number: i64| {
        let mut request = ask(usual);
        request["counters"]["launch"][name] = json!(number);
        request
    };
    let with_count = |provider: &str, name: &str, count: f64| {
        let mut request = ask(usual);
        request["counters"][provider][name] = json!(count);
        request
    };
    let across = |fields: Value| {
        let mut request = json!({ "device": cpu, "counted_on": gpu, "counters": set(usual) });
        request
            .as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        request
    };
    let far = |counts: [f64; 3], says| ("far outside", ask(counts), Some(truth(counts)), says);
    let slow = Some(4.0 * time);
    vec![
        // Counters that nobody counted, by a model that has learnt from counted ones.
        (
            "foreseen counters",
            sets(json!({ "foreseen": ["oclgrind"] })),
            Some(time),
            "foreseen from the source",
        ),
        (
            "foreseen counters of nobody",
            sets(json!({ "foreseen": ["ncu"] })),
            None,
            "/counter_sets/0/foreseen/0",
        ),
        // An own kernel, far outside what was measured.
        far([1e5, 400.0, 48.0], "extrapolation"),
        far([1e9, 400.0, 48.0], "extrapolation"),
        far([2500.0, 1e6, 48.0], "extrapolation"),
        far([2500.0, 1e12, 48.0], "extrapolation"),
        far([1e5, 1e5, 48.0], "extrapolation"),
        far([1e15, 1e15, 1e9], "extrapolation"),
        far([1.0, 400.0, 48.0], "extrapolation"),
        far([2500.0, 1.0, 48.0], "extrapolation"),
        far([0.0, 0.0, 48.0], "extrapolation"),
        far([0.5, 0.5, 1.0], "extrapolation"),
        far([9000.0, 3400.0, 192.0], ""),
        far([1000.0, 3400.0, 16.0], ""),
        far([9000.0, 100.0, 16.0], ""),
        // Missing counters.
        (
            "no stores",
            only(json!({ "load_global": 2500 })),
            None,
            "no interval: counters are missing",
        ),
        (
            "no loads",
            only(json!({ "store_global": 400 })),
            None,
            "no interval: counters are missing",
        ),
        (
            "other counters",
            only(json!({ "branches": 7 })),
            None,
            "/counters",
        ),
        ("no counter", only(json!({})), None, "/counters"),
        (
            "no provider",
            json!({ "device": gpu, "counters": {} }),
            None,
            "/counters",
        ),
        (
            "the geometry alone",
            json!({ "device": gpu, "counters": { "launch": { "work_groups": 48 } } }),
            None,
            "/counters",
        ),
        (
            "the geometry alone, where nothing else was counted",
            json!({ "device": cpu, "counters": { "launch": { "work_groups": 48 } } }),
            slow,
            "no interval: the forecast knows only the launch's geometry",
        ),
        (
            "the geometry, and counters that no model knows",
            json!({ "device": gpu, "counters": { "launch": { "work_groups": 48 }, "oclgrind": { "load_global": 2500 } } }),
            Some(time),
            "no interval: counters are missing",
        ),
        // Counters of another architecture, the wrong device.
        (
            "an unknown profiler",
            json!({ "device": gpu, "counters": { "mine": { "a": 1 } } }),
            None,
            "/counters",
        ),
        (
            "another's profiler",
            json!({ "device": gpu, "counters": { "rocprofv3": { "SQ_WAVES": 1 } } }),
            None,
            "/counters",
        ),
        (
            "counters that the device has no model of",
            with(ask(usual), "device", json!(cpu)),
            slow,
            "no counter of oclgrind is used",
        ),
        (
            "no such device",
            with(ask(usual), "device", json!(99)),
            None,
            "/device",
        ),
        (
            "no device",
            json!({ "counters": set(usual) }),
            None,
            "/device",
        ),
        (
            "counted on itself",
            with(ask(usual), "counted_on", json!(gpu)),
            None,
            "/device",
        ),
        (
            "counted on nothing",
            with(ask(usual), "counted_on", json!(99)),
            None,
            "/device",
        ),
        (
            "counted on what has no counters",
            json!({ "device": gpu, "counted_on": cpu, "counters": set(usual) }),
            None,
            "/device",
        ),
        ("across, no time", across(json!({})), slow, ""),
        (
            "across, a time ten times too long",
            across(json!({ "time_s": 10.0 * time })),
            slow,
            "models disagree",
        ),
        (
            "across, a time of a year",
            across(json!({ "time_s": 9e5 })),
            slow,
            "models disagree",
        ),
        (
            "across, far outside",
            across(json!({ "counters": set([1e9, 400.0, 48.0]) })),
            None,
            "extrapolation",
        ),
        (
            "across, a method that has no model",
            across(json!({ "method": "across_counters" })),
            None,
            "/method",
        ),
        (
            "across, a time that the paper's does not use",
            across(json!({ "time_s": time, "method": "paper_counters" })),
            None,
            "/time_s",
        ),
        // Forecasts at or below 0, by the paper's method.
        (
            "ols, far below",
            by("ols", [0.0, 0.0, 48.0]),
            Some(1e-5),
            "extrapolation",
        ),
        (
            "ols, far above",
            by("ols", [1e9, 1e9, 48.0]),
            None,
            "extrapolation",
        ),
        // What the device has no room for.
        (
            "a work-group that is too large",
            needs("work_group_size", 2048),
            None,
            "/counters/launch/work_group_size",
        ),
        (
            "local memory that the device does not have",
            needs("local_bytes", 49_153),
            None,
            "/counters/launch/local_bytes",
        ),
        (
            "buffers that the device has no room for",
            needs("global_bytes", 8 << 30),
            None,
            "/counters/launch/global_bytes",
        ),
        (
            "all that the device has",
            needs("work_group_size", 1024),
            Some(time),
            "",
        ),
        // More than the device's ceilings allow in the time that the model says.
        (
            "operations of a second",
            with_count("oclgrind", "fmul", 1e12),
            Some(1.0),
            "no interval: the model is wrong about this kernel",
        ),
        (
            "bytes of a second",
            with_count("analysis", "distinct_read_sectors", 1e12 / 32.0),
            Some(1.0 / 1.09),
            "no interval: the model is wrong about this kernel",
        ),
        (
            "bytes that a cache may hold",
            with_count("analysis", "distinct_read_sectors", 1e6),
            Some(time),
            "",
        ),
        // Several launches.
        (
            "two launches",
            launches(2),
            Some(2.0 * time),
            "the counters are of 2 launches",
        ),
        (
            "a thousand launches",
            launches(1000),
            Some(1e3 * time),
            "the counters are of 1000 launches",
        ),
        // A measured time that the forecast misses.
        (
            "measured, six hundred times as long",
            took(606.0),
            Some(606.0 * time),
            "lies outside the 90 % interval",
        ),
        (
            "measured, twice as long",
            took(2.0),
            Some(2.0 * time),
            "lies outside the 90 % interval",
        ),
        (
            "measured, a hundredth",
            took(0.01),
            Some(0.01 * time),
            "lies outside the 90 % interval",
        ),
        ("measured, as forecast", took(1.1), Some(1.1 * time), ""),
        (
            "measured, no time",
            took(0.0),
            None,
            "/counter_sets/0/measured/time_s",
        ),
        (
            "measured, below 0",
            took(-1.0),
            None,
            "/counter_sets/0/measured/time_s",
        ),
        // What makes no sense.
        (
            "a count below 0",
            ask([-1.0, 400.0, 48.0]),
            None,
            "/counters/oclgrind/load_global",
        ),
        (
            "a time of no device",
            with(ask(usual), "time_s", json!(1.0)),
            None,
            "/time_s",
        ),
        (
            "certainty",
            with(ask(usual), "level", json!(1)),
            None,
            "/level",
        ),
        (
            "a level that so few kernels do not know",
            with(ask(usual), "level", json!(0.99)),
            None,
            "no interval: too few kernels",
        ),
        (
            "percent",
            with(ask(usual), "level", json!(90)),
            None,
            "/level",
        ),
        ("no such method", by("magic", usual), None, "/method"),
        (
            "another device's method",
            by("across_counters", usual),
            None,
            "/method",
        ),
        (
            "no set",
            json!({ "device": gpu, "counter_sets": [] }),
            None,
            "/counter_sets",
        ),
    ]
}

#[sqlx::test(migrations = "../migrations")]
async fn no_bad_question_gets_a_wrong_answer_without_a_mark(pool: PgPool) {
    let server = fitted(pool).await;
    let (gpu, cpu) = (id(&server, "gpu").await, id(&server, "cpu").await);
    with_ceilings(&server).await;
    let questions = questions(gpu, cpu);
    assert!(questions.len() >= 50, "{}", questions.len());
    let mut wrong = Vec::new();
    for (what, request, truth, says) in questions {
        let (status, answer) = server.post("/v1/predictions", request.to_string()).await;
        if says.starts_with('/') {
            let field = &answer["errors"][0]["field"];
            if status != StatusCode::UNPROCESSABLE_ENTITY || field != says {
                wrong.push(format!("{what}: expected {says} to be wrong: {answer}"));
            }
            continue;
        }
        if status != StatusCode::OK {
            wrong.push(format!("{what}: {answer}"));
            continue;
        }
        let forecast = &answer["predictions"][0];
        let why = forecast["no_interval"].as_str().unwrap_or_default();
        let marks = format!("{} no interval: {why}", warnings(forecast));
        if !marks.contains(says) {
            wrong.push(format!("{what}: does not say {says}: {forecast}"));
        }
        let interval = &forecast["interval"];
        let holds = |truth: f64| {
            number(&interval["low_s"]) <= truth && truth <= number(&interval["high_s"])
        };
        let is_right = interval.is_object() && truth.is_none_or(holds);
        if !is_right && forecast["warnings"] == json!([]) && why.is_empty() {
            wrong.push(format!("{what}: wrong and calm: {forecast}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[sqlx::test(migrations = "../migrations")]
async fn a_measured_time_outside_the_interval_is_an_alarm(pool: PgPool) {
    let server = fitted(pool).await;
    let (gpu, cpu) = (id(&server, "gpu").await, id(&server, "cpu").await);
    let counts = [2500.0, 400.0, 48.0];
    for (factor, lies) in [(1.1, "within"), (606.0, "above"), (0.01, "below")] {
        let time = factor * truth(counts);
        let set = json!({ "counters": set(counts), "measured": { "device": gpu, "time_s": time } });
        let request = json!({ "devices": [gpu, cpu], "counter_sets": [set] });
        let (_, answer) = server.post("/v1/predictions", request.to_string()).await;
        let [own, other] = [0, 1].map(|place| &answer["predictions"][place]);
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
async fn trust_is_one_word_whatever_level_is_asked_for(pool: PgPool) {
    let server = fitted(pool).await;
    let gpu = id(&server, "gpu").await;
    let counts = [2500.0, 400.0, 48.0];
    let trust = async |counts, factor: f64, level: f64| {
        let measured = json!({ "device": gpu, "time_s": factor * truth(counts) });
        let set = json!({ "counters": set(counts), "measured": measured });
        let request = json!({ "device": gpu, "counter_sets": [set], "level": level });
        let answer = forecast(&server, &request).await;
        let [word, why] =
            ["word", "why"].map(|it| answer["trust"][it].as_str().unwrap().to_owned());
        (word, why)
    };
    let (word, why) = trust(counts, 1.0, 0.8).await;
    assert_eq!(word, "high", "{why}");
    assert!(why.starts_with("90 % of kernels"), "{why}");
    assert_eq!((word, why), trust(counts, 1.0, 0.2).await);
    let (word, why) = trust(counts, 606.0, 0.8).await;
    assert_eq!(word, "none", "{why}");
    assert!(why.contains("the measured time lies outside"), "{why}");
    // Half of all times lie outside an interval of one half: that is no alarm.
    let (word, why) = trust(counts, 1.02, 1e-3).await;
    assert_eq!(word, "high", "{why}");
    let far = json!({ "device": gpu, "counters": set([1e9, 400.0, 48.0]) });
    let far = forecast(&server, &far).await;
    assert_eq!(far["trust"]["word"], "low", "{far}");
    assert!(
        far["trust"]["why"].to_string().contains("extrapolation"),
        "{far}"
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn a_fit_that_misses_what_it_has_seen_says_so(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut batch = Vec::new();
    for kernel in 0..KERNELS {
        for n in 0..SIZES {
            let mut sample = measured("gpu", kernel, n);
            // One workload does something that its counters do not tell.
            if (kernel, n) == (5, 1) {
                sample["times"]["repetitions_s"] = json!([100.0 * truth(counts(kernel, n))]);
            }
            batch.push(sample);
        }
    }
    server.upload(&batch).await;
    server.fitted().await;
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
    sqlx::query(erring).execute(&pool).await.unwrap();
    let gpu = id(&server, "gpu").await;
    let request = json!({ "device": gpu, "counters": set([2500.0, 400.0, 48.0]) });
    let answer = forecast(&server, &request).await;
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
    let gpu = id(&server, "gpu").await;
    // Trees know no more loads than they have seen.
    let ask = |loads: f64| json!({ "device": gpu, "method": "forest", "counters": set([loads, 400.0, 48.0]) });
    let calm = forecast(&server, &ask(2500.0)).await;
    assert_eq!(calm["others"].as_array().unwrap().len(), 3, "{calm}");
    assert!(!warnings(&calm).contains("disagree"), "{calm}");
    for other in calm["others"].as_array().unwrap() {
        assert_eq!(other["disagrees"], false, "{other}");
        assert_ne!(other["model"], calm["model"]);
    }
    let far = forecast(&server, &ask(1e7)).await;
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

/// The answer that tells this, or the last one: what a server keeps is told anew a moment after it has changed.
async fn once_told(server: &Server, request: &Value, wanted: &str) -> Value {
    let mut answer = forecast(server, request).await;
    for _ in 0..200 {
        if answer.get(wanted).is_some() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        answer = forecast(server, request).await;
    }
    answer
}

#[sqlx::test(migrations = "../migrations")]
async fn an_answer_says_which_fits_are_pending(pool: PgPool) {
    let server = fitted(pool).await;
    let (gpu, cpu) = (id(&server, "gpu").await, id(&server, "cpu").await);
    let request = json!({ "device": gpu, "counters": set([2500.0, 400.0, 48.0]) });
    let calm = forecast(&server, &request).await;
    assert_eq!(calm.get("pending"), None, "{calm}");
    server.stop_fitting();
    server.upload(&[measured("gpu", KERNELS, 1)]).await;
    // What is kept is dropped once the database has told of the job.
    let answer = once_told(&server, &request, "pending").await;
    assert_eq!(answer["trust"]["word"], "low", "{answer}");
    let pending = answer["pending"].as_array().unwrap();
    assert_eq!(pending.len(), 2, "{answer}");
    assert!(
        warnings(&answer).contains("fits from counters of launch, oclgrind are pending"),
        "{answer}"
    );
    // Whoever names a model gets that one, whatever comes.
    let named = json!({ "counters": request["counters"], "model": answer["model"] });
    assert_eq!(forecast(&server, &named).await.get("pending"), None);
    // The fits of the pair come after them.
    let across = json!({ "device": cpu, "counted_on": gpu, "counters": request["counters"] });
    let across = forecast(&server, &across).await;
    let pending = across["pending"].as_array().unwrap();
    assert!(
        pending.iter().all(|it| it["device"] == json!(gpu)),
        "{across}"
    );
    assert_eq!(pending.len(), 2, "{across}");
    // A refusal may be one only for now.
    let none = json!({ "device": gpu, "counters": { "oclgrind": { "branches": 1 } } });
    let (status, problem) = server.post("/v1/predictions", none.to_string()).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
    let expected = problem["errors"][0]["expected"].as_str().unwrap();
    assert!(
        expected.contains("fits from counters of oclgrind are pending"),
        "{problem}"
    );

    let (_, overview) = server.get("/v1/overview").await;
    let attention = overview["attention"].as_array().unwrap();
    let pending: Vec<&Value> = attention
        .iter()
        .filter(|it| it["kind"] == "fits_pending")
        .collect();
    assert_eq!(pending.len(), 1, "{overview}");
    assert_eq!(pending[0]["device"], json!(gpu));
    let detail = pending[0]["detail"].as_str().unwrap();
    assert!(
        detail.contains("from its counters of oclgrind, launch"),
        "{detail}"
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn ceilings_that_a_workload_exceeds_need_attention(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut sample = measured("gpu", 0, 1);
    // 2 Tflop/s.
    sample["times"]["repetitions_s"] = json!([1e-3]);
    sample["readings"]["oclgrind"]["counters"]["fmul"] = json!(2e9);
    server.upload(&[sample]).await;
    let beaten = async || {
        server.fitted().await;
        let (_, overview) = server.get("/v1/overview").await;
        let attention = overview["attention"].as_array().unwrap().clone();
        let mut all = attention.into_iter();
        all.find(|it| it["kind"] == "ceiling_beaten")
    };
    assert_eq!(beaten().await, None, "no ceilings are known");
    let post = async |fp32: f64, measured_at: &str| {
        let mut new = ceilings(measured_at);
        new["device"]["name"] = json!("gpu");
        new["ceilings"] = json!({ "fp32_flop_per_s": fp32 });
        let (status, said) = server.post("/v1/ceilings", new.to_string()).await;
        assert!(status.is_success(), "{said}");
    };
    post(0.5e12, "2026-11-01T12:00:00Z").await;
    let attention = beaten().await.unwrap();
    assert_eq!(attention["provider"], "oclgrind");
    let detail = attention["detail"].as_str().unwrap();
    assert!(
        detail.contains(
            "kernel_0 makes 2.00e12 single-precision operations a second, where 5.00e11 is the most by the ceiling fp32_flop_per_s"
        ),
        "{detail}"
    );
    // Measured again, on an idle device.
    post(4e12, "2026-11-02T12:00:00Z").await;
    assert_eq!(beaten().await, None);
}

#[sqlx::test(migrations = "../migrations")]
async fn no_answer_is_shorter_than_the_shortest_launches(pool: PgPool) {
    let server = fitted(pool).await;
    let gpu = id(&server, "gpu").await;
    let plain = json!({ "device": gpu, "counters": set([2500.0, 400.0, 48.0]) });
    let time = number(&forecast(&server, &plain).await["time_s"]);
    let mut new = ceilings("2026-11-01T12:00:00Z");
    new["device"]["name"] = json!("gpu");
    new["device"]["kind"] = json!("gpu");
    new["ceilings"] = json!({ "launch_latency_s": time });
    let (status, said) = server.post("/v1/ceilings", new.to_string()).await;
    assert!(status.is_success(), "{said}");
    // What is kept of ceilings is told anew a moment later.
    let one = once_told(&server, &plain, "floor").await;
    assert_eq!(one["floor"]["ceiling"], "launch_latency_s", "{one}");
    assert!((number(&one["time_s"]) / time - 1.0).abs() < 1e-9, "{one}");
    let mut two = plain.clone();
    two["counters"]["launch"] = json!({ "launches": 2 });
    let two = forecast(&server, &two).await;
    assert!(
        (number(&two["time_s"]) / (1.8 * time) - 1.0).abs() < 1e-9,
        "{two}"
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn a_misspelt_counter_is_named(pool: PgPool) {
    let server = fitted(pool).await;
    let gpu = id(&server, "gpu").await;
    let mut request = json!({ "device": gpu, "counters": set([2500.0, 400.0, 48.0]) });
    request["counters"]["ncu"] = json!({ "dram__sector_read.sum": 5, "own.sum": 7 });
    let answer = forecast(&server, &request).await;
    let meant = "Did you mean `ncu:dram__sectors_read.sum`?";
    assert!(warnings(&answer).contains(meant), "{answer}");
    assert_eq!(answer["trust"]["word"], "low", "{answer}");
    assert!(
        !warnings(&answer).contains("own.sum is no counter"),
        "{answer}"
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn no_answer_is_faster_than_the_devices_ceilings(pool: PgPool) {
    let server = fitted(pool).await;
    let gpu = id(&server, "gpu").await;
    with_ceilings(&server).await;
    let ask = async |seconds: f64| {
        let mut request = json!({ "device": gpu, "counters": set([2500.0, 400.0, 48.0]) });
        request["counters"]["oclgrind"]["fmul"] = json!(1e12 * seconds);
        forecast(&server, &request).await
    };
    let calm = ask(1e-9).await;
    assert_eq!(calm["floor"]["ceiling"], "fp32_flop_per_s", "{calm}");
    assert_eq!(calm["floor"].get("raised"), None, "{calm}");
    let ends = |answer: &Value| ["low_s", "high_s"].map(|end| number(&answer["interval"][end]));
    let ([low, high], time) = (ends(&calm), number(&calm["time_s"]));
    let adds_up = |answer: &Value| {
        let shares = answer["explanation"]["shares"].as_array().unwrap().iter();
        let sum: f64 = shares.map(|it| number(&it["time_s"])).sum();
        let all = sum + number(&answer["explanation"]["rest_s"]);
        assert!(
            (all / number(&answer["time_s"]) - 1.0).abs() < 1e-9,
            "{answer}"
        );
    };
    // Between the lower end and the time, then between the time and the upper end, then beyond it.
    let least = (low * time).sqrt();
    let raised = ask(least).await;
    assert_eq!(raised["floor"]["raised"], "low", "{raised}");
    assert!((ends(&raised)[0] / least - 1.0).abs() < 1e-9, "{raised}");
    assert_eq!((number(&raised["time_s"]), ends(&raised)[1]), (time, high));
    assert_eq!(raised["trust"], calm["trust"]);

    let least = (time * high).sqrt();
    let raised = ask(least).await;
    assert_eq!(raised["floor"]["raised"], "time", "{raised}");
    assert!(
        (number(&raised["time_s"]) / least - 1.0).abs() < 1e-9,
        "{raised}"
    );
    assert!((ends(&raised)[0] / least - 1.0).abs() < 1e-9, "{raised}");
    assert!((ends(&raised)[1] / high - 1.0).abs() < 1e-9, "{raised}");
    adds_up(&raised);

    let raised = ask(10.0 * high).await;
    assert!(
        (number(&raised["time_s"]) / (10.0 * high) - 1.0).abs() < 1e-9,
        "{raised}"
    );
    assert_eq!(raised["trust"]["word"], "none", "{raised}");
    assert_eq!(raised.get("interval"), None, "{raised}");
    // Nor is what other models say below that an opinion.
    let others = raised["others"].as_array().unwrap();
    assert!(!others.is_empty(), "{raised}");
    for other in others {
        let is_below = number(&other["time_s"]) < 10.0 * high;
        assert_eq!(other["impossible"], is_below, "{other}");
        assert!(other["disagrees"] == false || !is_below, "{other}");
    }
    assert!(others.iter().any(|it| it["impossible"] == true), "{raised}");
    assert!(
        warnings(&raised).contains("allow nothing below"),
        "{raised}"
    );
    adds_up(&raised);

    // Nor does one that was taken while something else computed.
    let post = async |of: Value, measured_at: &str, agent: &str| {
        let mut new = ceilings(measured_at);
        new["device"]["name"] = json!("gpu");
        new["agent"]["name"] = json!(agent);
        new["ceilings"] = of;
        let (status, said) = server.post("/v1/ceilings", new.to_string()).await;
        assert!(status.is_success(), "{said}");
    };
    // What is kept of ceilings is told anew a moment later.
    let becomes = async |of_single: bool| {
        for _ in 0..200 {
            let answer = ask(10.0 * high).await;
            if of_single == (answer["floor"]["ceiling"] == "fp32_flop_per_s") {
                return true;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        false
    };
    assert!(becomes(true).await);
    post(
        json!({ "fp32_flop_per_s": 1e12, "fp64_flop_per_s": 2e12 }),
        "2026-11-02T12:00:00Z",
        "lab-3",
    )
    .await;
    assert!(becomes(false).await);
    post(
        json!({ "fp32_flop_per_s": 1e12, "fp64_flop_per_s": 1.05e12 }),
        "2026-11-03T12:00:00Z",
        "lab-4",
    )
    .await;
    assert!(becomes(true).await);

    // A ceiling that workloads exceed bounds nothing.
    let mut fast = measured("gpu", 0, 1);
    fast["readings"]["oclgrind"]["counters"]["fmul"] = json!(1e14);
    fast["id"] = json!(uuid::Uuid::now_v7());
    server.upload(&[fast]).await;
    server.fitted().await;
    let mut answer = ask(10.0 * high).await;
    for _ in 0..200 {
        if answer.get("floor").is_none() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        answer = ask(10.0 * high).await;
    }
    assert_eq!(answer.get("floor"), None, "{answer}");
}

/// Where samples have both, a model of what ncu counts says how far off it is by what is foreseen of the same.
#[sqlx::test(migrations = "../migrations")]
async fn foreseen_counters_are_answered_as_far_off_as_they_are(pool: PgPool) {
    let server = Server::new(pool).await;
    let kernels = (0..KERNELS).flat_map(|kernel| (0..SIZES).map(move |n| (kernel, n)));
    let both = |(kernel, n): (u32, u32)| {
        let mut sample = measured("gpu", kernel, n);
        let [loads, stores, _] = counts(kernel, n);
        // What is foreseen is between half and twice what is counted.
        let off = 2.0_f64.powf(f64::from((5 * kernel + n) % 9) / 4.0 - 1.0);
        sample["readings"]["ncu"] = json!({ "counters": {
            "smsp__inst_executed.sum": loads, "dram__sectors_read.sum": stores
        } });
        sample["readings"]["analysis"] = json!({ "counters": {
            "instructions": off * loads, "dram_read_sectors": off * stores
        } });
        sample
    };
    server.upload(&kernels.map(both).collect::<Vec<_>>()).await;
    server.fitted().await;
    let device = id(&server, "gpu").await;
    let of_ncu = json!({
        "ncu": { "smsp__inst_executed.sum": 2500.0, "dram__sectors_read.sum": 400.0 },
        "launch": { "work_groups": 48.0 },
    });
    let ask = async |foreseen: Value| {
        let set = json!({ "counters": of_ncu, "foreseen": foreseen });
        let request = json!({ "device": device, "method": "nnls", "counter_sets": [set] });
        forecast(&server, &request).await
    };
    let (counted, foreseen) = (ask(json!([])).await, ask(json!(["ncu"])).await);
    assert_eq!(counted["time_s"], foreseen["time_s"]);
    let width = |it: &Value| number(&it["interval"]["high_s"]) / number(&it["interval"]["low_s"]);
    assert!(width(&counted) < 1.5, "{counted}");
    assert!(width(&foreseen) > 2.0, "{foreseen}");
    assert_eq!(counted.get("foreseen"), None);
    assert!(
        number(&foreseen["foreseen"]["errors"]["mean_ape"]) > 0.1,
        "{foreseen}"
    );
    assert_eq!(
        foreseen["warnings"], counted["warnings"],
        "its interval says it"
    );
    let models = server.items("/v1/models?provider=ncu").await;
    let nnls = models
        .iter()
        .find(|it| it["id"] == foreseen["model"])
        .unwrap();
    assert_eq!(nnls["foreseen"], foreseen["foreseen"]);
}
