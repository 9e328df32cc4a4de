//! One sample, or many, cannot break a device's forecasts; an admin decides, and takes it back.

use std::collections::BTreeSet;

use crate::common::{
    ADMIN, Server, a_day_passes, add_token, by, each, number, run, sample, samples, scalar,
};
use axum::http::StatusCode;
use kerncast_wire::TokenRole;
use serde_json::{Value, json};
use sqlx::PgPool;
use uuid::Uuid;

/// One that was measured on the honest day, and fitted.
async fn honest(pool: &PgPool) -> Server {
    let server = Server::new(pool.clone()).await;
    server.fit(&samples()).await;
    a_day_passes(pool).await;
    server
}

/// Seconds that the champion says of the counters of a sample.
async fn forecast(server: &Server) -> f64 {
    let readings = &sample(1, 3)["readings"];
    let counters = json!({
        "oclgrind": readings["oclgrind"]["counters"], "launch": readings["launch"]["counters"],
    });
    let said = server.forecast(&json!({ "counters": counters })).await;
    number(&said["time_s"])
}

/// What an honest agent measures on a day, times by this factor longer.
fn of_day(day: &str, factor: f64) -> Vec<Value> {
    let all = samples().into_iter().map(|it| by("lab-3", it, factor));
    each(all.collect(), &json!({ "measured_at": day }))
}

async fn of_standing(server: &Server, standing: &str) -> Vec<Value> {
    assert!(server.attention("job_failing").await.is_empty());
    server
        .items(&format!("/v1/samples?standing={standing}&limit=1000"))
        .await
}

