//! Values of readings and repetitions on shards: the same answers as without, a shard lost and back, devices moved, a shard added.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    process::Command,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::Duration,
};

use crate::common::{ADMIN, Server, by, ceilings, number, sample};
use axum::{
    body::Body,
    http::{Request, StatusCode, header},
};
use chrono::TimeDelta;
use futures_util::StreamExt;
use kerncast_server::{
    backup::{BackupError, Source, back_up, restore},
    db,
    fitting::{Verified, verify},
    repetitions::thin_out_now,
    shards::{self, Home, MoveError, Shards, ShardsError, move_device, sweep_now, watch},
};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, PgConnection, PgPool, postgres::PgConnectOptions};
use uuid::Uuid;

const BINARY: &str = env!("CARGO_BIN_EXE_kerncast-server");

/// Databases of the test's Postgres, and the file that names them.
pub(crate) struct Lab {
    coordinator: PgPool,
    folder: tempfile::TempDir,
    databases: Vec<String>,
}

fn url(database: &str) -> String {
    let mut url = url::Url::parse(&std::env::var("DATABASE_URL").unwrap()).unwrap();
    url.set_path(database);
    url.into()
}

/// By a connection of its own: the pool's may have a transaction that a fit has left.
async fn execute(pool: &PgPool, statement: String) {
    let mut own = PgConnection::connect_with(&pool.connect_options())
        .await
        .unwrap();
    let done = sqlx::query(AssertSqlSafe(statement)).execute(&mut own);
    done.await.unwrap();
}

async fn new_database(pool: &PgPool) -> String {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let name = format!(
        "shard_{}_{}",
        std::process::id(),
        NEXT.fetch_add(1, Relaxed)
    );
    execute(pool, format!("CREATE DATABASE {name}")).await;
    name
}

async fn connect(database: &str) -> PgPool {
    PgPool::connect(&url(database)).await.unwrap()
}

impl Lab {
    /// With so many shards: s1, s2, …
    pub(crate) async fn new(coordinator: &PgPool, shards: usize) -> Self {
        let mut lab = Self {
            coordinator: coordinator.clone(),
            folder: tempfile::tempdir().unwrap(),
            databases: Vec::new(),
        };
        for _ in 0..shards {
            lab.add().await;
        }
        lab
    }

    async fn add(&mut self) {
        self.databases.push(new_database(&self.coordinator).await);
        let entry = |(place, name): (usize, &String)| {
            format!(
                "[[shard]]\nname = \"s{}\"\nurl = \"{}\"\n",
                place + 1,
                url(name)
            )
        };
        let text: String = self.databases.iter().enumerate().map(entry).collect();
        self.write(&text, 0o600);
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("shards.toml")
    }

    fn write(&self, text: &str, mode: u32) {
        // As whoever edits it with care does: it appears whole.
        let new = self.folder.path().join("new");
        fs::write(&new, text).unwrap();
        fs::set_permissions(&new, fs::Permissions::from_mode(mode)).unwrap();
        fs::rename(new, self.file()).unwrap();
    }

    pub(crate) async fn open(&self) -> Shards {
        Shards::open(&self.coordinator, &self.file()).await.unwrap()
    }

    /// A device whose values the shard of this number has.
    async fn device(&self, shard: i16) -> String {
        for number in 0.. {
            let name = format!("Device {number}");
            let at: Option<i16> = sqlx::query_scalar("SELECT shard_of('Vendor', $1)")
                .bind(&name)
                .fetch_one(&self.coordinator)
                .await
                .unwrap();
            if at == Some(shard) {
                return name;
            }
        }
        unreachable!()
    }

    async fn id(&self, device: &str) -> i32 {
        sqlx::query_scalar("SELECT id FROM devices WHERE name = $1")
            .bind(device)
            .fetch_one(&self.coordinator)
            .await
            .unwrap()
    }

    /// Nobody is let in, and whoever is in is thrown out.
    pub(crate) async fn lose(&self, shard: usize) {
        let name = &self.databases[shard - 1];
        let closed = format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false");
        execute(&self.coordinator, closed).await;
        let out = format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
        );
        execute(&self.coordinator, out).await;
    }

    pub(crate) async fn bring_back(&self, shard: usize) {
        let name = &self.databases[shard - 1];
        let opened = format!("ALTER DATABASE {name} ALLOW_CONNECTIONS true");
        execute(&self.coordinator, opened).await;
        // So long it is not asked again.
        tokio::time::sleep(Duration::from_millis(2100)).await;
    }

    /// Of how many readings the values, and of how many samples the repetitions each shard has.
    async fn held(&self) -> Vec<i64> {
        let mut held = Vec::new();
        for name in &self.databases {
            let pool = connect(name).await;
            let query = "SELECT CASE WHEN to_regclass('readings') IS NULL THEN 0 ELSE
                (xpath('/row/n/text()', query_to_xml('SELECT count(*) AS n FROM readings', false, true, '')))[1]::text::bigint
                END";
            held.push(sqlx::query_scalar(query).fetch_one(&pool).await.unwrap());
            pool.close().await;
        }
        held
    }

    /// The same as the database says it, and of how many it has itself.
    async fn said(&self) -> (Vec<i64>, i64) {
        let rows: Vec<(Option<i16>, i64)> = sqlx::query_as(
            "SELECT shard, count(*)
            FROM (
                SELECT shard FROM readings WHERE refusal IS NULL
                UNION ALL
                SELECT shard FROM samples WHERE shard IS NOT NULL OR cardinality(repetitions) > 3
            ) AS them
            GROUP BY shard",
        )
        .fetch_all(&self.coordinator)
        .await
        .unwrap();
        let rows: BTreeMap<Option<i16>, i64> = rows.into_iter().collect();
        let of = |number| rows.get(&number).copied().unwrap_or(0);
        let numbers = 1..=i16::try_from(self.databases.len()).unwrap();
        (numbers.map(|it| of(Some(it))).collect(), of(None))
    }

    pub(crate) async fn end(self) {
        for name in &self.databases {
            let drop = format!("DROP DATABASE {name} WITH (FORCE)");
            execute(&self.coordinator, drop).await;
        }
    }
}

