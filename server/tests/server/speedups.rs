//! Whether local memory pays off: the time without it ÷ the time with it.

use crate::common::{Server, number};
use serde_json::{Value, json};
use sqlx::PgPool;

const KERNELS: u32 = 17;
const SIZES: u32 = 3;

/// Loads of a work-item: 1, 17, 33 or 49.
fn loads(kernel: u32) -> f64 {
    f64::from(1 + (kernel % 4) * 16)
}

fn items(kernel: u32, n: u32) -> f64 {
    4_f64.powi(i32::try_from(n).unwrap() + 4) * (1.0 + f64::from(kernel) / 10.0)
}

/// On the GPU local memory pays off where a work-item loads more than once: 0.8, 1.68, 2.35, 2.86. On the
/// CPU it never does.
fn speedup(device: &str, kernel: u32) -> f64 {
    match device {
        "gpu" if loads(kernel) > 1.0 => (loads(kernel) / 6.0).sqrt(),
        _ => 0.8,
    }
}

fn without_s(device: &str, kernel: u32, n: u32) -> f64 {
    let share = if device == "gpu" { 1.0 } else { 8.0 };
    share * (5e-6 + 1e-10 * items(kernel, n) * loads(kernel))
}

fn counters(kernel: u32, n: u32) -> Value {
    let (items, loads) = (items(kernel, n), loads(kernel));
    json!({
        "oclgrind": { "instructions": 10.0 * items * loads, "load_global_bytes": 4.0 * items * loads },
        "launch": { "work_items": items, "work_groups": 8 },
    })
}

fn sample(device: &str, kernel: u32, n: u32, variant: &str) -> Value {
    let mut sample = crate::common::sample(kernel, n);
    let speedup = if variant == "local" {
        speedup(device, kernel)
    } else {
        1.0
    };
    sample["device"]["name"] = json!(device);
    sample["workload"]["variant"] = json!(variant);
    sample["workload"].as_object_mut().unwrap().remove("family");
    sample["times"]["repetitions_s"] = json!([without_s(device, kernel, n) / speedup]);
    sample["readings"] = json!({});
    // Only the GPU's samples are counted.
    if device == "gpu" {
        let counters = counters(kernel, n);
        for (provider, counters) in counters.as_object().unwrap() {
            sample["readings"][provider] = json!({ "counters": counters });
        }
    } else {
        sample["readings"]["launch"] = json!({ "counters": { "work_groups": 8 } });
    }
    sample
}

async fn measured(pool: PgPool) -> Server {
    let server = Server::new(pool).await;
    let mut samples = Vec::new();
    for device in ["gpu", "cpu"] {
        for kernel in 0..KERNELS {
            for n in 0..SIZES {
                samples.extend(["global", "local"].map(|it| sample(device, kernel, n, it)));
            }
        }
    }
    server.fit(&samples).await;
    server
}

fn of(list: &[Value], device: i64) -> &Value {
    list.iter()
        .find(|it| it["device"] == json!(device))
        .unwrap()
}

fn champion(speedup: &Value) -> &Value {
    let models = speedup["models"].as_array().unwrap();
    assert_eq!(models.len(), 2, "{speedup}");
    assert_eq!(models[0]["champion"], true, "{speedup}");
    assert_eq!(models[1]["champion"], false, "{speedup}");
    // Only what is right more often than chance may give verdicts.
    let cannot_tell = |model: &Value| model["cannot_tell"].is_string();
    assert!(
        models
            .iter()
            .all(|it| it["signs"]["better"].as_i64() > Some(4) || cannot_tell(it)),
        "{speedup}"
    );
    &models[0]
}

