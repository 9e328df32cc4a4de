//! From an upload to models and their validation.

use crate::common::{Server, all_variants, number, sample, samples, time};
use axum::http::StatusCode;
use serde_json::{Value, json};
use sqlx::PgPool;

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

    // Every method on all variants, and the paper's on its two.
    let models = server.items("/v1/models?provider=oclgrind").await;
    let mut fitted: Vec<_> = models
        .iter()
        .map(|it| &it["specification"])
        .map(|it| (it["method"].as_str().unwrap(), it["variant"].as_str()))
        .collect();
    fitted.sort_unstable();
    assert_eq!(
        fitted,
        [
            ("forest", None),
            ("nnls", None),
            ("ols", None),
            ("ols", Some("global")),
            ("ols", Some("local")),
            ("per_worker", None),
        ]
    );
    let all = all_variants(&models, "ols");
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
    assert_eq!(keys, ["family", "kernel", "row"]);
    for hold_out in validation["hold_outs"].as_array().unwrap() {
        assert_eq!(hold_out["kernels"].as_array().unwrap().len(), 4);
        for row in hold_out["rows"].as_array().unwrap() {
            assert!(
                (number(&row["predicted"]) / number(&row["measured"]) - 1.0).abs() < 1e-9,
                "{row}"
            );
        }
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn too_few_samples_are_a_refusal_that_says_so(pool: PgPool) {
    let server = Server::new(pool).await;
    server.fit(&[sample(0, 0), sample(1, 2)]).await;
    let models = server.items("/v1/models?provider=oclgrind").await;
    let refused = |model: &&Value| model.get("refusal").is_some();
    assert_eq!(models.iter().filter(refused).count(), 2, "{models:?}");
    for model in &models {
        assert_eq!(model.get("leave_one_kernel_out"), None);
        if model["specification"]["method"] == "ols" {
            let refusal = model["refusal"].as_str().unwrap();
            assert!(refusal.contains("too few rows ("), "{model}");
            assert_eq!(model["champion"], false);
        } else {
            let warnings = model["warnings"].to_string();
            let why = "leaving one kernel out, no fit is left to judge by: too few rows";
            assert!(warnings.contains(why), "{model}");
        }
    }
    let id = all_variants(&models, "ols")["id"].as_str().unwrap();
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
    server.fit(&batch).await;
    let models = server.items("/v1/models?provider=oclgrind").await;
    let all = all_variants(&models, "ols");
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
async fn a_provider_of_ones_own_is_fitted_to_the_counters_that_nearly_all_samples_have(
    pool: PgPool,
) {
    let server = Server::new(pool).await;
    let mut batch = samples();
    for (i, sample) in (0..).zip(&mut batch) {
        let (joules, volts) = (f64::from(i * i), f64::from(i));
        sample["times"]["repetitions_s"] = json!([time(joules, 0.0)]);
        let counters = json!({ "joules": joules, "often": volts, "rare": volts });
        sample["readings"] = json!({ "meter": { "counters": counters } });
    }
    let mut forget = |place: usize, counter: &str| {
        let counters = &mut batch[place]["readings"]["meter"]["counters"];
        counters.as_object_mut().unwrap().remove(counter);
    };
    // 22 of 24 are more than nine in ten, 21 are less.
    (0..2).for_each(|place| forget(place, "often"));
    (3..6).for_each(|place| forget(place, "rare"));
    server.fit(&batch).await;
    let models = server.items("/v1/models?provider=meter").await;
    for method in ["ols", "nnls"] {
        let model = all_variants(&models, method);
        let counters = &model["specification"]["counters"];
        assert_eq!(counters, &json!(["meter:joules", "meter:often"]));
        assert_eq!(model["samples"], 22);
    }
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
    server.fit(&batch).await;
    let models = server.items("/v1/models?provider=rocprofv3").await;
    for method in ["ols", "per_worker"] {
        assert_eq!(
            all_variants(&models, method)["specification"]["counters"],
            json!(["rocprofv3:TCC_REQ_sum", "rocprofv3:UNHEARD_OF"])
        );
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn many_flagged_samples_are_a_warning_and_few_are_not(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut batch = samples();
    batch[0]["flags"] = json!(["throttled", "outliers"]);
    batch[1]["flags"] = json!(["throttled"]);
    server.fit(&batch).await;
    let warnings = async || {
        let models = server.items("/v1/models?provider=oclgrind").await;
        all_variants(&models, "ols")["warnings"].to_string()
    };
    let few = warnings().await;
    assert!(!few.contains("flagged"), "2 of 24 are no tenth: {few}");
    let mut third = sample(0, 6);
    third["flags"] = json!(["shared"]);
    server.fit(&[third]).await;
    let many = warnings().await;
    for expected in [
        "2 of 25 samples are flagged throttled",
        "1 of 25 samples are flagged shared",
        "1 of 25 samples are flagged outliers",
    ] {
        assert!(many.contains(expected), "{expected:?} is not in {many}");
    }
}