/// Of this device, which takes a factor longer; with six repetitions, and four cold ones.
fn on(device: &str, factor: f64, mut it: Value) -> Value {
    it["device"]["name"] = json!(device);
    let times = it["times"]["repetitions_s"].as_array().unwrap();
    let times: Vec<f64> = times.iter().map(|time| factor * number(time)).collect();
    let again = times.iter().map(|time| time * 1.1);
    it["times"]["repetitions_s"] = times.iter().copied().chain(again).collect();
    it["times"]["cold_repetitions_s"] = (0..4)
        .map(|n| times[0] * (1.3 + 0.1 * f64::from(n)))
        .collect();
    it
}

fn samples_of(device: &str, factor: f64) -> Vec<Value> {
    let all = (0..4).flat_map(|kernel| (0..6).map(move |n| (kernel, n)));
    all.map(|(kernel, n)| on(device, factor, sample(kernel, n)))
        .collect()
}

/// What models are, but for their ids and when they were made.
async fn models(pool: &PgPool) -> Vec<String> {
    sqlx::query_scalar(
        "
        SELECT concat_ws(' ',
            devices.name, counted.name, provider, response, method, variant, counters::text, sample_ids::text,
            refusal, fit::text, rank,
            (SELECT string_agg(concat_ws(' ', key, predicted::text, refusals::text), ';' ORDER BY key)
                FROM hold_outs WHERE model_id = models.id)
        )
        FROM models
        JOIN devices ON devices.id = device_id
        LEFT JOIN devices AS counted ON counted.id = counted_on_device_id
        WHERE NOT superseded
        ORDER BY 1
        ",
    )
    .fetch_all(pool)
    .await
    .unwrap()
}

/// Samples as they are listed, but for when they came.
async fn listed(server: &Server) -> Vec<Value> {
    let mut items = server.items("/v1/samples?limit=1000").await;
    for item in &mut items {
        let item = item.as_object_mut().unwrap();
        assert!(item.remove("received_at").is_some());
        item.remove("token");
    }
    items
}

async fn text(server: &Server, path: &str) -> String {
    let (status, answer) = server.get(path).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer.to_string()
}

async fn forecast(server: &Server, device: i32) -> Value {
    let counters = json!({ "oclgrind": sample(0, 0)["readings"]["oclgrind"]["counters"] });
    let request = json!({ "device": device, "counters": counters });
    let (status, mut answer) = server.post("/v1/predictions", request.to_string()).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    for one in answer["predictions"].as_array_mut().unwrap() {
        let one = one.as_object_mut().unwrap();
        one.retain(|key, _| !key.contains("model") && key != "others");
    }
    answer["predictions"].take()
}

#[sqlx::test(migrations = "../migrations")]
async fn shards_answer_as_one_database_does_bit_for_bit(pool: PgPool) {
    let lab = Lab::new(&pool, 3).await;
    let shards = lab.open().await;
    let sharded = Server::on_shards(pool.clone(), shards.clone()).await;
    let plain = new_database(&pool).await;
    let options: PgConnectOptions = url(&plain).parse().unwrap();
    let alone = db::connect(options).await.unwrap();
    let single = Server::new(alone.clone()).await;

    for (shard, factor) in [(1, 1.0), (2, 1.5), (3, 0.7)] {
        let mut batch = samples_of(&lab.device(shard).await, factor);
        // Some refused, some without counters, some of other lists.
        batch[3]["readings"]["oclgrind"] = json!({ "counters": {}, "refusal": "it crashed" });
        batch[5]["readings"] = json!({});
        batch[7]["readings"]["oclgrind"]["counters"]["barriers"] = json!(0.1 + 0.2);
        let verdict = sharded.upload(&batch).await;
        assert_eq!(verdict["stored"], batch.len(), "{verdict}");
        assert_eq!(single.upload(&batch).await["stored"], batch.len());
        // What is sent again is there.
        assert_eq!(sharded.upload(&batch[..3]).await["repeated"], 3);
    }
    sharded.fitted().await;
    single.fitted().await;

    let (said, here) = lab.said().await;
    assert_eq!(lab.held().await, said);
    assert!(
        said.iter().all(|it| *it > 60) && here == 0,
        "{said:?} {here}"
    );
    let expected = models(&alone).await;
    assert!(expected.len() > 30, "{}", expected.len());
    let got = models(&pool).await;
    for (got, expected) in got.iter().zip(&expected) {
        assert_eq!(got, expected);
    }
    assert_eq!(got.len(), expected.len());
    assert_eq!(listed(&sharded).await, listed(&single).await);
    for path in [
        "/v1/samples?format=csv",
        "/v1/devices/1/local_memory",
        "/v1/devices/2/roofline",
        "/v1/counters",
        "/v1/kernels",
    ] {
        let (got, expected) = (sharded.get(path).await, single.get(path).await);
        assert_eq!(got, expected, "{path}");
    }
    for device in 1..=3 {
        assert_eq!(
            forecast(&sharded, device).await,
            forecast(&single, device).await
        );
    }
    let mut counts = [0, 0];
    verify(&pool, &shards, |_, verified| {
        counts[usize::from(!matches!(verified, Verified::Same | Verified::Refused))] += 1;
    })
    .await
    .unwrap();
    assert!(counts[0] > 30 && counts[1] == 0, "{counts:?}");

    // Thinned out they are the same, too; shards keep the rest for as long as a backup may take.
    let all = thin_out_now(&pool, Duration::ZERO).await.unwrap();
    assert_eq!(
        (all, thin_out_now(&alone, Duration::ZERO).await.unwrap()),
        (72, 72)
    );
    assert_eq!(thin_out_now(&pool, Duration::ZERO).await.unwrap(), 0);
    let thinned = listed(&sharded).await;
    assert_eq!(thinned, listed(&single).await);
    for item in &thinned {
        let kept = item["times"]["repetitions_s"].as_array().unwrap().len();
        assert_eq!((kept, &item["time"]["n"]), (3, &json!(6)));
        assert_eq!(
            (&item["thinned_out"], item.get("thinned_out_because")),
            (&json!(true), None)
        );
    }
    sweep_now(&pool, &shards, TimeDelta::days(1)).await.unwrap();
    assert_eq!(lab.held().await, said);
    for name in &lab.databases {
        let shard = connect(name).await;
        execute(
            &shard,
            "UPDATE readings SET written_at = now() - interval '25 hours'".to_owned(),
        )
        .await;
        shard.close().await;
    }
    let set_up = "UPDATE shards SET swept_until = now() - interval '2 days', thinned_until = now() - interval '2 days'";
    execute(&pool, set_up.to_owned()).await;
    // A sample on each that has no readings has nothing there any more.
    assert_eq!(
        sweep_now(&pool, &shards, TimeDelta::days(1)).await.unwrap(),
        3
    );
    let left: Vec<i64> = said.iter().map(|it| it - 24).collect();
    assert_eq!(
        (lab.held().await, lab.said().await),
        (left.clone(), (left, 0))
    );
    assert_eq!(listed(&sharded).await, thinned);
    alone.close().await;
    execute(&pool, format!("DROP DATABASE {plain} WITH (FORCE)")).await;
    lab.end().await;
}

