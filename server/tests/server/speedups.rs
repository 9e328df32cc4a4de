//! What changes bring: the ratio of two forecasts of one model.

use crate::common::{Server, number};
use serde_json::{Value, json};
use sqlx::PgPool;

const KERNELS: u32 = 17;
const SIZES: u32 = 3;

fn items(kernel: u32, n: u32) -> f64 {
    4_f64.powi(i32::try_from(n).unwrap() + 5) * (1.0 + f64::from(kernel) / 10.0)
}

/// Loads of a work-item: 16 to 64, and with local memory half, as many, or twice as many.
fn loads(kernel: u32, variant: &str) -> f64 {
    let loads = f64::from(16 * (1 + kernel % 4));
    match (variant, kernel % 3) {
        ("local", 0) => loads / 2.0,
        ("local", 1) => loads * 2.0,
        _ => loads,
    }
}

fn time_s(device: &str, kernel: u32, n: u32, variant: &str) -> f64 {
    let share = if device == "gpu" { 1.0 } else { 8.0 };
    share * (5e-6 + 1e-9 * items(kernel, n) * loads(kernel, variant))
}

fn speedup(device: &str, kernel: u32, n: u32) -> f64 {
    time_s(device, kernel, n, "global") / time_s(device, kernel, n, "local")
}

fn counters(kernel: u32, n: u32, variant: &str) -> Value {
    let (items, loads) = (items(kernel, n), loads(kernel, variant));
    json!({
        "oclgrind": { "instructions": 10.0 * items * loads, "load_global_bytes": 4.0 * items * loads },
        "launch": { "work_items": items, "work_groups": 8 },
    })
}

