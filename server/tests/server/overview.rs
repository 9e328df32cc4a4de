//! The overview: champions by device and provider, and what needs attention.

use crate::common::{Server, all_variants, ceilings, run, sample, samples};
use serde_json::{Value, json};
use sqlx::PgPool;

#[sqlx::test(migrations = "../migrations")]
async fn nothing_yet_is_no_error(pool: PgPool) {
    let server = Server::new(pool).await;
    let expected = json!({
        "kernels": 0, "samples": 0, "devices": [], "agents": [], "more_agents": false, "silent_agents": 0,
        "failing_agents": 0, "attention": [],
    });
    assert_eq!(server.get("/v1/overview").await.1, expected);
}

#[sqlx::test(migrations = "../migrations")]
async fn a_cell_shows_its_champion(pool: PgPool) {
    let server = Server::new(pool).await;
    server.upload(&samples()).await;
    let limits = ceilings("2026-11-01T12:00:00Z");
    server.post("/v1/ceilings", limits.to_string()).await;
    server.fitted().await;
    let (_, overview) = server.get("/v1/overview").await;
    assert_eq!(
        (&overview["kernels"], &overview["samples"]),
        (&json!(4), &json!(24))
    );
    assert_eq!(
        overview["devices"][0]["ceilings"]["copy_bytes_per_s"],
        4.3e12
    );

    let models = server.items("/v1/models").await;
    let cell = cell(&overview, "oclgrind");
    let id = &cell["champion"]["model"];
    let model = models.iter().find(|model| model["id"] == *id).unwrap();
    assert_eq!(model["champion"], true);
    let champion = &cell["champion"];
    for same in ["samples", "kernels", "created_at", "leave_one_kernel_out"] {
        assert_eq!(champion[same], model[same], "{same}");
    }
    assert_eq!(champion["method"], model["specification"]["method"]);
    assert_eq!(champion.get("mean_ape_before"), None, "it is the first fit");

    let path = format!("/v1/models/{}/validation", id.as_str().unwrap());
    let (_, validation) = server.get(&path).await;
    let hold_outs = validation["hold_outs"].as_array().unwrap();
    let by_kernel = hold_outs.iter().find(|it| it["key"] == "kernel").unwrap();
    let error = |kernel: &Value| kernel["errors"]["mean_ape"].as_f64().unwrap();
    let kernels = by_kernel["kernels"].as_array().unwrap().iter();
    let worst = kernels
        .max_by(|a, b| error(a).total_cmp(&error(b)))
        .unwrap();
    let expected = json!({ "kernel": worst["kernel"], "mean_ape": error(worst) });
    assert_eq!(champion["worst_kernel"], expected);
}

#[sqlx::test(migrations = "../migrations")]
async fn an_error_that_rose_needs_attention(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    server.fit(&samples()).await;
    let before = server.items("/v1/models?provider=oclgrind").await;
    // A kernel that a straight line forecasts not quite; were it far off, the new champion would be held.
    let odd = (0..6).map(|n| {
        let mut odd = sample(9, n);
        let time = odd["times"]["repetitions_s"][0].as_f64().unwrap();
        odd["times"]["repetitions_s"] = json!([time * (1.0 + 0.03 * f64::from(n % 2))]);
        odd
    });
    server.fit(&odd.collect::<Vec<_>>()).await;
    let rose = |overview: &Value| {
        let mut attention = overview["attention"].as_array().unwrap().iter();
        attention
            .find(|it| it["because"]["kind"] == "error_rose" && it["provider"] == "oclgrind")
            .cloned()
    };
    let (_, young) = server.get("/v1/overview").await;
    assert_eq!(rose(&young), None, "first fits move with every upload");
    let champion = &cell(&young, "oclgrind")["champion"];
    assert_eq!(champion.get("mean_ape_before"), None);
    let earlier =
        "UPDATE models SET created_at = created_at - interval '13 hours' WHERE superseded";
    run(&pool, earlier).await;
    let (_, overview) = server.get("/v1/overview").await;
    let cell = cell(&overview, "oclgrind");
    let champion = &cell["champion"];
    // Two families are too few to judge.
    assert_eq!(champion["judged_by"], "kernel");
    let factor = |errors: &Value| errors["leave_one_kernel_out"]["factor"].as_f64().unwrap();
    // Another method may answer now: its own older model is what it is compared with.
    let before = all_variants(&before, champion["method"].as_str().unwrap());
    let error_before = &before["leave_one_kernel_out"]["mean_ape"];
    assert_eq!(&champion["mean_ape_before"], error_before);
    assert_eq!(champion["factor"], factor(champion));
    assert_eq!(champion["factor_before"], factor(before));
    assert!(
        factor(champion).ln() > 1.1 * factor(before).ln(),
        "{champion}"
    );
    assert_eq!(rose(&overview).unwrap()["model"], champion["model"]);
}

