//! No answer is faster than a device's ceilings allow, and ceilings that workloads exceed bound nothing.

use crate::common::{
    Server, assert_close, eventually,
    forecasts::{
        USUAL, bring_ceilings, counters, fitted, forecast_once, measured, warnings, with_ceilings,
    },
    number, with,
};
use serde_json::{Value, json};
use sqlx::PgPool;

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
        server.attention("ceiling_beaten").await.pop()
    };
    assert_eq!(beaten().await, None, "no ceilings are known");
    let post = async |fp32: f64, measured_at: &str| {
        let of = json!({ "fp32_flop_per_s": fp32 });
        bring_ceilings(&server, of, measured_at, "lab-3").await;
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
    let gpu = server.device("gpu").await;
    let plain = json!({ "device": gpu, "counters": counters(USUAL) });
    let time = number(&server.forecast(&plain).await["time_s"]);
    let of = json!({ "launch_latency_s": time });
    bring_ceilings(&server, of, "2026-11-01T12:00:00Z", "lab-3").await;
    // What is kept of ceilings is told anew a moment later.
    let one = forecast_once(&server, &plain, "floor", true).await;
    assert_eq!(one["floor"]["ceiling"], "launch_latency_s", "{one}");
    assert_close(&one["time_s"], time);
    let mut two = plain.clone();
    two["counters"]["launch"] = json!({ "launches": 2 });
    let two = server.forecast(&two).await;
    assert_close(&two["time_s"], 1.8 * time);
}

#[sqlx::test(migrations = "../migrations")]
async fn no_answer_is_faster_than_the_devices_ceilings(pool: PgPool) {
    let server = fitted(pool).await;
    let gpu = server.device("gpu").await;
    with_ceilings(&server).await;
    let ask = async |seconds: f64| {
        let mut request = json!({ "device": gpu, "counters": counters(USUAL) });
        request["counters"]["oclgrind"]["fmul"] = json!(1e12 * seconds);
        server.forecast(&request).await
    };
    let calm = ask(1e-9).await;
    assert_eq!(calm["floor"]["ceiling"], "fp32_flop_per_s", "{calm}");
    assert_eq!(calm["floor"].get("raised"), None, "{calm}");
    assert_eq!(
        calm["floor"]["bounds"][0]["time_s"],
        calm["floor"]["time_s"]
    );
    assert!(
        calm["explanation"]["shares"][0]["part"].is_string(),
        "{calm}"
    );
    let ends = |answer: &Value| ["low_s", "high_s"].map(|end| number(&answer["interval"][end]));
    let ([low, high], time) = (ends(&calm), number(&calm["time_s"]));
    let adds_up = |answer: &Value| {
        let shares = answer["explanation"]["shares"].as_array().unwrap().iter();
        let sum: f64 = shares.map(|it| number(&it["time_s"])).sum();
        let all = sum + number(&answer["explanation"]["rest_s"]);
        assert_close(&answer["time_s"], all);
    };
    // Between the lower end and the time, then between the time and the upper end, then beyond it.
    let least = (low * time).sqrt();
    let raised = ask(least).await;
    assert_eq!(raised["floor"]["raised"], "low", "{raised}");
    assert_close(&raised["interval"]["low_s"], least);
    assert_eq!((number(&raised["time_s"]), ends(&raised)[1]), (time, high));
    assert_eq!(raised["trust"], calm["trust"]);

    let least = (time * high).sqrt();
    let raised = ask(least).await;
    assert_eq!(raised["floor"]["raised"], "time", "{raised}");
    assert_close(&raised["time_s"], least);
    assert_close(&raised["interval"]["low_s"], least);
    assert_close(&raised["interval"]["high_s"], high);
    adds_up(&raised);

    let raised = ask(10.0 * high).await;
    assert_close(&raised["time_s"], 10.0 * high);
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
    let bounds = async |is_bound: bool| {
        let ask = async || {
            let answer = ask(10.0 * high).await;
            let is_fp32 = answer["floor"]["ceiling"] == "fp32_flop_per_s";
            (is_fp32 == is_bound).then_some(())
        };
        eventually("what fp32_flop_per_s bounds", ask).await;
    };
    let post = async |fp64: f64, measured_at: &str, agent: &str| {
        let of = json!({ "fp32_flop_per_s": 1e12, "fp64_flop_per_s": fp64 });
        bring_ceilings(&server, of, measured_at, agent).await;
    };
    post(2e12, "2026-11-02T12:00:00Z", "lab-3").await;
    bounds(false).await;
    post(1.05e12, "2026-11-03T12:00:00Z", "lab-4").await;
    bounds(true).await;

    // A ceiling that workloads exceed bounds nothing.
    let mut fast = measured("gpu", 0, 1);
    fast["readings"]["oclgrind"]["counters"]["fmul"] = json!(1e14);
    server.fit(&[fast]).await;
    let question = json!({ "device": gpu, "counters": { "oclgrind": { "fmul": 1e13 * high } } });
    let question = with(question, &json!({ "counters": counters(USUAL) }));
    forecast_once(&server, &question, "floor", false).await;
}