fn kinds(overview: &Value) -> BTreeSet<&str> {
    let all = overview["attention"].as_array().unwrap().iter();
    all.map(|it| it["kind"].as_str().unwrap()).collect()
}

#[sqlx::test(migrations = "../migrations")]
async fn a_lost_shard_holds_up_its_own_devices_and_loses_nothing(pool: PgPool) {
    let lab = Lab::new(&pool, 3).await;
    let server = Server::on_shards(pool.clone(), lab.open().await).await;
    let (first, second) = (lab.device(1).await, lab.device(2).await);
    let (of_first, of_second) = (samples_of(&first, 1.0), samples_of(&second, 2.0));
    server.upload(&of_first).await;
    server.upload(&of_second).await;
    server.fitted().await;
    let (before, expected) = (listed(&server).await, forecast(&server, 2).await);

    lab.lose(2).await;
    let new = [on(&second, 2.0, sample(5, 1))];
    let request = Request::post("/v1/samples")
        .header(header::AUTHORIZATION, format!("Bearer {ADMIN}"))
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(json!({ "samples": new }).to_string()));
    let (status, headers) = server.head(request.unwrap()).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(headers.contains_key(header::RETRY_AFTER), "{headers:?}");
    let (_, problem) = server
        .post("/v1/samples", json!({ "samples": new }).to_string())
        .await;
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("the shard s2"), "{detail}");
    // The others go on.
    let other = [on(&first, 1.0, sample(5, 1))];
    assert_eq!(server.upload(&other).await["stored"], 1);
    // Also forecasts of its own devices.
    assert_eq!(forecast(&server, 2).await, expected);
    // What needs no values goes on; what needs them says what is missing.
    let now = listed(&server).await;
    assert_eq!(now.len(), before.len() + 1);
    let mut lost = 0;
    for (item, before) in now[1..].iter().zip(&before) {
        if item["device"]["name"] == json!(first) {
            assert_eq!(item, before);
            continue;
        }
        for (provider, reading) in item["readings"].as_object().unwrap() {
            let refusal = reading["refusal"].as_str().unwrap();
            assert!(refusal.contains("the shard s2"), "{provider}: {refusal}");
        }
        // Of the repetitions there are three, and a word on the others.
        assert_eq!(item["time"], before["time"]);
        let kept = item["times"]["repetitions_s"].as_array().unwrap();
        assert_eq!(
            (kept.len(), &kept[0], &kept[1]),
            (3, &item["time"]["min_s"], &item["time"]["median_s"])
        );
        let why = item["thinned_out_because"].as_str().unwrap();
        assert!(
            item["thinned_out"] == true && why.contains("the shard s2"),
            "{item}"
        );
        lost += 1;
    }
    assert_eq!(lost, 24);
    let overview = server.get("/v1/overview").await.1;
    assert!(kinds(&overview).contains("shard_lost"), "{overview}");
    let metrics = text(&server, "/metrics").await;
    assert!(
        metrics.contains("kerncast_shard_up{shard=\\\"s2\\\"} 0"),
        "{metrics}"
    );
    assert!(
        metrics.contains("kerncast_shard_up{shard=\\\"s1\\\"} 1"),
        "{metrics}"
    );
    // Samples are decided on without their values.
    let ids = [&of_second[0]["id"]];
    let reject = json!({ "decision": "reject", "samples": { "ids": ids }, "reason": "a test" });
    let (status, answer) = server.post("/v1/decisions", reject.to_string()).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    // A fit of its device waits, and is no failure for good.
    let waits = async || {
        let jobs = server.get("/v1/jobs").await.1;
        let mut items = jobs["items"].as_array().unwrap().iter();
        items.any(|it| {
            it["last_error"]
                .as_str()
                .is_some_and(|it| it.contains("shard s2"))
        })
    };
    while !waits().await {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }

    lab.bring_back(2).await;
    let restore = json!({ "decision": "restore", "samples": { "ids": ids }, "reason": "a test" });
    let (status, answer) = server.post("/v1/decisions", restore.to_string()).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_eq!(server.upload(&new).await["stored"], 1);
    let after = listed(&server).await;
    assert_eq!(after[2..], before[..]);
    server.fitted().await;
    let overview = server.get("/v1/overview").await.1;
    assert!(!kinds(&overview).contains("shard_lost"), "{overview}");
    assert_eq!(lab.held().await, lab.said().await.0);
    lab.end().await;
}

/// Of each device: what is said of the samples' counters, and of their repetitions, each text once.
async fn said_of(server: &Server) -> BTreeMap<String, BTreeSet<String>> {
    let mut said: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for item in listed(server).await {
        let device = item["device"]["name"].as_str().unwrap().to_owned();
        let readings = item["readings"].as_object().unwrap().values();
        let refusals = readings.map(|it| &it["refusal"]);
        let all = refusals.chain([&item["thinned_out_because"]]);
        let all = all.map(|it| it.as_str().unwrap_or("there").to_owned());
        said.entry(device).or_default().extend(all);
    }
    said
}

