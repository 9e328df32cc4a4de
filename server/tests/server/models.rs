//! Models that replace others.

use crate::common::{Server, samples};
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
    assert_eq!(with_branches, 6, "three methods, and the paper's three");
}
