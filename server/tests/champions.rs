//! Which model answers when none is named.
#![allow(clippy::unwrap_used, reason = "a test ends where it can go no further")]

mod common;

use common::{Server, all_variants, number, sample};
use serde_json::{Value, json};
use sqlx::PgPool;

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
    let modest = models.iter().find(|it| it["id"] == made["id"]).unwrap();
    let older: Vec<Value> = models
        .iter()
        .filter(|it| it["id"] != made["id"])
        .cloned()
        .collect();
    let exact = all_variants(&older, "ols");
    let errors = |model: &Value| model["leave_one_kernel_out"].clone();
    assert_eq!(errors(exact)["unpredicted"], 7, "{exact}");
    assert!(number(&errors(exact)["mean_ape"]) < 1e-6, "{exact}");
    assert_eq!(errors(modest)["unpredicted"], 0, "{modest}");
    assert!(number(&errors(modest)["mean_ape"]) > 1e-3, "{modest}");
    assert_eq!(exact["champion"], false);
    let champion = models.iter().find(|it| it["champion"] == true).unwrap();
    assert_eq!(errors(champion)["unpredicted"], 0, "{champion}");
}

/// Models of one device and provider: complexity, whether of one variant, and the error of each kernel.
/// Returns which of them answers.
async fn champion(pool: &PgPool, models: &[(i16, Option<&str>, &[f64])]) -> i16 {
    let insert = "INSERT INTO devices (vendor, name, kind) VALUES ('v', $1, 'gpu') RETURNING id";
    let device: i32 = sqlx::query_scalar(insert)
        .bind(uuid::Uuid::now_v7().to_string())
        .fetch_one(pool)
        .await
        .unwrap();
    for &(complexity, variant, kernels) in models {
        let id = uuid::Uuid::now_v7();
        sqlx::query(
            "INSERT INTO models (
                id, device_id, provider, method, complexity, counters, default_counters, variant,
                code_version, fingerprint, sample_ids, kernels, fit, dropped, warnings
            ) VALUES (
                $1, $2, 'p', 'm', $3, '{}', true, $4, '', sha256(uuid_send($1)), '{}', 0, '{}', '{}', '{}'
            )",
        )
        .bind(id)
        .bind(device)
        .bind(complexity)
        .bind(variant)
        .execute(pool)
        .await
        .unwrap();
        let hold_out = "INSERT INTO hold_outs VALUES ($1, 'kernel', '{}', '{}')";
        sqlx::query(hold_out).bind(id).execute(pool).await.unwrap();
        let mean = kernels.iter().sum::<f64>() / kernels.len() as f64;
        let named = kernels.iter().enumerate();
        let named = named.map(|(place, &error)| (format!("kernel_{place}"), error));
        for (kernel, error) in named.chain([(String::new(), mean)]) {
            sqlx::query(
                "INSERT INTO hold_out_errors
                VALUES ($1, 'kernel', $2, 1, 0, $3, $3, NULL, 0, 0)",
            )
            .bind(id)
            .bind(kernel)
            .bind(error)
            .execute(pool)
            .await
            .unwrap();
        }
    }
    let champion =
        "SELECT complexity FROM models JOIN champions ON model_id = id WHERE models.device_id = $1";
    sqlx::query_scalar(champion)
        .bind(device)
        .fetch_one(pool)
        .await
        .unwrap()
}

#[sqlx::test(migrations = "../migrations")]
async fn the_simplest_of_those_that_tie_answers(pool: PgPool) {
    // Differences from the best: 0.1, −0.1, 0.1, −0.05. Their mean, 0.0125, is within their standard
    // error, 0.1031 ÷ 2.
    let best: &[f64] = &[0.1, 0.3, 0.2, 0.25];
    let like_it: &[f64] = &[0.2, 0.2, 0.3, 0.2];
    // Always 0.1 more: the standard error is 0, or rounding.
    let worse: &[f64] = &[0.21, 0.4, 0.3, 0.35];
    assert_eq!(
        champion(&pool, &[(2, None, best), (1, None, like_it)]).await,
        1
    );
    assert_eq!(
        champion(&pool, &[(1, None, best), (2, None, like_it)]).await,
        1
    );
    assert_eq!(
        champion(&pool, &[(2, None, best), (0, None, worse)]).await,
        2
    );
    let all = [(3, None, like_it), (2, None, best), (1, None, worse)];
    assert_eq!(champion(&pool, &all).await, 2);
    // Always 0.001 more is less than a hundredth of the best's mean, 0.2125.
    let close: &[f64] = &[0.101, 0.301, 0.201, 0.251];
    assert_eq!(
        champion(&pool, &[(2, None, best), (0, None, close)]).await,
        0
    );
    // One kernel has no standard error.
    assert_eq!(
        champion(&pool, &[(2, None, &[0.1]), (1, None, &[0.2])]).await,
        2
    );
    assert_eq!(
        champion(&pool, &[(2, None, &[0.1]), (1, None, &[0.1])]).await,
        1
    );
    // A model of one variant answers only where there is none of all.
    assert_eq!(
        champion(&pool, &[(2, None, worse), (1, Some("global"), best)]).await,
        2
    );
}
