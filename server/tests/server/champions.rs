//! Which model answers when none is named.

use crate::common::{Server, all_variants, number, sample, scalar};
use serde_json::{Value, json};
use sqlx::PgPool;

/// The rule of `models::rank` once more, in SQL.
const RANKS: &str = "
WITH candidates AS (
    SELECT
        id, device_id, counted_on_device_id, provider, response, complexity,
        judged_by, ln(factor) AS error,
        2 * (variant IS NOT NULL)::integer + ((unpredicted = 0 AND negative = 0) IS NOT TRUE)::integer AS class
    FROM models
    LEFT JOIN hold_out_errors AS headline
        ON headline.model_id = id AND headline.key = judged_by AND headline.kernel = ''
    WHERE NOT superseded AND refusal IS NULL AND response = 'time'
), led AS (
    SELECT
        *,
        first_value(id) OVER (
            PARTITION BY device_id, counted_on_device_id, provider, response, class
            ORDER BY error NULLS LAST, id
        ) AS leader
    FROM candidates
), judged AS (
    SELECT
        *,
        (
            SELECT avg(own_error - least_error) <= greatest(
                stddev_samp(own_error - least_error) / sqrt(nullif(count(own_error), 0)),
                0.01 * avg(least_error)
            )
            FROM hold_out_errors AS own
            JOIN hold_out_errors AS least
                ON least.model_id = leader AND least.key = own.key AND least.kernel = own.kernel
            CROSS JOIN LATERAL (SELECT ln(own.factor) AS own_error, ln(least.factor) AS least_error) AS errors
            WHERE own.model_id = led.id AND own.key = led.judged_by AND own.kernel <> ''
        ) IS TRUE AS tied
    FROM led
)
SELECT
    id, tied,
    row_number() OVER (
        PARTITION BY device_id, counted_on_device_id, provider, response
        ORDER BY class, NOT tied, CASE WHEN tied THEN complexity END, error NULLS LAST, complexity, id
    ) AS rank
FROM judged
";

/// A workload of a device, its time off by a tenth or so, so that methods differ and some tie.
fn noisy(device: &str, kernel: u32, n: u32, variant: &str) -> Value {
    let mut it = sample(kernel, n);
    let share = if device == "slow" { 2.0 } else { 1.0 };
    let local = if variant == "local" {
        0.7 + 0.05 * f64::from(kernel)
    } else {
        1.0
    };
    let loads = f64::from((n + 1) * (n + 1) * (kernel + 2) * 1000);
    let off =
        f64::from((kernel * 31 + n * 17 + u32::try_from(device.len()).unwrap() * 7) % 11) / 50.0;
    it["device"]["name"] = json!(device);
    it["workload"]["variant"] = json!(variant);
    it["times"]["repetitions_s"] = json!([share * local * (1.0 + off) * (1e-5 + 1e-9 * loads)]);
    it["readings"] = json!({
        "oclgrind": { "counters": {
            "load_global": loads, "store_global": loads / f64::from(kernel + 1), "br": f64::from(n * kernel),
            "instructions": loads * 9.0,
        } },
        "launch": { "counters": { "work_items": 64 * (n + 1), "work_groups": 4 * (n + 1) } },
    });
    it
}

#[sqlx::test(migrations = "../migrations")]
async fn ranks_are_those_of_the_rule_in_sql(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    // Twice: the second time models are superseded.
    for sizes in [3, 4] {
        let mut batch = Vec::new();
        for device in ["slow", "fast"] {
            for kernel in 0..8 {
                for n in 0..sizes {
                    batch.extend(["global", "local"].map(|it| noisy(device, kernel, n, it)));
                }
            }
        }
        server.fit(&batch).await;
    }
    let by_rule: Vec<(uuid::Uuid, bool, i64)> =
        sqlx::query_as(sqlx::AssertSqlSafe(format!("{RANKS} ORDER BY id")))
            .fetch_all(&pool)
            .await
            .unwrap();
    let ranks: Vec<(uuid::Uuid, i64)> =
        sqlx::query_as("SELECT id, rank::bigint FROM models WHERE rank IS NOT NULL ORDER BY id")
            .fetch_all(&pool)
            .await
            .unwrap();
    let expected: Vec<(uuid::Uuid, i64)> =
        by_rule.iter().map(|&(id, _, rank)| (id, rank)).collect();
    assert_eq!(ranks, expected);
    let groups = ranks.iter().filter(|(_, rank)| *rank == 1).count();
    let ties = by_rule.iter().filter(|(_, tied, _)| *tied).count();
    assert!(
        groups >= 6 && ties > groups,
        "{groups} groups, {ties} that tie"
    );
    let superseded: i64 = scalar(
        &pool,
        "SELECT count(*) FROM models WHERE superseded AND superseded_at IS NOT NULL",
    )
    .await;
    assert!(superseded > 0);
}