#[sqlx::test(migrations = "../migrations")]
async fn one_sample_of_a_nanosecond_moves_no_forecast_and_is_named(pool: PgPool) {
    let server = honest(&pool).await;
    let before = forecast(&server).await;
    let mut wrong = by("lab-9", sample(1, 3), 1.0);
    wrong["times"]["repetitions_s"] = json!([1e-9]);
    assert_eq!(server.upload(&[wrong.clone()]).await["stored"], 1);
    server.fitted().await;

    assert_eq!(forecast(&server).await.to_bits(), before.to_bits());
    let set_aside = of_standing(&server, "quarantined").await;
    assert_eq!(set_aside.len(), 1);
    assert_eq!(set_aside[0]["id"], wrong["id"]);
    let reason = set_aside[0]["standing_reason"].as_str().unwrap();
    assert!(!reason.is_empty());
    let path = format!("/v1/samples/{}", wrong["id"].as_str().unwrap());
    assert_eq!(server.get(&path).await.1["standing"], "quarantined");
    // All of them are listed, also as CSV.
    assert_eq!(server.items("/v1/samples?limit=1000").await.len(), 25);
    let csv = server.get("/v1/samples?format=csv").await.1;
    let csv = csv.as_str().unwrap();
    assert!(csv.contains("\"standing\"") && csv.contains("\"quarantined\""));

    let named = server.attention("samples_quarantined").await;
    assert_eq!(named.len(), 1, "{named:?}");
    assert_eq!(named[0]["agent"], "lab-9");
    assert_eq!(
        named[0]["device"],
        server.items("/v1/devices").await[0]["id"]
    );
    assert!(
        named[0]["detail"].as_str().unwrap().contains(reason),
        "{named:?}"
    );
    for model in server.items("/v1/models?limit=1000").await {
        let warnings = model["warnings"].to_string();
        assert!(
            warnings.contains("1 samples of the device are quarantined and left out"),
            "{warnings}"
        );
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn what_no_clock_resolves_is_refused_at_the_door(pool: PgPool) {
    let server = honest(&pool).await;
    for (time, stored) in [(5e-324, 0), (0.9e-9, 0), (1e-9, 1)] {
        let mut wrong = sample(1, 3);
        wrong["times"]["repetitions_s"] = json!([1e-3, time]);
        let verdict = server.upload(&[wrong]).await;
        assert_eq!(verdict["stored"], stored, "{verdict}");
        if stored == 0 {
            let problem = &verdict["verdicts"][0]["problems"][0];
            assert_eq!(problem["field"], "/samples/0/times/repetitions_s/1");
            assert_eq!(problem["value"], format!("{time:e}"));
            assert!(
                problem["expected"]
                    .as_str()
                    .unwrap()
                    .contains("at least 1e-9")
            );
        }
    }
    server.fitted().await;
    assert!(server.attention("job_failing").await.is_empty());
}

#[sqlx::test(migrations = "../migrations")]
async fn a_third_of_all_by_a_thousandth_and_all_by_a_thousand_move_nothing(pool: PgPool) {
    let server = honest(&pool).await;
    let before = forecast(&server).await;
    let faster: Vec<Value> = samples()
        .drain(..8)
        .map(|it| by("lab-8", it, 1e-3))
        .collect();
    server.fit(&faster).await;
    assert_eq!(forecast(&server).await.to_bits(), before.to_bits());
    let slower: Vec<Value> = samples()
        .into_iter()
        .map(|it| by("lab-9", it, 1e3))
        .collect();
    server.fit(&slower).await;
    assert_eq!(forecast(&server).await.to_bits(), before.to_bits());
    let named = server.attention("samples_quarantined").await;
    let agents: Vec<&Value> = named.iter().map(|it| &it["agent"]).collect();
    assert_eq!(agents, ["lab-9", "lab-8"]);
    assert!(server.attention("model_held").await.is_empty());
}

#[sqlx::test(migrations = "../migrations")]
async fn times_leave_out_what_is_set_aside_and_find_the_newest_that_is_not(pool: PgPool) {
    let server = honest(&pool).await;
    let times = "/v1/kernels/kernel_1/times?limit=1000";
    let history = "/v1/kernels/kernel_1/history?limit=1000";
    let (before, history_before) = (server.items(times).await, server.items(history).await);
    let wrong: Vec<Value> = (0..6).map(|n| by("lab-9", sample(1, n), 1e-4)).collect();
    server.fit(&wrong).await;
    let mut after = server.items(times).await;
    // They are counted: they are there.
    for time in &mut after {
        assert_eq!(time["samples"], 2);
        time["samples"] = json!(1);
    }
    assert_eq!(after, before);
    assert_eq!(server.items(history).await, history_before);
    let device = before[0]["device"].clone();
    server.decide("reject", &json!({ "device": device })).await;
    server.fitted().await;
    assert!(server.items(times).await.is_empty());
    server.decide("restore", &json!({ "agent": "lab-3" })).await;
    server.fitted().await;
    assert_eq!(server.items(times).await.len(), before.len());
    // A new one of a series that had none in use.
    server.fit(&[by("lab-3", sample(1, 3), 1.0)]).await;
    let newest = server.items("/v1/samples?limit=1").await[0]["id"].clone();
    let times = server.items(times).await;
    assert!(times.iter().any(|it| it["sample"] == newest), "{times:?}");
}

#[sqlx::test(migrations = "../migrations")]
async fn samples_are_rejected_by_id_agent_token_and_time_span_and_restored_by_one_command(
    pool: PgPool,
) {
    add_token(&pool, "lab-3's", TokenRole::Agent).await;
    let server = Server::new(pool.clone()).await;
    let theirs = json!({ "samples": samples()[..6] }).to_string();
    let (status, verdict) = server.by("lab-3's", "POST", "/v1/samples", theirs).await;
    assert_eq!((status, &verdict["stored"]), (StatusCode::OK, &json!(6)));
    let others: Vec<Value> = samples()[6..]
        .iter()
        .map(|it| by("lab-4", it.clone(), 1.0))
        .collect();
    server.fit(&others).await;
    let first = server.items("/v1/models?limit=1000").await;
    let device = &server.items("/v1/devices").await[0]["id"];
    let tokens = server.by(ADMIN, "GET", "/v1/tokens", "").await.1;
    let token = tokens["items"]
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["name"] == "lab-3's")
        .unwrap()["id"]
        .clone();
    for (selection, n) in [
        (json!({ "ids": [others[0]["id"], others[1]["id"]] }), 2),
        (json!({ "token": token }), 6),
        (json!({ "device": device }), 24),
        (json!({ "kernel": "kernel_2" }), 6),
        (
            json!({ "stored_from": "2026-01-01T00:00:00Z", "agent": "lab-3" }),
            6,
        ),
        (json!({ "stored_before": "2026-01-01T00:00:00Z" }), 0),
        (json!({ "standing": "sound" }), 24),
    ] {
        let tried = json!({
            "decision": "reject", "samples": selection, "reason": "a test", "dry_run": true,
        });
        let would = server.posted("/v1/decisions", &tried).await;
        let said = (&would["samples"], &would["dry_run"]);
        assert_eq!(said, (&json!(n), &json!(true)), "{selection}");
    }
    assert!(of_standing(&server, "rejected").await.is_empty());

    let theirs = json!({ "agent": "lab-4" });
    let decided = server.decide("reject", &theirs).await;
    assert_eq!(decided["samples"], 18);
    let devices = decided["devices"].as_array().unwrap();
    assert_eq!(devices.len(), 1);
    let first_of = (&devices[0]["device"], &devices[0]["samples"]);
    assert_eq!(first_of, (device, &json!(18)));
    let jobs = server.get("/v1/jobs").await.1;
    assert_ne!(jobs["items"], json!([]), "fits follow");
    server.fitted().await;
    let rejected = of_standing(&server, "rejected").await;
    assert_eq!(rejected.len(), 18);
    for sample in &rejected {
        assert_eq!(sample["standing_reason"], "a test");
        assert_eq!(sample["standing_by"], ADMIN);
    }
    // No model that answers knows them any more.
    for model in server.items("/v1/models?limit=1000").await {
        let ids = server.model(&model["id"]).await["sample_ids"].to_string();
        for sample in &rejected {
            assert!(!ids.contains(sample["id"].as_str().unwrap()), "{model}");
        }
    }
    let again = server.decide("reject", &theirs).await;
    assert_eq!(again["samples"], 0, "again is nothing");
    let rejected = json!({ "standing": "rejected" });
    let restored = server.decide("restore", &rejected).await;
    assert_eq!(restored["samples"], 18);
    server.fitted().await;
    assert_eq!(of_standing(&server, "sound").await.len(), 24);
    let champions = |models: &[Value]| {
        let champions = models.iter().filter(|it| it["champion"] == true);
        let champions = champions
            .map(|it| json!([it["specification"], it["leave_one_kernel_out"]]).to_string());
        champions.collect::<BTreeSet<String>>()
    };
    let models = server.items("/v1/models?limit=1000").await;
    assert_eq!(champions(&models), champions(&first));
}

#[sqlx::test(migrations = "../migrations")]
async fn what_a_decision_lacks_or_nobody_knows_is_named(pool: PgPool) {
    let server = honest(&pool).await;
    for (samples, field) in [
        (json!({}), "/samples"),
        (json!({ "agent": "lab-0" }), "/samples/agent"),
        (json!({ "token": 99 }), "/samples/token"),
        (json!({ "device": 99 }), "/samples/device"),
        (json!({ "kernel": "none" }), "/samples/kernel"),
        (json!({ "ids": [Uuid::now_v7()] }), "/samples/ids"),
    ] {
        let new = json!({ "decision": "reject", "samples": samples, "reason": "a test" });
        server.refuses("/v1/decisions", &new, field).await;
    }
    let all = json!({ "agent": "lab-3" });
    let silent = json!({ "decision": "reject", "samples": all, "reason": " " });
    server.refuses("/v1/decisions", &silent, "/reason").await;
    assert!(of_standing(&server, "rejected").await.is_empty());
}

#[sqlx::test(migrations = "../migrations")]
async fn an_admins_word_is_not_undone_by_the_gate(pool: PgPool) {
    let server = honest(&pool).await;
    let wrong = by("lab-9", sample(1, 3), 1e-4);
    let odd = by("lab-9", sample(2, 2), 1e4);
    server.fit(&[wrong.clone(), odd.clone()]).await;
    assert_eq!(of_standing(&server, "quarantined").await.len(), 2);
    server
        .decide("reject", &json!({ "ids": [wrong["id"]] }))
        .await;
    server
        .decide("accept", &json!({ "ids": [odd["id"]] }))
        .await;
    // Accepting takes what was found sound as it is.
    let sound = json!({ "agent": "lab-3" });
    assert_eq!(server.decide("accept", &sound).await["samples"], 0);
    server.fitted().await;
    server.fit(&[by("lab-3", sample(0, 1), 1.0)]).await;
    let of = |all: Vec<Value>| all.iter().map(|it| it["id"].clone()).collect::<Vec<_>>();
    let rejected = of(of_standing(&server, "rejected").await);
    assert_eq!(rejected, [wrong["id"].clone()]);
    let accepted = of(of_standing(&server, "accepted").await);
    assert_eq!(accepted, [odd["id"].clone()]);
    let newest = server.items("/v1/models?superseded=true&limit=1000").await;
    assert!(newest.iter().any(|it| it["samples"] == 24));
    // Taken back, both are judged again.
    server.decide("restore", &json!({ "agent": "lab-9" })).await;
    server.fitted().await;
    assert_eq!(of_standing(&server, "quarantined").await.len(), 2);
}

#[sqlx::test(migrations = "../migrations")]
async fn an_honest_change_is_accepted_at_the_second_collection(pool: PgPool) {
    let server = honest(&pool).await;
    let before = forecast(&server).await;
    let faster = |day: &str| of_day(day, 0.8);
    server.fit(&faster("2026-11-02T12:00:00Z")).await;
    assert_eq!(forecast(&server).await.to_bits(), before.to_bits());
    assert_eq!(of_standing(&server, "quarantined").await.len(), 24);
    a_day_passes(&pool).await;
    server.fit(&faster("2026-11-03T12:00:00Z")).await;
    assert!(of_standing(&server, "quarantined").await.is_empty());
    let after = forecast(&server).await;
    assert!((after / before - 0.8).abs() < 0.02, "{before} {after}");
    assert!(server.attention("model_held").await.is_empty());
}

#[sqlx::test(migrations = "../migrations")]
async fn a_labs_own_machine_may_differ_throughout_from_the_shipped_one_of_its_name(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let shipped = each(samples(), &json!({ "origin": "shipped" }));
    server.fit(&shipped).await;
    for (day, factor, waiting) in [
        ("2026-11-02T12:00:00Z", 1.12, 0),
        // From now on the lab's own is what is usual.
        ("2026-11-03T12:00:00Z", 1.12, 0),
        ("2026-11-04T12:00:00Z", 1.0, 24),
    ] {
        server.fit(&of_day(day, factor)).await;
        let quarantined = of_standing(&server, "quarantined").await;
        assert_eq!(quarantined.len(), waiting, "{day}: {quarantined:?}");
        a_day_passes(&pool).await;
    }
}

/// Times of half of the kernels by a factor of a hundred, which an admin has taken for true.
async fn poisoned(pool: &PgPool) -> (Server, f64) {
    let server = honest(pool).await;
    let before = forecast(&server).await;
    let wrong: Vec<Value> = samples()
        .into_iter()
        .filter(|it| it["workload"]["kernel"].as_str().unwrap() >= "kernel_2")
        .map(|it| by("lab-9", it, 1e2))
        .collect();
    server.fit(&wrong).await;
    assert_eq!(of_standing(&server, "quarantined").await.len(), 12);
    server.decide("accept", &json!({ "agent": "lab-9" })).await;
    server.fitted().await;
    (server, before)
}

#[sqlx::test(migrations = "../migrations")]
async fn a_champion_that_explodes_is_held_and_the_one_before_answers_until_the_samples_are_rejected(
    pool: PgPool,
) {
    let (server, before) = poisoned(&pool).await;
    assert_eq!(forecast(&server).await.to_bits(), before.to_bits());
    let named = server.attention("model_held").await;
    assert!(!named.is_empty());
    let mut of_oclgrind = named.iter().filter(|it| it["provider"] == "oclgrind");
    let of_oclgrind = of_oclgrind.next().unwrap();
    let detail = of_oclgrind["detail"].as_str().unwrap();
    assert!(
        detail.contains("since the one before have come 12 samples of lab-9"),
        "{detail}"
    );
    let held = server.model(&of_oclgrind["model"]).await;
    assert!(detail.contains(held["held"].as_str().unwrap()));
    assert_eq!(
        (&held["champion"], &held["superseded"]),
        (&json!(false), &json!(false))
    );

    // A later model of the same samples and more waits too, and takes the place of what waited.
    server.fit(&[by("lab-3", sample(0, 1), 1.0)]).await;
    assert_eq!(forecast(&server).await.to_bits(), before.to_bits());
    assert_eq!(server.model(&held["id"]).await["superseded"], true);
    assert!(!server.attention("model_held").await.is_empty());

    server.decide("reject", &json!({ "agent": "lab-9" })).await;
    server.fitted().await;
    assert!(server.attention("model_held").await.is_empty());
    let models = server.items("/v1/models?limit=1000").await;
    assert!(models.iter().all(|it| it.get("held").is_none()));
    assert!((forecast(&server).await / before - 1.0).abs() < 1e-6);
}

#[sqlx::test(migrations = "../migrations")]
async fn a_held_champion_answers_once_an_admin_says_so(pool: PgPool) {
    let (server, before) = poisoned(&pool).await;
    let named = server.attention("model_held").await;
    let model = |it: &Value| it["model"].as_str().unwrap().to_owned();
    let reason = json!({ "reason": "the new kernels are slow" }).to_string();
    for held in &named {
        let path = format!("/v1/models/{}/acceptance", model(held));
        let (status, said) = server.post(&path, r#"{"reason": ""}"#).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{said}");
        let (status, accepted) = server.post(&path, reason.clone()).await;
        assert_eq!(status, StatusCode::OK, "{accepted}");
        assert!(
            accepted.get("held").is_none() && accepted["rank"].is_number(),
            "{accepted}"
        );
        let (status, _) = server.post(&path, reason.clone()).await;
        assert_eq!(status, StatusCode::CONFLICT);
    }
    assert!(server.attention("model_held").await.is_empty());
    assert_ne!(forecast(&server).await.to_bits(), before.to_bits());
    let unknown = format!("/v1/models/{}/acceptance", Uuid::now_v7());
    let (status, _) = server.post(&unknown, reason.clone()).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    // Its own successor is judged beside it.
    server.fit(&[by("lab-3", sample(0, 1), 1.0)]).await;
    assert!(server.attention("model_held").await.is_empty());

    let log = log(&server).await;
    assert_eq!(log[0]["action"], "accept_model");
    assert_eq!(log[0]["reason"], "the new kernels are slow");
    assert_eq!(log[0]["about"]["model"], model(named.last().unwrap()));
}

#[sqlx::test(migrations = "../migrations")]
async fn the_audit_log_says_who_did_what_when_and_why(pool: PgPool) {
    let server = honest(&pool).await;
    let some = json!({ "agent": "lab-3", "kernel": "kernel_1" });
    server.decide("reject", &some).await;
    server.decide("restore", &json!({ "agent": "lab-3" })).await;
    let new = json!({ "role": "reader", "name": "Grafana" }).to_string();
    let (_, made) = server.post("/v1/tokens", new).await;
    let token = &made["summary"]["id"];
    let path = format!("/v1/tokens/{token}");
    server.by(ADMIN, "DELETE", &path, "").await;
    server.by(ADMIN, "DELETE", &path, "").await;

    let mut log = Vec::new();
    let mut path = "/v1/audit?limit=3".to_owned();
    loop {
        let (_, page) = server.by(ADMIN, "GET", &path, "").await;
        log.extend(page["items"].as_array().unwrap().clone());
        let Some(next) = page["next"].as_str() else {
            break;
        };
        path = format!("/v1/audit?limit=3&cursor={next}");
    }
    let told = log.iter().map(|it| [&it["action"], &it["actor"]]);
    let told: Vec<_> = told.map(|it| it.map(|it| it.as_str().unwrap())).collect();
    assert_eq!(
        told,
        [
            ["revoke_token", ADMIN],
            ["make_token", ADMIN],
            ["restore_samples", ADMIN],
            ["reject_samples", ADMIN],
            ["make_token", "command line"],
        ]
    );
    assert_eq!(log[1]["about"]["token"], *token);
    let rejected = &log[3];
    assert_eq!(rejected["about"], some);
    let said = (&rejected["reason"], &rejected["samples"]);
    assert_eq!(said, (&json!("a test"), &json!(6)));
    assert!(rejected["token"].is_number());
    // No secret is in it.
    let text = json!(log).to_string();
    assert!(!text.contains(made["token"].as_str().unwrap()));
}

#[sqlx::test(migrations = "../migrations")]
async fn shipped_data_and_a_devices_other_origins_are_told_apart(pool: PgPool) {
    let server = Server::new(pool).await;
    let shipped = each(samples(), &json!({ "origin": "shipped" }));
    server.upload(&shipped).await;
    // Sound at once.
    assert_eq!(of_standing(&server, "sound").await.len(), 24);
    server.fitted().await;
    let mut imported = by("lab-9", sample(1, 3), 1e-4);
    imported["origin"] = json!("imported");
    server.fit(&[imported]).await;
    assert_eq!(of_standing(&server, "quarantined").await.len(), 1);
    let filtered = "/v1/samples?standing=quarantined&kernel=kernel_1&variant=local&origin=imported";
    assert_eq!(server.items(filtered).await.len(), 1);
    let others = "/v1/samples?standing=quarantined&kernel=kernel_2";
    assert!(server.items(others).await.is_empty());
}

#[sqlx::test(migrations = "../migrations")]
async fn a_verdict_that_is_due_comes_with_the_job_whoever_ended_before_it(pool: PgPool) {
    let server = honest(&pool).await;
    let before = forecast(&server).await;
    // A server that ends once it has stored them.
    server.stop_fitting();
    let wrong: Vec<Value> = (0..6).map(|n| by("lab-9", sample(1, n), 1e-4)).collect();
    server.upload(&wrong).await;
    assert_eq!(of_standing(&server, "unjudged").await.len(), 6);
    assert_ne!(server.get("/v1/jobs").await.1["pending"], 0);
    drop(server);
    let server = Server::new(pool).await;
    server.fitted().await;
    assert_eq!(of_standing(&server, "quarantined").await.len(), 6);
    assert_eq!(forecast(&server).await.to_bits(), before.to_bits());
}

/// Of two devices, so that each forecasts the other.
#[sqlx::test(migrations = "../migrations")]
async fn where_all_of_a_device_is_rejected_no_model_knows_it_any_more(pool: PgPool) {
    let server = honest(&pool).await;
    let other = samples().into_iter().map(|it| by("lab-4", it, 2.0));
    let other = each(other.collect(), &json!({ "device": { "name": "Other" } }));
    server.fit(&other).await;
    let device = server.device("Other").await;
    let answering = async || {
        let models = server.items("/v1/models?limit=1000").await;
        let of = |it: &&Value| {
            let asked = &it["specification"];
            (asked["device"] == device || asked["counted_on"] == device) && it["rank"].is_number()
        };
        models.iter().filter(of).count()
    };
    assert!(answering().await > 10);
    assert!(!server.items("/v1/pairs").await.is_empty());
    server.decide("reject", &json!({ "device": device })).await;
    server.fitted().await;
    assert_eq!(answering().await, 0);
    let asked = json!({ "counters": { "oclgrind": { "load_global": 1.0 } }, "device": device });
    server.refuses("/v1/predictions", &asked, "/device").await;
    assert!(server.items("/v1/pairs").await.is_empty());
    server.decide("restore", &json!({ "device": device })).await;
    server.fitted().await;
    assert!(!server.items("/v1/pairs").await.is_empty());
}

/// What the log says since it was looked at last, the newest first.
async fn log(server: &Server) -> Vec<Value> {
    let (status, page) = server.by(ADMIN, "GET", "/v1/audit", "").await;
    assert_eq!(status, StatusCode::OK, "{page}");
    page["items"].as_array().unwrap().clone()
}

#[sqlx::test(migrations = "../migrations")]
async fn the_statements_of_a_decision_together_end_before_its_answer_must(pool: PgPool) {
    let server = honest(&pool).await;
    run(&pool, "CREATE TABLE seen (timeout interval);
         CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS $$
             BEGIN INSERT INTO seen VALUES (current_setting('statement_timeout')::interval); RETURN NULL; END
         $$;
         CREATE TRIGGER look AFTER INSERT ON standings EXECUTE FUNCTION look();").await;
    server
        .decide("reject", &json!({ "kernel": "kernel_1" }))
        .await;
    // Seven statements, and half an hour for the answer (`connections.rs`).
    let in_time = "SELECT 7 * max(timeout) <= interval '30 min' FROM seen";
    let in_time: bool = scalar(&pool, in_time).await;
    assert!(in_time);
}