#[sqlx::test(migrations = "../migrations")]
async fn all_shards_that_do_not_give_what_they_should_are_named(pool: PgPool) {
    let lab = Lab::new(&pool, 3).await;
    let server = Server::on_shards(pool.clone(), lab.open().await).await;
    server.stop_fitting();
    let devices = [
        lab.device(1).await,
        lab.device(2).await,
        lab.device(3).await,
    ];
    let all = devices.iter().flat_map(|it| samples_of(it, 1.0));
    server.upload(&Vec::from_iter(all)).await;
    let texts = |all: &[&str]| BTreeSet::from_iter(all.iter().map(|&it| it.to_owned()));
    let there = texts(&["there"]);
    let said = said_of(&server).await;
    assert!(said.len() == 3 && said.values().all(|it| *it == there));
    // Why a table of all does not come whole.
    let export = async || {
        let mut table = server.stream("/v1/samples?format=csv").await;
        loop {
            match table.next().await.expect("no whole table") {
                Ok(_) => {}
                Err(error) => return error.to_string(),
            }
        }
    };

    // Both answer, and lack what they had, as one does that was restored from a backup.
    for name in &lab.databases[..2] {
        let shard = connect(name).await;
        execute(&shard, "TRUNCATE readings".to_owned()).await;
        shard.close().await;
    }
    let said = said_of(&server).await;
    for (device, shard) in devices.iter().zip(["s1", "s2"]) {
        let values =
            format!("counted, but the shard {shard}, which should have the values, has not");
        let times = format!("the shard {shard}, which should have them, has not");
        assert_eq!(said[device], texts(&[&values, &times]));
    }
    assert_eq!(said[&devices[2]], there);
    let why = export().await;
    for shard in ["s1", "s2"] {
        let lacks = format!("the shard {shard} has not the values of sample");
        assert!(why.contains(&lacks), "{why}");
    }
    assert!(!why.contains("s3"), "{why}");

    // Neither answers.
    lab.lose(1).await;
    lab.lose(2).await;
    let said = said_of(&server).await;
    for (device, shard) in devices.iter().zip(["s1", "s2"]) {
        let values =
            format!("counted, but the shard {shard}, which has the values, can't be reached");
        let times = format!("the shard {shard}, which has them, can't be reached");
        assert_eq!(said[device], texts(&[&values, &times]));
    }
    assert_eq!(said[&devices[2]], there);
    let why = export().await;
    for shard in ["s1", "s2"] {
        let away = format!("the shard {shard} can't be reached");
        assert!(why.contains(&away), "{why}");
    }
    let new = devices.iter().map(|it| on(it, 1.0, sample(5, 1)));
    let body = json!({ "samples": Vec::from_iter(new) }).to_string();
    let (status, problem) = server.post("/v1/samples", body).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    let detail = problem["detail"].as_str().unwrap();
    let both = "the shard s1 can't be reached; the shard s2 can't be reached";
    assert!(detail.contains(both), "{detail}");
    lab.end().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn in_place_of_what_a_shard_has_lost_older_samples_are_fitted_or_none(pool: PgPool) {
    let lab = Lab::new(&pool, 1).await;
    let server = Server::on_shards(pool.clone(), lab.open().await).await;
    let device = lab.device(1).await;
    let batch = samples_of(&device, 1.0);
    // Of the first workload there is an older one.
    let mut older = [by("lab-3", batch[0].clone(), 1.0)];
    older[0]["measured_at"] = json!("2026-10-31T12:00:00Z");
    server.upload(&older).await;
    server.upload(&batch).await;
    server.fitted().await;

    // As one does that was restored from a backup that is older than these.
    let ids = |of: &[Value]| -> Vec<Uuid> {
        let all = of.iter().map(|it| it["id"].as_str().unwrap());
        all.map(|it| it.parse().unwrap()).collect()
    };
    let lost = ids(&batch[..2]);
    let shard = connect(&lab.databases[0]).await;
    let keep = "CREATE TABLE kept AS SELECT * FROM readings";
    execute(&shard, keep.to_owned()).await;
    let forget = "DELETE FROM readings WHERE sample_id = ANY ($1)";
    let forgotten = sqlx::query(forget).bind(&lost).execute(&shard).await;
    assert!(forgotten.unwrap().rows_affected() >= 2);
    let new = [on(&device, 1.0, sample(5, 1))];
    server.upload(&new).await;
    server.fitted().await;
    let fitted = async || -> BTreeSet<Uuid> {
        let fitted = "SELECT DISTINCT unnest(sample_ids) FROM models
            WHERE NOT superseded AND rank = 1 AND provider = 'oclgrind' AND response = 'time'";
        let fitted: Vec<Uuid> = sqlx::query_scalar(fitted).fetch_all(&pool).await.unwrap();
        fitted.into_iter().collect()
    };
    let all = ids(&batch[2..]).into_iter().chain(ids(&older));
    let all: BTreeSet<Uuid> = all.chain(ids(&new)).collect();
    assert_eq!(fitted().await, all);
    let (made, unchanged) = (server.fits("fitted").await, server.fits("unchanged").await);
    let ask = "INSERT INTO fitting_jobs (device_id, provider) SELECT id, 'oclgrind' FROM devices";
    execute(&pool, ask.to_owned()).await;
    server.fitted().await;
    assert_eq!(server.fits("fitted").await, made, "nothing is new");
    assert_eq!(server.fits("unchanged").await, unchanged + 1);

    // Where nothing is left, the models stay, and the fit is given up in time.
    let keep = "INSERT INTO kept SELECT * FROM readings";
    execute(&shard, keep.to_owned()).await;
    execute(&shard, "TRUNCATE readings".to_owned()).await;
    let reject =
        json!({ "decision": "reject", "samples": { "ids": ids(&new) }, "reason": "a test" });
    let (status, answer) = server.post("/v1/decisions", reject.to_string()).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let job = loop {
        let (_, mut jobs) = server.get("/v1/jobs").await;
        let mut items = jobs["items"].as_array_mut().unwrap().iter_mut();
        let failed = items.find(|it| it["provider"] == "oclgrind" && it["attempts"] != json!(0));
        if let Some(job) = failed {
            break job.take();
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let error = job["last_error"].as_str().unwrap();
    assert!(
        error.contains("the shard s1 has not the values of sample"),
        "{error}"
    );
    assert_eq!(fitted().await, all);

    // With all values back the same choice is fitted anew.
    let back = "INSERT INTO readings SELECT * FROM kept ON CONFLICT DO NOTHING";
    execute(&shard, back.to_owned()).await;
    shard.close().await;
    let restore =
        json!({ "decision": "restore", "samples": { "ids": ids(&new) }, "reason": "a test" });
    let (status, answer) = server.post("/v1/decisions", restore.to_string()).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    server.fitted().await;
    let all: BTreeSet<Uuid> = ids(&batch).into_iter().chain(ids(&new)).collect();
    assert_eq!(fitted().await, all);
    lab.end().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn what_is_in_quarantine_stays_there_where_its_counters_are_lost(pool: PgPool) {
    let lab = Lab::new(&pool, 1).await;
    let server = Server::on_shards(pool.clone(), lab.open().await).await;
    let device = lab.device(1).await;
    let mut most = ceilings("2026-11-01T12:00:00Z");
    most["device"]["name"] = json!(device);
    let (status, said) = server.post("/v1/ceilings", most.to_string()).await;
    assert_eq!(status, StatusCode::CREATED, "{said}");
    server.upload(&samples_of(&device, 1.0)).await;
    // Of a workload that nobody else has run, so that only its counters speak against it.
    let mut odd = on(&device, 1.0, by("lab-9", sample(9, 3), 1.0));
    odd["readings"]["ncu"] = json!({ "counters": { "dram__bytes.sum": 1e18 } });
    server.upload(&[odd.clone()]).await;
    server.fitted().await;
    let quarantined = async || -> Vec<Value> {
        let listed = server.items("/v1/samples?standing=quarantined").await;
        listed.iter().map(|it| it["id"].clone()).collect()
    };
    assert_eq!(quarantined().await, [odd["id"].clone()]);

    let shard = connect(&lab.databases[0]).await;
    let id: Uuid = odd["id"].as_str().unwrap().parse().unwrap();
    let forget = sqlx::query("DELETE FROM readings WHERE sample_id = $1").bind(id);
    assert!(forget.execute(&shard).await.unwrap().rows_affected() >= 1);
    shard.close().await;
    // What arrives has all of the device judged that waits.
    server
        .upload(&[on(&device, 1.0, by("lab-9", sample(1, 1), 1.0))])
        .await;
    server.fitted().await;
    let unjudged = server.items("/v1/samples?standing=unjudged").await;
    assert_eq!(unjudged, [] as [Value; 0]);
    assert_eq!(quarantined().await, [odd["id"].clone()]);
    lab.end().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_device_is_moved_while_it_uploads(pool: PgPool) {
    let lab = Lab::new(&pool, 2).await;
    let shards = lab.open().await;
    let server = Server::on_shards(pool.clone(), shards.clone()).await;
    server.stop_fitting();
    let device = lab.device(1).await;
    let mut sent = samples_of(&device, 1.0);
    server.upload(&sent).await;
    let id = lab.id(&device).await;
    let (moves, uploads) = tokio::join!(
        async {
            let (one, two, here) = (Home::Shard(1), Home::Shard(2), Home::Coordinator);
            for to in [two, here, one, Home::All, two, here, two] {
                move_device(&pool, &shards, id, to, |_| ()).await.unwrap();
                let seen = listed(&server).await;
                for item in &seen {
                    let counters = &item["readings"]["oclgrind"]["counters"];
                    assert!(counters["load_global"].is_number(), "{item}");
                    let times = item["times"]["repetitions_s"].as_array().unwrap();
                    assert!(
                        times.len() == 6 && item.get("thinned_out").is_none(),
                        "{item}"
                    );
                }
            }
        },
        async {
            let mut all = Vec::new();
            for n in 0..20 {
                let batch: Vec<Value> = (0..5).map(|k| on(&device, 1.0, sample(k, n))).collect();
                assert_eq!(server.upload(&batch).await["stored"], 5);
                all.extend(batch);
            }
            all
        }
    );
    let () = moves;
    sent.extend(uploads);
    // What uploads under way brought to where it was is fetched by another one.
    move_device(&pool, &shards, id, Home::Shard(2), |_| ())
        .await
        .unwrap();
    assert_eq!(
        move_device(&pool, &shards, id, Home::Shard(2), |_| ())
            .await
            .unwrap(),
        0
    );
    let (said, here) = lab.said().await;
    assert_eq!(said, [0, 3 * i64::try_from(sent.len()).unwrap()]);
    assert_eq!(here, 0);
    assert_eq!(lab.held().await[1], said[1]);
    let listed = listed(&server).await;
    let of = |items: &[Value]| {
        let values = items.iter().map(|it| {
            let readings = it["readings"].as_object().unwrap().iter();
            let mut values: Vec<Value> = readings.map(|(_, it)| it["counters"].clone()).collect();
            values.extend([
                it["times"]["repetitions_s"].clone(),
                it["times"]["cold_repetitions_s"].clone(),
            ]);
            (it["id"].as_str().unwrap().to_owned(), values)
        });
        values.collect::<BTreeMap<String, Vec<Value>>>()
    };
    let floats = |it: BTreeMap<String, Vec<Value>>| format!("{it:?}").replace(".0)", ")");
    assert_eq!(floats(of(&listed)), floats(of(&sent)));
    lab.end().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_move_that_is_cut_off_anywhere_is_finished_by_the_next(pool: PgPool) {
    let lab = Lab::new(&pool, 2).await;
    let shards = lab.open().await;
    let server = Server::on_shards(pool.clone(), shards.clone()).await;
    server.stop_fitting();
    let device = lab.device(1).await;
    for part in 0..5 {
        let batch = (0..500).map(|n| on(&device, 1.0, sample(part, n)));
        server.upload(&Vec::from_iter(batch)).await;
    }
    let id = lab.id(&device).await;
    let before = listed(&server).await;
    let (mut cut, mut waits) = (0, 1);
    for to in [Home::Shard(2), Home::Coordinator, Home::All, Home::Shard(1)] {
        loop {
            waits += 1;
            let moving = move_device(&pool, &shards, id, to, |_| ());
            match tokio::time::timeout(Duration::from_millis(3 * waits), moving).await {
                Ok(Ok(_)) => break,
                // The one before has not let go yet.
                Ok(Err(MoveError::UnderWay)) => tokio::time::sleep(Duration::from_millis(5)).await,
                Ok(Err(error)) => panic!("{error:?}"),
                Err(_) => cut += 1,
            }
        }
        waits = 1;
        assert_eq!(listed(&server).await, before);
        let (said, here) = lab.said().await;
        let all = 7500;
        match to {
            Home::Shard(to) => {
                assert_eq!((said[usize::from(to.unsigned_abs()) - 1], here), (all, 0))
            }
            Home::All => assert_eq!((said[0] + said[1], here), (all, 0)),
            Home::Coordinator => assert_eq!((said, here), (vec![0, 0], all)),
        }
    }
    assert!(cut > 5, "{cut}");
    // Each value once, where it is said to be.
    assert_eq!(lab.held().await[0], 7500);

    // And by the command, which is killed.
    let command = |arguments: &[&str]| {
        let mut command = Command::new(BINARY);
        let name = pool.connect_options().get_database().unwrap().to_owned();
        command
            .args(["--database-url", &url(&name), "--shards"])
            .arg(lab.file())
            .arg("--data")
            .arg(lab.folder.path().join("data"))
            .arg("shards")
            .args(arguments)
            .env("RUST_LOG", "warn");
        command
    };
    let number = id.to_string();
    for wait in [30, 60, 90] {
        let mut child = command(&["move", &number, "s2"]).spawn().unwrap();
        tokio::time::sleep(Duration::from_millis(wait)).await;
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let output = loop {
        let output = command(&["move", &number, "s2"]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if !said.contains("already") {
            break output;
        }
    };
    assert!(output.status.success(), "{output:?}");
    assert_eq!(listed(&server).await, before);
    assert_eq!(lab.held().await[1], 7500);
    let output = command(&["list"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        said.contains(&format!("{device}\ts2\t2500 samples")),
        "{said}"
    );
    let output = command(&["rebalance", "--dry-run"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("2500 samples to s1"), "{said}");
    let output = command(&["move", &number, "s9"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("s9: expected coordinator, all or a shard: s1, s2"),
        "{said}"
    );
    lab.end().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_shard_that_is_added_gets_its_share_of_new_devices(pool: PgPool) {
    let mut lab = Lab::new(&pool, 0).await;
    lab.write("", 0o600);
    let shards = lab.open().await;
    let server = Server::on_shards(pool.clone(), shards.clone()).await;
    server.stop_fitting();
    // Without shards all is in the database itself.
    let upload = async |from: u32, to: u32| {
        for number in from..to {
            let device = format!("Device {number}");
            server.upload(&[on(&device, 1.0, sample(0, number))]).await;
        }
    };
    upload(0, 2).await;
    assert_eq!(lab.said().await, (Vec::new(), 6));

    let watching = tokio::spawn(watch(pool.clone(), shards.clone(), lab.file()));
    // Files' times may be of a coarse clock.
    tokio::time::sleep(Duration::from_millis(50)).await;
    lab.add().await;
    lab.add().await;
    let known = async |n| {
        while shards::known(&pool).await.unwrap().len() < n {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        // And until this server knows it, too.
        while shards.size(i16::try_from(n).unwrap()).await.is_err() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    known(2).await;
    upload(2, 14).await;
    let at: Vec<(String, Option<i16>)> =
        sqlx::query_as("SELECT name, shard FROM devices ORDER BY id")
            .fetch_all(&pool)
            .await
            .unwrap();
    let on_each =
        |of: &[(String, Option<i16>)], shard| of.iter().filter(|it| it.1 == shard).count();
    assert_eq!(on_each(&at, None), 2);
    assert!(
        on_each(&at, Some(1)) > 0 && on_each(&at, Some(2)) > 0,
        "{at:?}"
    );
    lab.add().await;
    known(3).await;
    upload(14, 26).await;
    let now = shards::devices(&pool).await.unwrap();
    // None has moved by itself; were they new, some would be on the third, and none elsewhere than before but there.
    for (it, (name, shard)) in now.iter().zip(&at) {
        let home = shard.map_or(Home::Coordinator, Home::Shard);
        assert_eq!((&it.name, it.home), (name, home));
        assert!([home, Home::Shard(3)].contains(&it.wanted) || shard.is_none());
    }
    assert!(now.iter().any(|it| it.home == Home::Shard(3)), "{now:?}");
    for it in &now {
        move_device(&pool, &shards, it.device, it.wanted, |_| ())
            .await
            .unwrap();
    }
    let (said, here) = lab.said().await;
    assert_eq!((lab.held().await, here), (said.clone(), 0));
    assert_eq!(said.iter().sum::<i64>(), 3 * 26);
    assert_eq!(listed(&server).await.len(), 26);
    watching.abort();
    lab.end().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_device_may_be_spread_over_all_shards(pool: PgPool) {
    let mut lab = Lab::new(&pool, 2).await;
    let shards = lab.open().await;
    let server = Server::on_shards(pool.clone(), shards.clone()).await;
    server.stop_fitting();
    let device = lab.device(1).await;
    let batch = |part: u32| Vec::from_iter((0..300).map(|n| on(&device, 1.0, sample(part, n))));
    server.upload(&batch(0)).await;
    let id = lab.id(&device).await;
    let spread = async |shards: &Shards| {
        let moving = move_device(&pool, shards, id, Home::All, |_| ());
        moving.await.unwrap()
    };
    let moved = spread(&shards).await;
    assert!((90..210).contains(&moved), "{moved}");
    assert_eq!(spread(&shards).await, 0);
    // What is new is spread, too.
    server.upload(&batch(1)).await;
    assert_eq!(spread(&shards).await, 0);
    let before = listed(&server).await;
    let (said, here) = lab.said().await;
    assert_eq!((lab.held().await, here), (said.clone(), 0));
    assert_eq!(said.iter().sum::<i64>(), 3 * 600);
    assert!(
        said.iter().all(|it| (3 * 240..3 * 360).contains(it)),
        "{said:?}"
    );

    // One that is added gets its share, and nothing else moves.
    drop(server);
    lab.add().await;
    let shards = lab.open().await;
    let server = Server::on_shards(pool.clone(), shards.clone()).await;
    server.stop_fitting();
    let listed_as = shards::devices(&pool).await.unwrap();
    assert_eq!(
        (listed_as[0].home, listed_as[0].wanted),
        (Home::All, Home::All)
    );
    spread(&shards).await;
    let (now, here) = lab.said().await;
    assert_eq!((lab.held().await, here), (now.clone(), 0));
    assert!((3 * 150..3 * 250).contains(&now[2]), "{now:?}");
    assert!(now[0] < said[0] && now[1] < said[1], "{now:?}");
    assert_eq!(listed(&server).await, before);

    // Without one of them what would go there waits, all of a batch or none.
    lab.lose(2).await;
    let (status, _) = server
        .post("/v1/samples", json!({ "samples": batch(2) }).to_string())
        .await;
    assert_eq!(status, 503);
    lab.bring_back(2).await;
    assert_eq!(server.upload(&batch(2)).await["stored"], 300);
    lab.end().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn repetitions_that_a_server_from_before_they_were_on_shards_left_here_are_moved(
    pool: PgPool,
) {
    let lab = Lab::new(&pool, 2).await;
    let shards = lab.open().await;
    let server = Server::on_shards(pool.clone(), shards.clone()).await;
    server.stop_fitting();
    let device = lab.device(1).await;
    let sent = samples_of(&device, 1.0);
    assert_eq!(server.upload(&sent).await["stored"], sent.len());
    let shard = connect(&lab.databases[0]).await;
    execute(
        &shard,
        "DELETE FROM readings WHERE provider = ''".to_owned(),
    )
    .await;
    shard.close().await;
    // As servers from before the migration 0074 leave it, which write no repetitions.
    for it in &sent {
        let times = |name: &str| -> Vec<f64> {
            let times = it["times"][name].as_array().unwrap();
            times.iter().map(number).collect()
        };
        let done = sqlx::query(
            "UPDATE samples SET shard = NULL, repetitions_were = NULL, cold_were = NULL, repetitions = $2, \
             cold_repetitions = $3 WHERE id = $1::uuid",
        )
        .bind(it["id"].as_str().unwrap())
        .bind(times("repetitions_s"))
        .bind(times("cold_repetitions_s"))
        .execute(&pool)
        .await
        .unwrap();
        assert_eq!(done.rows_affected(), 1);
    }

    let values = 2 * i64::try_from(sent.len()).unwrap();
    assert_eq!(
        lab.said().await,
        (vec![values, 0], values / 2),
        "values there, repetitions here"
    );
    let before = listed(&server).await;
    let of_id = |id: &Value| sent.iter().find(|it| it["id"] == *id).unwrap();
    for item in &before {
        let sent = of_id(&item["id"]);
        for at in [
            "/times/repetitions_s",
            "/times/cold_repetitions_s",
            "/readings/oclgrind/counters",
        ] {
            assert_eq!(item.pointer(at), sent.pointer(at), "{at}");
        }
        assert!(item.get("thinned_out").is_none(), "{item}");
    }
    // The next move takes them along.
    move_device(
        &pool,
        &shards,
        lab.id(&device).await,
        Home::Shard(2),
        |_| (),
    )
    .await
    .unwrap();
    assert_eq!(lab.said().await, (vec![0, values / 2 * 3], 0));
    assert_eq!(listed(&server).await, before);
    lab.end().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn values_whose_samples_never_came_are_no_others_and_are_swept(pool: PgPool) {
    let lab = Lab::new(&pool, 1).await;
    let shards = lab.open().await;
    let server = Server::on_shards(pool.clone(), shards.clone()).await;
    server.stop_fitting();
    let device = lab.device(1).await;
    let (mut lost, stored) = (
        on(&device, 1.0, sample(0, 1)),
        on(&device, 1.0, sample(0, 2)),
    );
    server.upload(std::slice::from_ref(&stored)).await;
    // The values come to the shard, the sample does not come to the database.
    let refuse = "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'a test'; END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON samples EXECUTE FUNCTION refuse()";
    sqlx::raw_sql(refuse).execute(&pool).await.unwrap();
    let body = json!({ "samples": [lost] }).to_string();
    let (status, _) = server.post("/v1/samples", body).await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(lab.held().await, [6]);
    execute(&pool, "DROP TRIGGER refuse ON samples".to_owned()).await;
    // Another sample under its id has its own.
    lost["readings"]["oclgrind"]["counters"]["load_global"] = json!(77.0);
    server.upload(std::slice::from_ref(&lost)).await;
    assert_eq!(lab.held().await, [9]);
    let path = format!("/v1/samples/{}", lost["id"].as_str().unwrap());
    let (_, sample) = server.get(&path).await;
    assert_eq!(
        sample["readings"]["oclgrind"]["counters"]["load_global"],
        77.0
    );

    assert_eq!(
        sweep_now(&pool, &shards, TimeDelta::days(1)).await.unwrap(),
        0
    );
    let shard = connect(&lab.databases[0]).await;
    let old = "UPDATE readings SET written_at = now() - interval '25 hours'".to_owned();
    execute(&shard, old).await;
    let set_up = "UPDATE shards SET swept_until = now() - interval '2 days'".to_owned();
    execute(&pool, set_up).await;
    // One that is new, of an upload that is under way.
    let new =
        "INSERT INTO readings VALUES (gen_random_uuid(), 'oclgrind', gen_random_uuid(), '{1}')"
            .to_owned();
    execute(&shard, new).await;
    shard.close().await;
    assert_eq!(
        sweep_now(&pool, &shards, TimeDelta::days(1)).await.unwrap(),
        3
    );
    assert_eq!(lab.held().await, [7]);
    assert_eq!(server.get(&path).await.1, sample);
    lab.end().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn what_is_no_shard_is_refused(pool: PgPool) {
    let lab = Lab::new(&pool, 1).await;
    let entry = |name: &str, database: &str| {
        format!(
            "[[shard]]\nname = \"{name}\"\nurl = \"{}\"\n",
            url(database)
        )
    };
    let own = pool.connect_options().get_database().unwrap().to_owned();
    let (first, other) = (lab.databases[0].clone(), new_database(&pool).await);
    let refused = async |text: String| {
        lab.write(&text, 0o600);
        let error = Shards::open(&pool, &lab.file()).await.unwrap_err();
        assert!(matches!(error, ShardsError::New { .. }), "{error:?}");
        error.to_string()
    };
    assert!(
        refused(entry("s1", &own))
            .await
            .contains("tables of a server's")
    );
    assert!(
        refused(entry("s1", "nowhere"))
            .await
            .contains("can't be reached")
    );
    let twice = entry("s1", &first) + &entry("s2", &first);
    assert!(refused(twice).await.contains("is the shard s1 already"));
    // What was made of it before it was refused is made use of.
    lab.write(&entry("s1", &first), 0o600);
    let shards = lab.open().await;
    assert_eq!(shards::known(&pool).await.unwrap().len(), 1);
    let server = Server::on_shards(pool.clone(), shards).await;
    server.stop_fitting();
    let device = lab.device(1).await;
    server.upload(&[on(&device, 1.0, sample(0, 1))]).await;
    // Another database in its place is none, whatever it is.
    lab.write(&entry("s1", &other), 0o600);
    let server = Server::on_shards(pool.clone(), lab.open().await).await;
    server.stop_fitting();
    let batch = json!({ "samples": [on(&device, 1.0, sample(0, 2))] }).to_string();
    let (status, _) = server.post("/v1/samples", batch.clone()).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    // A server that was told of no shards says which one it lacks, and stores what comes in the database.
    let without = Server::new(pool.clone()).await;
    without.stop_fitting();
    let (status, answer) = without.post("/v1/samples", batch).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_eq!(lab.said().await, (vec![3], 3));
    let items = without.items("/v1/samples").await;
    let refusal = items[1]["readings"]["oclgrind"]["refusal"]
        .as_str()
        .unwrap();
    assert!(refusal.contains("number 1"), "{refusal}");
    let unknown = Uuid::now_v7();
    let (status, _) = without.get(&format!("/v1/samples/{unknown}")).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    execute(&pool, format!("DROP DATABASE {other} WITH (FORCE)")).await;
    lab.end().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_backup_has_what_is_on_shards(pool: PgPool) {
    let lab = Lab::new(&pool, 2).await;
    let shards = lab.open().await;
    let server = Server::on_shards(pool.clone(), shards.clone()).await;
    for shard in [1, 2] {
        server
            .upload(&samples_of(&lab.device(shard).await, 1.0))
            .await;
    }
    server.fitted().await;
    let (before, held) = (listed(&server).await, lab.held().await);
    let source = |database: &str| Source {
        options: url(database).parse().unwrap(),
        url: Some(url(database)),
        folder: "/nowhere".into(),
    };
    let from = source(pool.connect_options().get_database().unwrap());
    let file = lab.folder.path().join("lab.kerncast");
    let none = back_up(&from, &file, &BTreeMap::new()).await;
    assert!(matches!(none, Err(BackupError::Shards(_))), "{none:?}");
    assert!(!file.exists());
    let header = back_up(&from, &file, &Source::of_shards(&lab.file()).unwrap())
        .await
        .unwrap();
    assert_eq!(header.shards, ["s1", "s2"]);
    // Of two at once the second is told that there may be a first one.
    let mut first = PgConnection::connect_with(&pool.connect_options())
        .await
        .unwrap();
    let alone = "SELECT pg_advisory_lock(x'6b63736d'::integer, 0)";
    sqlx::query(alone).execute(&mut first).await.unwrap();
    let second = lab.folder.path().join("second.kerncast");
    let told = back_up(&from, &second, &Source::of_shards(&lab.file()).unwrap()).await;
    let told = told.unwrap_err().to_string();
    assert!(told.contains("a backup is being made, or"), "{told}");
    first.close().await.unwrap();
    // What is uploaded later is not in it.
    server
        .upload(&[on(&lab.device(1).await, 1.0, sample(7, 1))])
        .await;
    drop(server);

    let restored = new_database(&pool).await;
    let to = source(&restored);
    let none = restore(&to, &file, &BTreeMap::new()).await;
    assert!(matches!(none, Err(BackupError::Shards(_))), "{none:?}");
    // The shards that it was made of have their values still.
    let full = restore(&to, &file, &Source::of_shards(&lab.file()).unwrap()).await;
    assert!(
        matches!(full, Err(BackupError::ShardNotEmpty(_))),
        "{full:?}"
    );
    let into = Lab {
        coordinator: connect(&restored).await,
        folder: tempfile::tempdir().unwrap(),
        databases: Vec::new(),
    };
    let into = Lab {
        databases: vec![new_database(&pool).await, new_database(&pool).await],
        ..into
    };
    let entries = into.databases.iter().enumerate().map(|(place, name)| {
        format!(
            "[[shard]]\nname = \"s{}\"\nurl = \"{}\"\n",
            place + 1,
            url(name)
        )
    });
    into.write(&entries.collect::<String>(), 0o600);
    restore(&to, &file, &Source::of_shards(&into.file()).unwrap())
        .await
        .unwrap();
    assert_eq!(into.held().await, held);
    let shards = into.open().await;
    let server = Server::on_shards(into.coordinator.clone(), shards.clone()).await;
    assert_eq!(listed(&server).await, before);
    let mut differ = 0;
    verify(&into.coordinator, &shards, |_, verified| {
        differ += usize::from(!matches!(verified, Verified::Same | Verified::Refused));
    })
    .await
    .unwrap();
    assert_eq!(differ, 0);
    // It goes on from there.
    server
        .upload(&[on(&into.device(2).await, 1.0, sample(7, 1))])
        .await;
    server.fitted().await;
    drop(server);
    into.coordinator.close().await;
    for name in into.databases.iter().chain([&restored]) {
        execute(&pool, format!("DROP DATABASE {name} WITH (FORCE)")).await;
    }
    lab.end().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn pages_are_as_long_as_the_repetitions_on_shards_let_them_be(pool: PgPool) {
    let lab = Lab::new(&pool, 1).await;
    let server = Server::on_shards(pool.clone(), lab.open().await).await;
    server.stop_fitting();
    let device = lab.device(1).await;
    for n in 0..3 {
        let mut long = on(&device, 1.0, sample(0, n));
        long["times"]["repetitions_s"] = (1..=100_000).map(|n| 1e-9 * f64::from(n)).collect();
        server.upload(&[long]).await;
    }
    assert_eq!(lab.said().await.1, 0);
    let (_, page) = server.get("/v1/samples").await;
    assert_eq!(page["items"].as_array().unwrap().len(), 2);
    assert!(page["next"].is_string(), "{}", page["next"]);
    lab.end().await;
}
