//! Models on request, and models that replace others.

use crate::common::{Server, samples};
use axum::http::StatusCode;
use serde_json::json;
use sqlx::PgPool;

#[sqlx::test(migrations = "../migrations")]
async fn newer_samples_supersede_models_also_when_the_default_counters_change(pool: PgPool) {
    let server = Server::new(pool).await;
    server.fit(&samples()).await;
    let old = server.items("/v1/models").await;
    let mut more = samples();
    for sample in &mut more {
        sample["readings"]["oclgrind"]["counters"]["br"] = json!(7);
    }
    server.fit(&more).await;

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
    let with_branches = counters.filter(|it| it.contains("oclgrind:br")).count();
    assert_eq!(with_branches, 9, "six methods, and the paper's three");
}

#[sqlx::test(migrations = "../migrations")]
async fn a_model_on_request_is_made_once_and_kept_up_to_date(pool: PgPool) {
    let server = Server::new(pool).await;
    server.fit(&samples()).await;
    let device = server.items("/v1/devices").await[0]["id"].clone();
    let specification = json!({
        "device": device, "provider": "oclgrind", "method": "nnls", "counters": ["oclgrind:load_global"],
    });
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

    server.fit(&samples()).await;
    let models = server.items("/v1/models").await;
    let named: Vec<_> = models
        .iter()
        .filter(|it| it["specification"]["counters"] == json!(["oclgrind:load_global"]))
        .collect();
    assert_eq!(named.len(), 1);
    assert_ne!(named[0]["id"], model["id"], "it has the newer samples");
    assert_eq!(named[0]["samples"], 24, "of each workload the newest");
}

#[sqlx::test(migrations = "../migrations")]
async fn a_specification_that_names_nothing_is_refused(pool: PgPool) {
    let server = Server::new(pool).await;
    server.upload(&samples()).await;
    let device = server.items("/v1/devices").await[0]["id"].clone();
    for (change, field) in [
        (json!({ "device": 999 }), "/device"),
        (json!({ "counted_on": 1 }), "/counted_on"),
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
        server.refuses("/v1/models", &specification, field).await;
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn fits_that_wait_for_another_keep_no_connection(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    server.fit(&samples()).await;
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
