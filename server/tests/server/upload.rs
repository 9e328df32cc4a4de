//! Uploads: one verdict a sample, and nothing stored twice.

use crate::common::{Server, run, sample, samples};
use serde_json::json;
use sqlx::PgPool;

#[sqlx::test(migrations = "../migrations")]
async fn a_sample_comes_back_as_it_was_sent(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut sent = sample(1, 3);
    sent["times"]["launches_per_repetition"] = json!(7);
    sent["times"]["settled"] = json!(true);
    sent["times"]["cold_repetitions_s"] = json!([0.25, 0.5]);
    sent["readings"]["ncu"] = json!({ "scope": "full", "refusal": "no permission" });
    sent["conditions"] = json!({
        "compute_clock_mhz": 1980.0, "memory_clock_mhz": 3201.0, "temperature_c": 41.5, "power_w": 310.25,
        "throttle_reasons": ["hw_thermal_slowdown", "sw_power_cap"], "other_processes": 1,
    });
    sent["flags"] = json!(["throttled", "shared", "outliers"]);
    sent["origin"] = json!("imported");
    server.upload(std::slice::from_ref(&sent)).await;

    let mut stored = server.items("/v1/samples").await.remove(0);
    let fields = stored.as_object_mut().unwrap();
    let time = fields.remove("time").unwrap();
    assert!(fields.remove("received_at").is_some());
    assert!(fields.remove("token").is_some());
    assert!(fields.remove("standing").is_some());
    // What was left to its default comes back said.
    for provider in ["oclgrind", "launch"] {
        sent["readings"][provider]["scope"] = json!("full");
        sent["readings"]["launch"]["counters"]["work_groups"] = json!(16.0);
    }
    assert_eq!(stored, sent);
    assert_eq!(time["median_s"], sent["times"]["repetitions_s"][0]);
    assert_eq!(time["n"], 3);
}

#[sqlx::test(migrations = "../migrations")]
async fn a_batch_sent_again_changes_nothing(pool: PgPool) {
    let server = Server::new(pool).await;
    let batch = samples();
    let first = server.upload(&batch).await;
    assert_eq!(
        (&first["stored"], &first["repeated"]),
        (&json!(24), &json!(0))
    );
    let again = server.upload(&batch).await;
    assert_eq!(
        (&again["stored"], &again["repeated"]),
        (&json!(0), &json!(24))
    );
    assert_eq!(server.items("/v1/samples?limit=1000").await.len(), 24);
}

#[sqlx::test(migrations = "../migrations")]
async fn a_sample_twice_in_a_batch_is_stored_once(pool: PgPool) {
    let server = Server::new(pool).await;
    let (one, mut other) = (sample(0, 1), sample(0, 2));
    other["id"] = one["id"].clone();
    let answer = server.upload(&[one.clone(), one, other]).await;
    let verdicts = answer["verdicts"].as_array().unwrap().iter();
    let verdicts: Vec<_> = verdicts.map(|it| &it["verdict"]).collect();
    assert_eq!(verdicts, ["stored", "repeated", "rejected"]);
    assert_eq!(
        answer["verdicts"][2]["problems"][0]["field"],
        "/samples/2/id"
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn another_sample_under_a_known_id_is_rejected(pool: PgPool) {
    let server = Server::new(pool).await;
    let one = sample(0, 1);
    server.upload(std::slice::from_ref(&one)).await;
    let mut other = one.clone();
    other["times"]["repetitions_s"] = json!([5.0]);
    let answer = server.upload(&[other, sample(0, 2)]).await;
    assert_eq!(
        (&answer["stored"], &answer["rejected"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(
        answer["verdicts"][0]["problems"][0]["field"],
        "/samples/0/id"
    );
    let stored = server.items("/v1/samples").await;
    let stored_once = stored.iter().find(|it| it["id"] == one["id"]).unwrap();
    assert_eq!(stored_once["times"], one["times"]);
}

#[sqlx::test(migrations = "../migrations")]
async fn a_wrong_sample_does_not_sink_the_others(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut wrong = sample(0, 1);
    wrong["times"]["repetitions_s"] = json!([1.0, "fast"]);
    let answer = server
        .upload(&[sample(0, 0), wrong.clone(), sample(0, 2)])
        .await;
    assert_eq!(
        (&answer["stored"], &answer["rejected"]),
        (&json!(2), &json!(1))
    );
    let verdict = &answer["verdicts"][1];
    assert_eq!(verdict["id"], wrong["id"]);
    let expected = json!([{
        "field": "/samples/1/times/repetitions_s/1",
        "value": "\"fast\"",
        "expected": "a number",
    }]);
    assert_eq!(verdict["problems"], expected);
    assert_eq!(server.items("/v1/samples").await.len(), 2);
}

#[sqlx::test(migrations = "../migrations")]
async fn what_a_later_upload_knows_of_a_device_is_kept(pool: PgPool) {
    let server = Server::new(pool).await;
    let (mut first, mut second) = (sample(0, 0), sample(0, 1));
    first["device"] =
        json!({ "vendor": "V", "name": "D", "kind": "gpu", "local_memory_bytes": 1024 });
    second["device"] = json!({ "vendor": "V", "name": "D", "kind": "gpu", "compute_units": 132 });
    server.upload(&[first]).await;
    server.upload(&[second]).await;
    let devices = server.items("/v1/devices").await;
    assert_eq!(devices.len(), 1);
    assert_eq!(devices[0]["compute_units"], 132);
    assert_eq!(devices[0]["local_memory_bytes"], 1024);
    assert_eq!(devices[0]["samples"], 2);
}

#[sqlx::test(migrations = "../migrations")]
async fn batches_that_meet_at_several_devices_and_agents_are_all_stored(pool: PgPool) {
    // As in a database of many devices: each is looked up, in the order that the batch has them.
    run(
        &pool,
        "ALTER FUNCTION store_samples SET enable_hashjoin = off;
        ALTER FUNCTION store_samples SET enable_mergejoin = off;
        ALTER FUNCTION store_samples SET enable_seqscan = off",
    )
    .await;
    let server = Server::new(pool).await;
    // Each batch knows something else of every device, so that every row of it changes.
    let batch = |units: u32| {
        (0..40).map(move |i| {
            let mut sample = sample(0, i);
            sample["device"]["name"] = json!(format!("device {i}"));
            sample["device"]["compute_units"] = json!(units);
            sample["agent"]["name"] = json!(format!("agent {i}"));
            sample
        })
    };
    server.upload(&batch(1).collect::<Vec<_>>()).await;
    for round in 1..=10 {
        let forwards: Vec<_> = batch(2 * round).collect();
        let backwards: Vec<_> = batch(2 * round + 1).rev().collect();
        let (one, two) = tokio::join!(server.upload(&forwards), server.upload(&backwards));
        assert_eq!((&one["stored"], &two["stored"]), (&json!(40), &json!(40)));
    }
}