#[sqlx::test(migrations = "../migrations")]
async fn a_device_without_a_model_and_a_job_that_fails_need_attention(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    server.fit(&[sample(0, 0)]).await;
    let (_, overview) = server.get("/v1/overview").await;
    let cell = cell(&overview, "oclgrind");
    assert_eq!(cell.get("champion"), None);
    assert!(cell["refused"].as_i64().unwrap() >= 1, "{cell}");
    let attention = overview["attention"].as_array().unwrap();
    let refused = attention
        .iter()
        .find(|it| it["provider"] == "oclgrind")
        .unwrap();
    assert_eq!(
        (&refused["because"]["kind"], &refused["detail"]),
        (&json!("no_model"), &cell["refusal"])
    );

    let failing = "INSERT INTO fitting_jobs (device_id, provider, attempts, last_error)
        SELECT id, 'oclgrind', 3, 'the fit failed' FROM devices";
    run(&pool, failing).await;
    let (_, overview) = server.get("/v1/overview").await;
    let first = &overview["attention"][0];
    assert_eq!(first["because"]["kind"], "job_failing");
    assert_eq!(first["detail"], "the fit failed; given up after 3 tries");
}

fn cell(overview: &Value, provider: &str) -> Value {
    let cells = overview["devices"][0]["providers"].as_array().unwrap();
    cells
        .iter()
        .find(|it| it["provider"] == provider)
        .unwrap()
        .clone()
}

#[sqlx::test(migrations = "../migrations")]
async fn intervals_that_do_not_hold_need_attention(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    server.fit(&samples()).await;
    for (covered, needs) in [(0.86, false), (0.94, false), (0.8, true), (1.0, true)] {
        let cover = "INSERT INTO coverages
            SELECT id, 0.9, $1, $1, 1.5, 24, 0 FROM models
            WHERE rank = 1 AND response = 'time' AND provider = 'oclgrind'
            ON CONFLICT (model_id) DO UPDATE SET covered = excluded.covered";
        sqlx::query(cover)
            .bind(covered)
            .execute(&pool)
            .await
            .unwrap();
        let (_, overview) = server.get("/v1/overview").await;
        let champion = &cell(&overview, "oclgrind")["champion"];
        assert_eq!(champion["coverage"]["covered"], covered);
        let attention = overview["attention"].as_array().unwrap();
        let off = attention
            .iter()
            .find(|it| it["because"]["kind"] == "coverage_off" && it["model"] == champion["model"]);
        assert_eq!(off.is_some(), needs, "{covered}: {overview}");
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn of_many_whose_samples_are_set_aside_ten_are_named(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let mut all = Vec::new();
    for agent in 0..13 {
        for size in 0..=agent / 10 {
            let mut one = sample(agent, size);
            one["agent"]["name"] = json!(format!("agent-{agent:02}"));
            all.push(one);
        }
    }
    server.fit(&all).await;
    let aside = "
        INSERT INTO standings (sample_id, device_id, agent_id, judgement, judgement_reason, judgement_doubts)
        SELECT id, device_id, agent_id, 'quarantined', 'a test', '[]' FROM samples
        ON CONFLICT (sample_id) DO UPDATE
        SET judgement = excluded.judgement, judgement_reason = excluded.judgement_reason,
            judgement_doubts = excluded.judgement_doubts";
    run(&pool, aside).await;
    let (_, overview) = server.get("/v1/overview").await;
    let attention = overview["attention"].as_array().unwrap();
    let aside = attention
        .iter()
        .filter(|it| it["because"]["kind"] == "samples_quarantined");
    let details: Vec<String> = aside
        .map(|it| {
            let agent = it["agent"].as_str().unwrap();
            format!("{agent}: {}", it["because"]["samples"])
        })
        .collect();
    let mut expected: Vec<String> = [10, 11, 12].map(|it| format!("agent-{it}: 2")).into();
    expected.extend((0..7).map(|it| format!("agent-{it:02}: 1")));
    assert_eq!(details, expected);
}
