//! A server that has fitted what an honest agent measured on one day, and what is asked of it afterwards.

use serde_json::{Value, json};
use sqlx::PgPool;

use super::{Server, a_day_passes, by, each, number, sample, samples};

/// One that was measured on the honest day, and fitted.
pub(crate) async fn honest(pool: &PgPool) -> Server {
    let server = Server::new(pool.clone()).await;
    server.fit(&samples()).await;
    a_day_passes(pool).await;
    server
}

/// Seconds that the champion says of the counters of a sample.
pub(crate) async fn forecast(server: &Server) -> f64 {
    let readings = &sample(1, 3)["readings"];
    let counters = json!({
        "oclgrind": readings["oclgrind"]["counters"], "launch": readings["launch"]["counters"],
    });
    let said = server.forecast(&json!({ "counters": counters })).await;
    number(&said["time_s"])
}

/// What an honest agent measures on a day, times by this factor longer.
pub(crate) fn of_day(day: &str, factor: f64) -> Vec<Value> {
    let all = samples().into_iter().map(|it| by("lab-3", it, factor));
    each(all.collect(), &json!({ "measured_at": day }))
}

pub(crate) async fn of_standing(server: &Server, standing: &str) -> Vec<Value> {
    assert!(server.attention("job_failing").await.is_empty());
    server
        .items(&format!("/v1/samples?standing={standing}&limit=1000"))
        .await
}
