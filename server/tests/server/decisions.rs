//! What admins decide of samples: it holds, it can be taken back, and the log tells of it.

use std::collections::BTreeSet;

use crate::common::{
    ADMIN, Server, add_token, by, each,
    honest::{honest, of_standing},
    run, sample, samples, scalar,
};
use axum::http::StatusCode;
use kerncast_wire::TokenRole;
use serde_json::{Value, json};
use sqlx::PgPool;
use uuid::Uuid;

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
        let counted = (&would["samples"], &would["dry_run"]);
        assert_eq!(counted, (&json!(n), &json!(true)), "{selection}");
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
    let actions = log.iter().map(|it| [&it["action"], &it["actor"]]);
    let actions: Vec<_> = actions
        .map(|it| it.map(|it| it.as_str().unwrap()))
        .collect();
    assert_eq!(
        actions,
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
    let reason_and_count = (&rejected["reason"], &rejected["samples"]);
    assert_eq!(reason_and_count, (&json!("a test"), &json!(6)));
    assert!(rejected["token"].is_number());
    // No secret is in it.
    let text = json!(log).to_string();
    assert!(!text.contains(made["token"].as_str().unwrap()));
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
            let specification = &it["specification"];
            (specification["device"] == device || specification["counted_on"] == device)
                && it["rank"].is_number()
        };
        models.iter().filter(of).count()
    };
    assert!(answering().await > 10);
    assert!(!server.items("/v1/pairs").await.is_empty());
    server.decide("reject", &json!({ "device": device })).await;
    server.fitted().await;
    assert_eq!(answering().await, 0);
    let question = json!({ "counters": { "oclgrind": { "load_global": 1.0 } }, "device": device });
    server
        .refuses("/v1/predictions", &question, "/device")
        .await;
    assert!(server.items("/v1/pairs").await.is_empty());
    server.decide("restore", &json!({ "device": device })).await;
    server.fitted().await;
    assert!(!server.items("/v1/pairs").await.is_empty());
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