fn sample(device: &str, kernel: u32, n: u32, variant: &str) -> Value {
    let mut sample = crate::common::sample(kernel, n);
    sample["device"]["name"] = json!(device);
    sample["workload"]["variant"] = json!(variant);
    sample["workload"].as_object_mut().unwrap().remove("family");
    sample["times"]["repetitions_s"] = json!([time_s(device, kernel, n, variant)]);
    sample["readings"] = json!({});
    // Only the GPU's samples are counted.
    if device == "gpu" {
        for (provider, counters) in counters(kernel, n, variant).as_object().unwrap() {
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

fn of<'a>(list: &'a [Value], device: i64, provider: &str) -> &'a Value {
    let is = |it: &&Value| it["device"] == json!(device) && it["provider"] == json!(provider);
    list.iter().find(is).unwrap()
}

#[sqlx::test(migrations = "../migrations")]
async fn champions_say_how_far_off_their_ratios_are(pool: PgPool) {
    let server = measured(pool).await;
    let (gpu, cpu) = (server.device("gpu").await, server.device("cpu").await);
    let all = server.items("/v1/speedups").await;
    let own = of(&all, gpu, "oclgrind");
    assert_eq!(own.get("counted_on"), None);
    let errors = &own["errors"];
    assert_eq!(errors["n"], json!(KERNELS * SIZES), "{own}");
    assert_eq!(errors["kernels"], json!(KERNELS), "{own}");
    assert!(number(&errors["factor"]) < 1.1, "{own}");
    for verdict in ["pays_off", "does_not"] {
        let [given, right] = ["given", "right"].map(|it| number(&errors[verdict][it]));
        assert!(given > 10.0 && right > 0.95 * given, "{own}");
    }
    let (_, model) = server
        .get(&format!("/v1/models/{}", own["model"].as_str().unwrap()))
        .await;
    assert_eq!(model["champion"], true);
    let across = of(&all, cpu, "oclgrind");
    assert_eq!(across["counted_on"], json!(gpu));
    assert_eq!(across["errors"]["n"], json!(KERNELS * SIZES), "{across}");
    // Geometry is the same with local memory and without.
    let geometry = &of(&all, gpu, "launch")["errors"];
    assert_eq!(geometry["pays_off"]["given"], 0, "{geometry}");
    assert_eq!(geometry["does_not"]["given"], 0, "{geometry}");
}

#[sqlx::test(migrations = "../migrations")]
async fn a_kernel_s_speedups_stand_beside_what_was_forecast_before_it_was_seen(pool: PgPool) {
    let server = measured(pool).await;
    let (gpu, cpu) = (server.device("gpu").await, server.device("cpu").await);
    let speedups = server.items("/v1/kernels/kernel_6/speedups").await;
    for row in &speedups {
        let device = if row["device"] == json!(cpu) {
            "cpu"
        } else {
            "gpu"
        };
        let n = u32::try_from(row["parameters"]["n"].as_i64().unwrap()).unwrap();
        let expected = speedup(device, 6, n);
        assert!(
            (number(&row["measured"]) / expected - 1.0).abs() < 1e-6,
            "{row}"
        );
    }
    let own: Vec<&Value> = speedups
        .iter()
        .filter(|it| it["device"] == json!(gpu) && it["provider"] == "oclgrind")
        .collect();
    assert_eq!(own.len(), SIZES as usize, "{speedups:?}");
    // The largest is the clearest.
    let last = own.last().unwrap();
    assert_eq!(last["verdict"], "pays_off", "{last}");
    assert!(
        (number(&last["forecast"]) / number(&last["measured"]))
            .ln()
            .abs()
            < 0.2,
        "{last}"
    );
    let (_, before) = server
        .get(&format!(
            "/v1/samples/{}",
            last["before_sample"].as_str().unwrap()
        ))
        .await;
    assert_eq!(before["workload"]["variant"], "global");
    let some = server
        .items(&format!("/v1/kernels/kernel_6/speedups?device={cpu}"))
        .await;
    assert!(!some.is_empty() && some.iter().all(|it| it["device"] == json!(cpu)));
    assert!(
        server
            .items("/v1/kernels/nothing/speedups")
            .await
            .is_empty()
    );
}

/// What makes a question wrong, and the field that is to blame.
fn wrong_fields() -> [(Value, &'static str); 6] {
    let after = json!({ "counters": counters(6, 2, "local") });
    [
        (json!({ "devices": [99] }), "/devices"),
        (json!({ "counted_on": 99 }), "/devices"),
        (json!({ "after": [] }), "/after"),
        (
            json!({ "before": { "counters": { "oclgrind": { "instructions": -1 } } } }),
            "/before/counters/oclgrind/instructions",
        ),
        (
            json!({ "after": [after, { "counters": { "oclgrind": { "instructions": -1 } } }] }),
            "/after/1/counters/oclgrind/instructions",
        ),
        (
            json!({ "before": { "counters": { "ncu": { "a": 1 } } } }),
            "/after/0/counters",
        ),
    ]
}

#[sqlx::test(migrations = "../migrations")]
async fn counters_before_and_after_say_what_a_change_brings(pool: PgPool) {
    let server = measured(pool).await;
    let (gpu, cpu) = (server.device("gpu").await, server.device("cpu").await);
    let question = |extra: Value| {
        let mut question = json!({
            "devices": [gpu],
            "before": { "counters": counters(6, 2, "global") },
            "after": [{ "name": "half", "counters": counters(6, 2, "local") }],
        });
        let fields = question.as_object_mut().unwrap();
        fields.extend(extra.as_object().unwrap().clone());
        question
    };
    let ask = async |extra: Value| server.posted("/v1/speedups", &question(extra)).await;
    let all = ask(json!({})).await;
    let one = &all[0];
    let ratio_found = number(&one["speedup"]);
    assert!(
        (ratio_found / speedup("gpu", 6, 2)).ln().abs() < 0.15,
        "{one}"
    );
    assert_eq!(one["verdict"], "pays_off", "{one}");
    assert_eq!(one.get("no_verdict"), None);
    assert_eq!(one["after"]["name"], "half");
    let ratio = number(&one["before"]["time_s"]) / number(&one["after"]["time_s"]);
    assert!((ratio_found / ratio - 1.0).abs() < 1e-12, "{one}");
    assert_eq!(one["before"]["model"], one["after"]["model"]);
    let interval = &one["interval"];
    assert!(
        number(&interval["low"]) < ratio_found && ratio_found < number(&interval["high"]),
        "{one}"
    );
    assert!(number(&one["right"]) > 0.9, "{one}");

    // The other way round it is the other way round, and nothing is neither.
    let after = |kernel: u32, variant: &str| json!({ "counters": counters(kernel, 2, variant) });
    let swapped = ask(json!({
        "before": after(6, "local"), "after": [after(6, "global"), after(6, "local")]
    }))
    .await;
    assert!(
        (number(&swapped[0]["speedup"]) * ratio_found - 1.0).abs() < 1e-9,
        "{swapped}"
    );
    assert_eq!(swapped[0]["verdict"], "does_not", "{swapped}");
    assert_eq!(swapped[0]["interval"]["level"], 0.9);
    assert_eq!(
        (&swapped[1]["speedup"], &swapped[1]["place"]),
        (&json!(1.0), &json!(1))
    );
    assert_eq!(swapped[1]["verdict"], "too_close", "{swapped}");

    // Both times there are known: what was measured stands beside.
    let timed = |variant: &str| {
        let time_s = time_s("gpu", 6, 2, variant);
        json!({ "counters": counters(6, 2, variant), "measured": { "device": gpu, "time_s": time_s } })
    };
    let both = ask(json!({ "before": timed("global"), "after": [timed("local")] })).await;
    assert!(
        (number(&both[0]["measured"]) / speedup("gpu", 6, 2) - 1.0).abs() < 1e-9,
        "{both}"
    );

    // One model forecasts both: what only one has counts for neither.
    let mut more = counters(6, 2, "global");
    more["ncu"] = json!({ "a": 1 });
    more["oclgrind"]["load_local"] = json!(7);
    let same = ask(json!({ "before": { "counters": more } })).await;
    assert!(
        (number(&same[0]["speedup"]) / ratio_found - 1.0).abs() < 1e-12,
        "{same}"
    );

    // Far beyond what the model has seen there is no verdict.
    let mut far = counters(6, 2, "global");
    far["oclgrind"]["instructions"] = json!(1e15);
    far["oclgrind"]["load_global_bytes"] = json!(1e15);
    let far = ask(json!({ "before": { "counters": far } })).await;
    assert_eq!(far[0]["no_verdict"], "doubtful", "{far}");
    assert_eq!(far[0].get("verdict"), None, "{far}");

    // On the CPU by the GPU's counters.
    let across = ask(json!({ "devices": [cpu], "counted_on": gpu })).await;
    assert!(
        (number(&across[0]["speedup"]) / speedup("cpu", 6, 2))
            .ln()
            .abs()
            < 0.5,
        "{across}"
    );

    for (extra, field) in wrong_fields() {
        server
            .refuses("/v1/speedups", &question(extra), field)
            .await;
    }
}
