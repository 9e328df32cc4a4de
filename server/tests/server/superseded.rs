//! Fits that were superseded are dropped after a while; what is said of them stays.

use std::time::Duration;

use crate::common::{Server, sample, samples};
use axum::http::StatusCode;
use kerncast_server::upkeep::drop_fits;
use serde_json::{Value, json};
use sqlx::PgPool;

/// The oldest model by counters of Oclgrind that has a fit.
async fn oldest(server: &Server) -> Value {
    let models = server
        .items("/v1/models?provider=oclgrind&superseded=true&limit=1000")
        .await;
    let mut fitted = models
        .into_iter()
        .rev()
        .filter(|it| it.get("refusal").is_none());
    fitted.next().unwrap()
}

#[sqlx::test(migrations = "../migrations")]
async fn a_superseded_fit_is_dropped_and_its_figures_stay(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    server.fit(&samples()).await;
    let model = oldest(&server).await;
    let path = format!("/v1/models/{}", model["id"].as_str().unwrap());
    // Nothing has superseded it.
    assert_eq!(drop_fits(&pool, Duration::ZERO).await.unwrap(), 0);
    assert!(server.get(&path).await.1.get("fit").is_some());

    server.fit(&[sample(4, 1), sample(4, 2)]).await;
    let (_, superseded) = server.get(&path).await;
    assert_eq!(superseded["superseded"], true);
    let (_, validation) = server.get(&format!("{path}/validation")).await;
    // It was superseded just now.
    let hour = Duration::from_secs(3600);
    assert_eq!(drop_fits(&pool, hour).await.unwrap(), 0);

    assert!(drop_fits(&pool, Duration::ZERO).await.unwrap() > 0);
    let (status, left) = server.get(&path).await;
    assert_eq!(status, StatusCode::OK);
    assert!(left.get("fit").is_none(), "{left}");
    let at = left["fit_dropped_at"].as_str().unwrap();
    let mut expected = superseded.clone();
    expected.as_object_mut().unwrap().remove("fit");
    expected["fit_dropped_at"] = json!(at);
    assert_eq!(left, expected, "the figures stay");
    assert_eq!(
        server.get(&format!("{path}/validation")).await.1,
        validation
    );

    let counters = json!({ "oclgrind": sample(0, 0)["readings"]["oclgrind"]["counters"] });
    let request = json!({ "model": model["id"], "counters": counters });
    let (status, problem) = server.post("/v1/predictions", request.to_string()).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
    let detail = problem["detail"].as_str().unwrap();
    assert!(
        detail.contains(&format!("dropped on {}", &at[..10])),
        "{detail}"
    );

    // Those that answer have theirs still.
    let answering = json!({ "counters": counters });
    server.posted("/v1/predictions", &answering).await;
}