#[sqlx::test(migrations = "../migrations")]
async fn speedups_are_forecast_by_counters_or_by_their_median_where_that_is_as_good(pool: PgPool) {
    let server = measured(pool).await;
    let (gpu, cpu) = (server.device("gpu").await, server.device("cpu").await);
    let all = server.items("/v1/speedups").await;
    assert_eq!(all.len(), 2, "{all:?}");

    let itself = of(&all, gpu);
    assert_eq!(itself.get("counted_on"), None);
    assert_eq!(itself["provider"], "oclgrind");
    let own = champion(itself);
    assert_eq!(own["method"], "forest_per_worker", "{own}");
    assert_eq!(own["workloads"], json!(KERNELS * SIZES));
    assert_eq!(own["kernels"], json!(KERNELS));
    assert_eq!(own["signs"]["right"], 1.0, "{own}");
    assert_eq!(own["signs"]["clear_right"], 1.0, "{own}");
    assert_eq!(own["signs"]["pays_off"], json!(12.0 / 17.0), "{own}");
    assert!(
        number(&own["leave_one_kernel_out"]["factor"]) < 1.2,
        "{own}"
    );
    assert!(own["leave_one_family_out"].is_object(), "{own}");
    let median = &itself["models"][1];
    assert_eq!(median["method"], "median");
    assert_eq!(
        median["signs"]["right"],
        json!(12.0 / 17.0),
        "it always pays off: {median}"
    );
    assert!(
        number(&median["leave_one_kernel_out"]["factor"]) > 1.3,
        "{median}"
    );

    let from_gpu = of(&all, cpu);
    assert_eq!(from_gpu["counted_on"], json!(gpu));
    let across = champion(from_gpu);
    assert_eq!(across["method"], "median", "{across}");
    assert!(
        number(&across["leave_one_kernel_out"]["mean_ape"]) < 1e-9,
        "{across}"
    );
    assert_eq!(across["signs"]["right"], 1.0);
    assert_eq!(across["signs"]["pays_off"], 0.0);
}

