//! From an upload to models and their validation.
#![allow(clippy::unwrap_used, reason = "a test ends where it can go no further")]

mod common;

use axum::http::StatusCode;
use common::{Server, sample, samples, time};
use serde_json::{Value, json};
use sqlx::PgPool;

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

#[sqlx::test(migrations = "../migrations")]
async fn an_upload_is_followed_by_a_validated_fit(pool: PgPool) {
    let server = Server::new(pool).await;
    server.upload(&samples()).await;
    assert_ne!(
        server.get("/v1/jobs").await.1["pending"],
        0,
        "the upload asks for the fit itself"
    );
    server.fitted().await;

    // All variants, and the paper's two, for each provider.
    let models = server.items("/v1/models?provider=oclgrind").await;
    let variants: Vec<_> = models
        .iter()
        .map(|it| it["specification"]["variant"].as_str())
        .collect();
    assert_eq!(variants, [Some("local"), Some("global"), None]);
    let all = &models[2];
    assert_eq!(
        all["specification"]["counters"],
        json!([
            "oclgrind:load_global",
            "oclgrind:store_global",
            "launch:work_groups"
        ])
    );
    assert_eq!((&all["samples"], &all["kernels"]), (&json!(24), &json!(4)));
    assert_eq!(models.iter().filter(|it| it["champion"] == true).count(), 1);

    // The samples' times are linear in loads and stores, so the fit finds what a load costs.
    let id = all["id"].as_str().unwrap();
    let (_, model) = server.get(&format!("/v1/models/{id}")).await;
    let fit = &model["fit"];
    assert_eq!(fit["coefficients"][0]["counter"], "oclgrind:load_global");
    assert!((number(&fit["coefficients"][0]["per_event"]) / 1e-6 - 1.0).abs() < 1e-9);
    assert!((number(&fit["coefficients"][1]["per_event"]) / 3e-6 - 1.0).abs() < 1e-9);
    assert_eq!(fit["dropped"][0]["counter"], "launch:work_groups");
    assert_eq!(model["sample_ids"].as_array().unwrap().len(), 24);

    let (_, validation) = server.get(&format!("/v1/models/{id}/validation")).await;
    let keys: Vec<_> = validation["hold_outs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["key"])
        .collect();
    assert_eq!(keys, ["kernel", "row"]);
    for hold_out in validation["hold_outs"].as_array().unwrap() {
        assert_eq!(hold_out["kernels"].as_array().unwrap().len(), 4);
        for row in hold_out["rows"].as_array().unwrap() {
            assert!(
                (number(&row["predicted"]) / number(&row["measured"]) - 1.0).abs() < 1e-9,
                "{row}"
            );
        }
    }
    let (_, csv) = server
        .get(&format!("/v1/models/{id}/validation?format=csv"))
        .await;
    assert_eq!(csv.as_str().unwrap().lines().count(), 1 + 2 * 24);
}

#[sqlx::test(migrations = "../migrations")]
async fn too_few_samples_are_a_refusal_that_says_so(pool: PgPool) {
    let server = Server::new(pool).await;
    server.upload(&[sample(0, 0), sample(1, 2)]).await;
    server.fitted().await;
    let models = server.items("/v1/models?provider=oclgrind").await;
    for model in &models {
        assert!(
            model["refusal"]
                .as_str()
                .unwrap()
                .contains("too few rows ("),
            "{model}"
        );
        assert_eq!(
            (&model["champion"], model.get("leave_one_kernel_out")),
            (&json!(false), None)
        );
    }
    let id = models[0]["id"].as_str().unwrap();
    let (status, validation) = server.get(&format!("/v1/models/{id}/validation")).await;
    assert_eq!(
        (status, &validation["hold_outs"]),
        (StatusCode::OK, &json!([]))
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn weaknesses_are_warnings(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut batch = samples();
    for sample in &mut batch[..3] {
        sample["readings"]["oclgrind"]["counters"]
            .as_object_mut()
            .unwrap()
            .remove("store_global");
    }
    batch[4]["readings"]["oclgrind"]["scope"] = json!("first_and_last_group");
    // Times that grow faster than any counter: the line through the others is below 0 at small sizes.
    for (i, sample) in (0..).zip(&mut batch) {
        sample["times"]["repetitions_s"] = json!([1e-6 * 20f64.powi(i % 6)]);
    }
    server.upload(&batch).await;
    server.fitted().await;
    let models = server.items("/v1/models?provider=oclgrind").await;
    let all = models
        .iter()
        .find(|it| it["specification"].get("variant").is_none())
        .unwrap();
    assert_eq!(all["samples"], 21);
    let warnings = all["warnings"].to_string();
    for expected in [
        "3 of 24 samples lack oclgrind:store_global and are left out",
        "1 of 21 samples have oclgrind counters of the first and last work-groups",
        "forecasts are at or below 0",
    ] {
        assert!(
            warnings.contains(expected),
            "{expected:?} is not in {warnings}"
        );
    }
    let negative = number(&all["leave_one_kernel_out"]["negative"]);
    assert!(negative > 0.0, "{all}");
}

#[sqlx::test(migrations = "../migrations")]
async fn a_model_that_could_not_forecast_every_kernel_is_no_champion_over_one_that_could(
    pool: PgPool,
) {
    let server = Server::new(pool).await;
    // Without kernel 0, three rows are left: enough for one counter, not for two.
    let batch: Vec<Value> = (0..7)
        .map(|n| sample(0, n))
        .chain((1..4).map(|n| sample(1, n)))
        .collect();
    server.upload(&batch).await;
    server.fitted().await;
    let device = server.items("/v1/devices").await[0]["id"].clone();
    let one_counter =
        json!({ "device": device, "provider": "oclgrind", "counters": ["oclgrind:load_global"] });
    let (_, made) = server.post("/v1/models", one_counter.to_string()).await;

    let models = server.items("/v1/models?provider=oclgrind").await;
    let of_all_variants: Vec<_> = models
        .iter()
        .filter(|it| it["specification"].get("variant").is_none())
        .collect();
    let [modest, exact] = of_all_variants[..] else {
        panic!("{models:?}")
    };
    assert_eq!(modest["id"], made["id"], "the newest comes first");
    let errors = |model: &Value| model["leave_one_kernel_out"].clone();
    assert_eq!(errors(exact)["unpredicted"], 7, "{exact}");
    assert!(number(&errors(exact)["mean_ape"]) < 1e-6, "{exact}");
    assert_eq!(errors(modest)["unpredicted"], 0, "{modest}");
    assert!(number(&errors(modest)["mean_ape"]) > 1e-3, "{modest}");
    assert_eq!(
        (&modest["champion"], &exact["champion"]),
        (&json!(true), &json!(false))
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn newer_samples_supersede_models_also_when_the_default_counters_change(pool: PgPool) {
    let server = Server::new(pool).await;
    server.upload(&samples()).await;
    server.fitted().await;
    let old = server.items("/v1/models").await;
    let mut more = samples();
    for sample in &mut more {
        sample["readings"]["oclgrind"]["counters"]["br"] = json!(7);
    }
    server.upload(&more).await;
    server.fitted().await;

    let current = server.items("/v1/models").await;
    assert_eq!(current.len(), old.len());
    let all = server.items("/v1/models?superseded=true").await;
    assert_eq!(all.len(), 2 * old.len());
    for model in &old {
        let id = model["id"].as_str().unwrap();
        let (_, model) = server.get(&format!("/v1/models/{id}")).await;
        assert_eq!(
            (&model["superseded"], &model["champion"]),
            (&json!(true), &json!(false))
        );
    }
    let counters = current
        .iter()
        .map(|it| it["specification"]["counters"].to_string());
    assert_eq!(counters.filter(|it| it.contains("oclgrind:br")).count(), 3);
}

#[sqlx::test(migrations = "../migrations")]
async fn a_model_on_request_is_made_once_and_kept_up_to_date(pool: PgPool) {
    let server = Server::new(pool).await;
    server.upload(&samples()).await;
    server.fitted().await;
    let device = server.items("/v1/devices").await[0]["id"].clone();
    let specification =
        json!({ "device": device, "provider": "oclgrind", "counters": ["oclgrind:load_global"] });
    let (status, model) = server.post("/v1/models", specification.to_string()).await;
    assert_eq!(status, StatusCode::CREATED, "{model}");
    let (status, again) = server.post("/v1/models", specification.to_string()).await;
    assert_eq!((status, &again["id"]), (StatusCode::OK, &model["id"]));

    let default = json!({ "device": device, "provider": "oclgrind" });
    let (status, _) = server.post("/v1/models", default.to_string()).await;
    assert_eq!(
        status,
        StatusCode::OK,
        "the upload's own fit is the default"
    );

    server.upload(&samples()).await;
    server.fitted().await;
    let models = server.items("/v1/models").await;
    let named: Vec<_> = models
        .iter()
        .filter(|it| it["specification"]["counters"] == json!(["oclgrind:load_global"]))
        .collect();
    assert_eq!(named.len(), 1);
    assert_eq!(named[0]["samples"], 48);
}

#[sqlx::test(migrations = "../migrations")]
async fn a_specification_that_names_nothing_is_refused(pool: PgPool) {
    let server = Server::new(pool).await;
    server.upload(&samples()).await;
    let device = server.items("/v1/devices").await[0]["id"].clone();
    for (change, field) in [
        (json!({ "device": 999 }), "/device"),
        (json!({ "provider": "ncu" }), "/provider"),
        (json!({ "provider": "n\0" }), "/provider"),
        (json!({ "method": "magic" }), "/method"),
        (json!({ "variant": "other" }), "/variant"),
        (json!({ "counters": ["load_global"] }), "/counters/0"),
        (
            json!({ "counters": ["launch:work_groups", "launch:work_groups"] }),
            "/counters/1",
        ),
    ] {
        let mut specification = json!({ "device": device, "provider": "oclgrind" });
        for (name, value) in change.as_object().unwrap() {
            specification[name] = value.clone();
        }
        let (status, problem) = server.post("/v1/models", specification.to_string()).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        assert_eq!(problem["errors"][0]["field"], field);
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn a_provider_of_ones_own_is_fitted_to_the_counters_that_all_samples_have(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut batch = samples();
    for (i, sample) in (0..).zip(&mut batch) {
        let (joules, extra) = (f64::from(i * i), f64::from(i));
        sample["times"]["repetitions_s"] = json!([time(joules, 0.0)]);
        sample["readings"] =
            json!({ "meter": { "counters": { "joules": joules, "extra": extra } } });
    }
    batch[0]["readings"]["meter"]["counters"]
        .as_object_mut()
        .unwrap()
        .remove("extra");
    server.upload(&batch).await;
    server.fitted().await;
    let models = server.items("/v1/models?provider=meter").await;
    assert_eq!(models.len(), 3);
    assert_eq!(
        models[2]["specification"]["counters"],
        json!(["meter:joules"])
    );
    assert_eq!(models[2]["samples"], 24);
}

#[sqlx::test(migrations = "../migrations")]
async fn counters_that_hold_the_time_are_no_defaults(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut batch = samples();
    for sample in &mut batch {
        let loads = sample["readings"]["oclgrind"]["counters"]["load_global"].clone();
        sample["readings"] = json!({ "rocprofv3": { "counters": {
            "GRBM_GUI_ACTIVE": 5, "VALUBusy": 7, "TCC_REQ_sum": loads, "UNHEARD_OF": 3,
        } } });
    }
    server.upload(&batch).await;
    server.fitted().await;
    let models = server.items("/v1/models?provider=rocprofv3").await;
    assert_eq!(
        models[2]["specification"]["counters"],
        json!(["rocprofv3:TCC_REQ_sum", "rocprofv3:UNHEARD_OF"])
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn many_flagged_samples_are_a_warning_and_few_are_not(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut batch = samples();
    batch[0]["flags"] = json!(["throttled", "outliers"]);
    batch[1]["flags"] = json!(["throttled"]);
    server.upload(&batch).await;
    server.fitted().await;
    let warnings = async || {
        let models = server.items("/v1/models?provider=oclgrind").await;
        let all = |model: &&Value| model["specification"].get("variant").is_none();
        models.iter().find(all).unwrap()["warnings"].to_string()
    };
    let few = warnings().await;
    assert!(!few.contains("flagged"), "2 of 24 are no tenth: {few}");
    let mut third = sample(0, 6);
    third["flags"] = json!(["shared"]);
    server.upload(&[third]).await;
    server.fitted().await;
    let many = warnings().await;
    for expected in [
        "2 of 25 samples are flagged throttled",
        "1 of 25 samples are flagged shared",
        "1 of 25 samples are flagged outliers",
    ] {
        assert!(many.contains(expected), "{expected:?} is not in {many}");
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn a_job_that_fails_is_shown_and_tried_again(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let broken = "ALTER TABLE model_counters RENAME TO elsewhere";
    sqlx::query(broken).execute(&pool).await.unwrap();
    server.upload(&samples()).await;
    // `launch` has nothing to store there: its one counter is constant, so its models are refusals.
    let jobs = loop {
        let (_, jobs) = server.get("/v1/jobs").await;
        if jobs["jobs"]
            .as_array()
            .unwrap()
            .iter()
            .all(|job| job["attempts"] == 1)
        {
            break jobs;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    };
    assert_eq!(
        (&jobs["pending"], &jobs["jobs"][0]["provider"]),
        (&json!(1), &json!("oclgrind"))
    );
    assert!(
        jobs["jobs"][0]["last_error"]
            .as_str()
            .unwrap()
            .contains("the fit failed"),
        "{jobs}"
    );
    let models = server.items("/v1/models?provider=oclgrind").await;
    assert_eq!(models, [] as [Value; 0], "half a job is none");

    sqlx::query("ALTER TABLE elsewhere RENAME TO model_counters")
        .execute(&pool)
        .await
        .unwrap();
    sqlx::query("UPDATE fitting_jobs SET retry_at = now()")
        .execute(&pool)
        .await
        .unwrap();
    server.fitted().await;
    assert_eq!(server.items("/v1/models?provider=oclgrind").await.len(), 3);

    // Failed too often, it waits for the next upload.
    sqlx::query("INSERT INTO fitting_jobs (device_id, provider, attempts) SELECT id, 'oclgrind', 3 FROM devices")
        .execute(&pool)
        .await
        .unwrap();
    let (_, jobs) = server.get("/v1/jobs").await;
    assert_eq!(
        (&jobs["pending"], &jobs["jobs"][0]["given_up"]),
        (&json!(0), &json!(true))
    );
    server.upload(&samples()).await;
    server.fitted().await;
    assert_eq!(server.get("/v1/jobs").await.1["jobs"], json!([]));
}

#[sqlx::test(migrations = "../migrations")]
async fn fits_that_wait_for_another_keep_no_connection(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    server.upload(&samples()).await;
    server.fitted().await;
    let device = server.items("/v1/devices").await[0]["id"].clone();
    // As a fit of the device that is under way.
    let mut fit = pool.begin().await.unwrap();
    let lock = "SELECT pg_advisory_xact_lock(x'6b636173'::integer, id) FROM devices";
    sqlx::query(lock).execute(&mut *fit).await.unwrap();

    let connections = pool.options().get_max_connections();
    let post = async |_| {
        let one = json!({ "device": device, "provider": "oclgrind", "counters": ["oclgrind:load_global"] });
        server.post("/v1/models", one.to_string()).await.0
    };
    let waiting = futures_util::future::join_all((0..2 * connections).map(post));
    let others = async {
        // Each of these needs a connection while all of those wait.
        for _ in 0..20 {
            assert_eq!(server.items("/v1/devices").await.len(), 1);
        }
        fit.rollback().await.unwrap();
    };
    let (statuses, ()) = tokio::join!(waiting, others);
    let count = |wanted| statuses.iter().filter(|&&status| status == wanted).count();
    assert_eq!(count(StatusCode::CREATED), 1, "{statuses:?}");
    assert_eq!(count(StatusCode::OK), statuses.len() - 1, "{statuses:?}");
}
