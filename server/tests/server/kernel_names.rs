//! Two kernels were renamed in version 0.2: what is stored, and what older agents still send.

use std::collections::BTreeMap;

use crate::common::{Server, sample};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, PgPool};

/// The last migration of version 0.1.
const BEFORE: i64 = 15;

/// A sample of the kernel, by an agent of the version.
fn measured(number: u32, kernel: &str, version: &str) -> Value {
    let mut sample = sample(number, 1);
    sample["workload"]["kernel"] = json!(kernel);
    sample["agent"]["version"] = json!(version);
    sample
}

/// How many samples there are of each kernel.
async fn kernels(server: &Server) -> BTreeMap<String, usize> {
    let mut kernels = BTreeMap::new();
    for sample in server.items("/v1/samples?limit=1000").await {
        let kernel = sample["workload"]["kernel"].as_str().unwrap().to_owned();
        *kernels.entry(kernel).or_default() += 1;
    }
    kernels
}

fn counts(kernels: &[(&str, usize)]) -> BTreeMap<String, usize> {
    let kernels = kernels.iter();
    kernels.map(|(name, n)| ((*name).to_owned(), *n)).collect()
}

#[sqlx::test(migrations = "../migrations")]
async fn older_agents_may_still_use_the_old_names(pool: PgPool) {
    let server = Server::new(pool).await;
    let old = [
        measured(0, "matrix_mul", "0.1.0"),
        measured(1, "matrix_multiplication", "0.1.7"),
    ];
    let new = measured(2, "matmul_float", "0.2.0");
    // Somebody's own kernel.
    let own = measured(3, "matrix_mul", "0.2.0");
    let verdict = server
        .upload(&[old[0].clone(), old[1].clone(), new, own])
        .await;
    assert_eq!(verdict["stored"], 4, "{verdict}");
    let stored = counts(&[("matmul_float", 2), ("matmul_float4", 1), ("matrix_mul", 1)]);
    assert_eq!(kernels(&server).await, stored);

    // Again under either name, as the data that come with Kerncast: one sample.
    let mut renamed = old.clone();
    renamed[0]["workload"]["kernel"] = json!("matmul_float");
    renamed[1]["workload"]["kernel"] = json!("matmul_float4");
    for batch in [old, renamed] {
        let verdict = server.upload(&batch).await;
        assert_eq!(verdict["repeated"], 2, "{verdict}");
    }
    assert_eq!(kernels(&server).await, stored);
}

#[sqlx::test(migrations = false)]
async fn what_is_stored_is_renamed_and_nothing_is_lost(pool: PgPool) {
    let migrations = sqlx::migrate!("../migrations");
    migrations.run_to(BEFORE, &pool).await.unwrap();
    // An agent of 0.2 was there first: 'matmul_float' has the workload n = 64 too, and one of its own.
    let statements = "
        INSERT INTO devices (vendor, name, kind) VALUES ('v', 'd', 'gpu');
        INSERT INTO agents (name, version) VALUES ('a', '0.1.0');
        INSERT INTO kernels (name, family) VALUES
            ('matrix_mul', 'dense'), ('matrix_multiplication', 'dense'), ('matmul_float', NULL), ('sum', NULL);
        INSERT INTO workloads (kernel_id, variant, parameters)
            SELECT id, 'global', json_build_object('n', n) FROM kernels, generate_series(64, 128, 64) AS n
            WHERE name <> 'matmul_float'
            UNION ALL SELECT id, 'global', json_build_object('n', n)
            FROM kernels, generate_series(64, 256, 192) AS n WHERE name = 'matmul_float';
        INSERT INTO samples (
            id, content_hash, workload_id, device_id, agent_id, measured_at, repetitions, min_s, median_s,
            launches_per_repetition, cold_repetitions, flags, provenance, origin
        )
            SELECT gen_random_uuid(), sha256(''), workloads.id, devices.id, agents.id, now(), '{1}', 1, 1, 1,
                '{}', '{}', '{}', 'measured'
            FROM workloads, devices, agents;
        INSERT INTO models (
            id, device_id, provider, method, complexity, counters, default_counters, code_version, fingerprint,
            sample_ids, kernels, refusal, warnings
        )
            SELECT gen_random_uuid(), id, 'launch', 'ols', n, '{}', true, '', sha256(n::text::bytea), '{}', n,
                'r', '{}'
            FROM devices, generate_series(1, 2) AS n;
        INSERT INTO hold_outs (model_id, key, predicted, refusals) SELECT id, 'kernel', '{}', '{}' FROM models;
        INSERT INTO hold_out_errors (model_id, key, kernel, n, unpredicted, negative)
            SELECT id, 'kernel', kernel, 0, 0, 0
            FROM models, unnest('{matrix_mul,matmul_float,sum}'::text[]) AS kernel
            WHERE kernels = 1 OR kernel <> 'matmul_float';";
    sqlx::raw_sql(statements).execute(&pool).await.unwrap();
    migrations.run(&pool).await.unwrap();

    let all = |query: &'static str| {
        let query = sqlx::query_scalar::<_, String>(AssertSqlSafe(query));
        let pool = pool.clone();
        async move { query.fetch_all(&pool).await.unwrap() }
    };
    let workloads = "
        SELECT concat_ws(' ', name, family, variant, parameters ->> 'n', count(samples.id))
        FROM kernels JOIN workloads ON kernel_id = kernels.id LEFT JOIN samples ON workload_id = workloads.id
        GROUP BY name, family, variant, parameters ORDER BY name, (parameters ->> 'n')::integer";
    assert_eq!(
        all(workloads).await,
        [
            "matmul_float dense global 64 2",
            "matmul_float dense global 128 1",
            "matmul_float dense global 256 1",
            "matmul_float4 dense global 64 1",
            "matmul_float4 dense global 128 1",
            "sum global 64 1",
            "sum global 128 1",
        ]
    );
    let errors = "
        SELECT concat_ws(' ', kernels, kernel) FROM hold_out_errors JOIN models ON models.id = model_id
        ORDER BY kernels, kernel";
    assert_eq!(
        all(errors).await,
        [
            "1 matmul_float",
            "1 matrix_mul",
            "1 sum",
            "2 matmul_float",
            "2 sum"
        ]
    );
}