#[sqlx::test(migrations = "../migrations")]
async fn a_kernel_s_speedups_stand_beside_what_was_forecast_before_it_was_seen(pool: PgPool) {
    let server = measured(pool).await;
    let cpu = server.device("cpu").await;
    let speedups = server.items("/v1/kernels/kernel_5/speedups").await;
    assert_eq!(speedups.len(), 6, "{speedups:?}");
    for row in &speedups {
        let device = if row["device"] == json!(cpu) {
            "cpu"
        } else {
            "gpu"
        };
        let expected = speedup(device, 5);
        assert!(
            (number(&row["measured"]) / expected - 1.0).abs() < 1e-9,
            "{row}"
        );
        let forecast = number(&row["forecast"]);
        assert!((forecast / expected).ln().abs() < 0.3, "{row}");
    }
    let some = server
        .items(&format!("/v1/kernels/kernel_5/speedups?device={cpu}"))
        .await;
    assert_eq!(some.len(), 3);
    assert!(
        server
            .items("/v1/kernels/nothing/speedups")
            .await
            .is_empty()
    );

    // Validation speaks of speedups too, and the model answers nobody who asks for times.
    let gpu = server.device("gpu").await;
    let model = of(&speedups, gpu)["model"].as_str().unwrap();
    let (_, validation) = server.get(&format!("/v1/models/{model}/validation")).await;
    let rows = &validation["hold_outs"].as_array().unwrap()[0]["rows"];
    let row = rows
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["kernel"] == "kernel_5");
    let row = row.unwrap();
    assert_eq!(row["variant"], "local");
    assert!(
        (number(&row["measured"]) / speedup("gpu", 5) - 1.0).abs() < 1e-9,
        "{row}"
    );
    let (_, detail) = server.get(&format!("/v1/models/{model}")).await;
    assert_eq!(detail["specification"]["response"], "speedup");
    let request = json!({ "model": model, "counters": counters(5, 1) });
    server.refuses("/v1/predictions", &request, "/model").await;
    let (_, pairs) = server.get("/v1/pairs").await;
    let methods = pairs["items"][0]["models"].as_array().unwrap().iter();
    let mut methods = methods.map(|it| it["method"].as_str().unwrap());
    assert!(
        !methods.any(|it| it == "median" || it == "forest_per_worker"),
        "{pairs}"
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn counters_without_local_memory_say_whether_it_would_pay_off(pool: PgPool) {
    let server = measured(pool).await;
    let (gpu, cpu) = (server.device("gpu").await, server.device("cpu").await);
    let question = |extra: Value| {
        let mut question = json!({ "counted_on": gpu, "counters": counters(2, 2) });
        let fields = question.as_object_mut().unwrap();
        fields.extend(extra.as_object().unwrap().clone());
        question
    };
    let ask = async |extra: Value| server.posted("/v1/speedups", &question(extra)).await;
    let time = without_s("gpu", 2, 2);
    let both = ask(json!({ "time_s": time })).await;
    let both = both.as_array().unwrap();
    assert_eq!(both.len(), 2);
    let [own, other] = [of(both, gpu), of(both, cpu)];
    assert_eq!(own["pays_off"], true, "{own}");
    assert_eq!(own.get("cannot_tell"), None, "{own}");
    assert!(number(&own["odds"]) > 0.8, "{own}");
    // Always saying that it pays off is wrong of each fourth kernel.
    assert_eq!(
        (&own["signs"]["better"], &own["signs"]["worse"]),
        (&json!(5), &json!(0)),
        "{own}"
    );
    let found = number(&own["speedup"]);
    assert!((found / speedup("gpu", 2)).ln().abs() < 0.2, "{own}");
    let interval = &own["interval"];
    assert!(
        number(&interval["low"]) < found && found < number(&interval["high"]),
        "{own}"
    );
    assert_eq!(own["global_s"], json!(time));
    assert!(
        (number(&own["local_s"]) * found / time - 1.0).abs() < 1e-12,
        "{own}"
    );
    assert_eq!(own["signs"]["right"], 1.0);
    // There local memory never pays off: the counters tell nothing of that.
    assert_eq!(other.get("pays_off"), None, "{other}");
    let why = other["cannot_tell"].as_str().unwrap();
    assert!(
        why.contains("always saying the same is right for 100.0 %"),
        "{why}"
    );
    assert!(why.contains("(sign test)"), "{why}");
    assert!((number(&other["speedup"]) - 0.8).abs() < 1e-9, "{other}");
    // It leans to no nevertheless.
    assert!(number(&other["odds"]) < 0.2, "{other}");
    // The CPU takes eight times as long.
    assert!(
        (number(&other["global_s"]) / (8.0 * time) - 1.0).abs() < 0.1,
        "{other}"
    );

    // Drivers name what is no use of local memory, and no use of it where there is one: what was counted is sure.
    for (counter, value, uses) in [
        ("launch/local_bytes", 1, false),
        ("launch/local_bytes", 2052, true),
        ("oclgrind/load_local", 0, false),
        ("oclgrind/load_local", 7, true),
    ] {
        let mut counters = counters(2, 2);
        let (provider, name) = counter.split_once('/').unwrap();
        counters[provider][name] = json!(value);
        let one = ask(json!({ "counters": counters, "devices": [gpu] })).await;
        let why = one[0]["cannot_tell"].as_str().unwrap_or_default();
        let says = why.contains("counters of a variant that uses local memory already");
        assert_eq!(says, uses, "{counter} {value}: {one}");
        assert_eq!(
            one[0]["pays_off"],
            if uses { Value::Null } else { json!(true) },
            "{one}"
        );
    }
    // What the model has not seen the like of.
    let mut far = counters(2, 2);
    far["oclgrind"]["instructions"] = json!(1e15);
    far["oclgrind"]["load_global_bytes"] = json!(1.0);
    let one = ask(json!({ "counters": far, "devices": [gpu] })).await;
    assert_eq!(
        (one[0].get("pays_off"), one[0].get("odds")),
        (None, None),
        "{one}"
    );

    let one = ask(json!({ "devices": [cpu], "level": 0.5 })).await;
    assert_eq!(one.as_array().unwrap().len(), 1, "{one}");
    assert_eq!(one[0].get("global_s"), None, "no time was posted: {one}");
    assert_eq!(one[0]["interval"]["level"], 0.5);

    let nothing = json!({ "ncu": { "a": 1 } });
    for (extra, field) in [
        (json!({ "counted_on": cpu }), "/counted_on"),
        (json!({ "devices": [cpu, 99] }), "/devices/1"),
        (json!({ "time_s": -1 }), "/time_s"),
        (json!({ "level": 2 }), "/level"),
        (
            json!({ "counters": { "oclgrind": { "instructions": -1 } } }),
            "/counters/oclgrind/instructions",
        ),
        (json!({ "counters": nothing }), "/counters"),
    ] {
        server
            .refuses("/v1/speedups", &question(extra), field)
            .await;
    }
    // No mean stands in for a missing counter: the median asks for none.
    let missing = json!({ "counters": { "oclgrind": { "instructions": 1e6 } } });
    let one = ask(missing).await;
    let one = of(one.as_array().unwrap(), gpu);
    assert_eq!(one["method"], "median", "{one}");
    assert_eq!(one["missing"], json!([]));
    let warnings = one["warnings"].to_string();
    assert!(warnings.contains("median answers instead"), "{one}");
    // A speedup is no time, and no warning about times is about it: 10^15 instructions would take days.
    let much = json!({ "counters": { "oclgrind": {
        "instructions": 1e15, "load_global": 1e15, "store_global": 1e15, "work_items": 1,
    }, "launch": { "work_items": 1, "work_groups": 1 } } });
    let many = ask(much).await;
    for one in many.as_array().unwrap() {
        assert_eq!(one.get("time_s"), None, "{one}");
        for warning in one["warnings"].as_array().unwrap() {
            let words = warning.as_str().unwrap();
            assert!(
                !words.contains(" time") && !words.contains("seconds"),
                "{one}"
            );
        }
    }
}
