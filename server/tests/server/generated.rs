//! Generated kernels: models learn from them, and are judged by the others alone.

use crate::common::{Server, all_variants, sample, samples};
use serde_json::{Value, json};
use sqlx::PgPool;

/// Four generated kernels, of one size each.
fn generated() -> Vec<Value> {
    let generated_sample = |number| {
        let mut sample = sample(number, 2);
        sample["workload"]["kernel"] = json!(format!("generated_{number}"));
        sample["workload"]["family"] = json!("generated");
        sample["workload"]["generated"] = json!(true);
        sample
    };
    (0..4).map(generated_sample).collect()
}

#[sqlx::test(migrations = "../migrations")]
async fn they_train_and_do_not_judge(pool: PgPool) {
    let server = Server::new(pool).await;
    server.fit(&[samples(), generated()].concat()).await;

    let models = server.items("/v1/models").await;
    let model = all_variants(&models, "nnls");
    assert_eq!(
        (&model["samples"], &model["kernels"]),
        (&json!(28), &json!(4))
    );
    let path = format!("/v1/models/{}/validation", model["id"].as_str().unwrap());
    let (_, validation) = server.get(&path).await;
    for hold_out in validation["hold_outs"].as_array().unwrap() {
        assert_eq!(hold_out["overall"]["n"], 24);
        let rows = hold_out["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 24);
        let named = rows.iter().chain(hold_out["kernels"].as_array().unwrap());
        for row in named {
            assert!(
                row["kernel"].as_str().unwrap().starts_with("kernel_"),
                "{row}"
            );
        }
    }
    let (_, overview) = server.get("/v1/overview").await;
    assert_eq!(
        (&overview["kernels"], &overview["samples"]),
        (&json!(4), &json!(28))
    );
    let device = &server.items("/v1/devices").await[0];
    assert_eq!(
        (&device["kernels"], &device["samples"]),
        (&json!(4), &json!(28))
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn listings_tell_them_apart(pool: PgPool) {
    let server = Server::new(pool).await;
    server.upload(&[samples(), generated()].concat()).await;
    for (query, expected) in [("", 8), ("?generated=true", 4), ("?generated=false", 4)] {
        let kernels = server.items(&format!("/v1/kernels{query}")).await;
        assert_eq!(kernels.len(), expected, "{query}");
        for kernel in kernels {
            let name = kernel["name"].as_str().unwrap();
            assert_eq!(
                kernel["generated"],
                name.starts_with("generated_"),
                "{kernel}"
            );
        }
    }
    for listed in server.items("/v1/samples").await {
        let workload = &listed["workload"];
        let name = workload["kernel"].as_str().unwrap();
        let is_marked = workload.get("generated").is_some_and(|it| it == true);
        assert_eq!(is_marked, name.starts_with("generated_"), "{listed}");
    }
}