/// Of eight kernels, each its own family. What Oclgrind counts tells the times, which are sums, all but exactly; the
/// geometry tells their order of magnitude, by a power.
fn sums(kernel: u32, n: u32) -> Value {
    let mut it = sample(kernel, n);
    let loads = f64::from(1000 * (kernel + 1)) * 4_f64.powi(n.cast_signed());
    let stores = f64::from(700 * (9 - kernel)) * 3_f64.powi(n.cast_signed());
    let time = 1e-6 + 1e-9 * loads + 4e-9 * stores;
    let off = 1.0 + f64::from((kernel * 5 + n * 3) % 7) / 10.0;
    it["workload"].as_object_mut().unwrap().remove("family");
    it["workload"]["variant"] = json!("global");
    it["times"]["repetitions_s"] = json!([time]);
    let items = (1e9 * time * off).round();
    it["readings"] = json!({
        "oclgrind": { "counters": { "load_global": loads, "store_global": stores } },
        "launch": { "counters": { "work_items": items } },
    });
    it
}

/// Ranks are within a provider: the method is second of Oclgrind's models or later, as sums tell the times better,
/// and first of the geometry's.
#[sqlx::test(migrations = "../migrations")]
async fn of_two_providers_models_of_a_method_the_one_with_the_least_error_answers(pool: PgPool) {
    let server = Server::new(pool).await;
    let batch: Vec<Value> = (0..8)
        .flat_map(|kernel| (0..6).map(move |n| sums(kernel, n)))
        .collect();
    server.fit(&batch).await;
    let model = async |provider: &str| {
        let models = server
            .items(&format!("/v1/models?provider={provider}"))
            .await;
        all_variants(&models, "per_worker").clone()
    };
    let (counted, geometry) = (model("oclgrind").await, model("launch").await);
    let factor = |model: &Value| {
        assert_eq!(model["judged_by"], "family");
        number(&model["leave_one_family_out"]["factor"])
    };
    let rank = |model: &Value| number(&model["rank"]);
    assert!(factor(&counted) < factor(&geometry), "{counted} {geometry}");
    assert!(rank(&counted) > rank(&geometry), "{counted} {geometry}");
    let request = json!({
        "method": "per_worker",
        "counters": {
            "launch": { "work_items": 4000 },
            "oclgrind": { "load_global": 64000, "store_global": 18900 },
        },
    });
    let (_, answer) = server.post("/v1/predictions", request.to_string()).await;
    let forecast = &answer["predictions"][0];
    assert_eq!(forecast["model"], counted["id"], "{forecast}");
    assert_eq!(forecast["provider"], "oclgrind");
}

/// Kernels of three families: too few. Of eight: enough.
#[sqlx::test(migrations = "../migrations")]
async fn families_judge_where_there_are_enough(pool: PgPool) {
    let server = Server::new(pool).await;
    for (device, families) in [("few", 3), ("enough", 8)] {
        let batch: Vec<Value> = (0..8)
            .flat_map(|kernel| (0..4).map(move |n| (kernel, n)))
            .map(|(kernel, n)| {
                let mut it = sums(kernel, n);
                it["device"]["name"] = json!(device);
                it["workload"]["kernel"] = json!(format!("{device}_{kernel}"));
                it["workload"]["family"] = json!(format!("{device} {}", kernel % families));
                it
            })
            .collect();
        server.upload(&batch).await;
    }
    server.fitted().await;
    let models = server.items("/v1/models?provider=oclgrind").await;
    for (device, judged_by) in [("few", "kernel"), ("enough", "family")] {
        let mut own = models.iter().filter(|it| it["device"]["name"] == device);
        assert!(own.all(|it| it["judged_by"] == judged_by), "{device}");
    }
    // The second champion, by families, is the first of those that forecast all of them above 0.
    let champion = models
        .iter()
        .find(|it| it["champion"] == true && it["device"]["name"] == "enough");
    let errors = &champion.unwrap()["leave_one_family_out"];
    assert_eq!(
        (&errors["negative"], &errors["unpredicted"]),
        (&json!(0), &json!(0))
    );
}
