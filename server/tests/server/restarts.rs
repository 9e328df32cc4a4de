//! Postgres goes away under a server that runs, and comes back.

use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use crate::common::{ADMIN, Server, add_token, sample, samples};
use axum::{
    body::Body,
    http::{Request, StatusCode, header},
};
use http_body_util::BodyExt;
use kerncast_server::{access::Settings, db, upkeep::postgres::PrivatePostgres};
use kerncast_wire::{Readers, TokenRole};
use serde_json::{Value, json};
use sqlx::PgPool;
use tokio::task::JoinHandle;

const READER: &str = "a reader's token";

/// A Postgres of the test's own, and a way to it that can be closed.
struct Away {
    postgres: Option<PrivatePostgres>,
    folder: tempfile::TempDir,
}

impl Away {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // As root, Postgres runs as another user, who must be able to pass.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let mut it = Self {
            postgres: None,
            folder,
        };
        it.start();
        it.open();
        it
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn way(&self) -> PathBuf {
        self.folder.path().join("way")
    }

    fn start(&mut self) {
        fs::create_dir_all(self.data()).unwrap();
        fs::set_permissions(self.data(), fs::Permissions::from_mode(0o755)).unwrap();
        self.postgres = Some(PrivatePostgres::start(&self.data()).unwrap());
    }

    /// Ends it as a crash does.
    async fn crash(&mut self) {
        let pid = fs::read_to_string(self.data().join("postgres/postmaster.pid")).unwrap();
        let mut kill = Command::new("kill");
        kill.args(["-s", "QUIT", pid.lines().next().unwrap()]);
        assert!(kill.status().unwrap().success());
        self.postgres.take().unwrap().ended().await;
    }

    fn open(&self) {
        symlink(self.data().join("socket"), self.way()).unwrap();
    }

    fn close(&self) {
        fs::remove_file(self.way()).unwrap();
    }

    /// As a server has it that reaches it this way.
    async fn pool(&self, way: &Path) -> PgPool {
        let options = self.postgres.as_ref().unwrap().options();
        db::connect(options.socket(way)).await.unwrap()
    }
}

fn upload(samples: &[Value]) -> Request<Body> {
    let request = Request::post("/v1/samples")
        .header(header::AUTHORIZATION, format!("Bearer {ADMIN}"))
        .header(header::CONTENT_TYPE, "application/json");
    let body = json!({ "samples": samples }).to_string();
    request.body(Body::from(body)).unwrap()
}

fn forecast() -> Request<Body> {
    let counters = json!({ "oclgrind": sample(0, 0)["readings"]["oclgrind"]["counters"] });
    let request = Request::post("/v1/predictions")
        .header(header::AUTHORIZATION, format!("Bearer {ADMIN}"))
        .header(header::CONTENT_TYPE, "application/json");
    let body = json!({ "counters": counters }).to_string();
    request.body(Body::from(body)).unwrap()
}

fn read(path: &str, token: &str) -> Request<Body> {
    let request = Request::get(path).header(header::AUTHORIZATION, format!("Bearer {token}"));
    request.body(Body::empty()).unwrap()
}

/// Whether it was answered; where not, it is told to come again.
async fn answered(server: &Server, request: Request<Body>) -> bool {
    let request_line = format!("{} {}", request.method(), request.uri());
    let response = server.response(request).await;
    let (status, again) = (
        response.status(),
        response.headers().contains_key(header::RETRY_AFTER),
    );
    let body = response.into_body().collect().await.unwrap().to_bytes();
    match status {
        StatusCode::OK => true,
        StatusCode::SERVICE_UNAVAILABLE if again => false,
        _ => panic!("{request_line}: {status} {body:?}"),
    }
}

/// Asks until it is so, for half a minute.
async fn until(condition: &str, is_so: impl AsyncFn() -> bool) {
    let start = Instant::now();
    while !is_so().await {
        assert!(start.elapsed() < Duration::from_secs(30), "{condition}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn model(server: &Server) -> Value {
    let (status, answer) = server.send(forecast()).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer["predictions"][0]["model"].clone()
}

async fn ids(pool: &PgPool) -> BTreeSet<String> {
    let ids: Vec<String> = sqlx::query_scalar("SELECT id::text FROM samples")
        .fetch_all(pool)
        .await
        .unwrap();
    ids.into_iter().collect()
}

fn id(sample: &Value) -> String {
    sample["id"].as_str().unwrap().to_owned()
}

/// An agent that uploads until it is over: what is acknowledged is noted, what is not is sent again. How often it was told
/// to come again.
fn upload_on(
    agent: u32,
    server: &Arc<Server>,
    over: &Arc<AtomicBool>,
    stored: &Arc<Mutex<BTreeSet<String>>>,
) -> JoinHandle<i32> {
    let (server, over, stored) = (Arc::clone(server), Arc::clone(over), Arc::clone(stored));
    tokio::spawn(async move {
        let mut refused = 0;
        for n in 6.. {
            let batch = [sample(agent, n), sample(agent, n + 1000)];
            while !answered(&server, upload(&batch)).await {
                refused += 1;
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
            stored.lock().unwrap().extend(batch.iter().map(id));
            if over.load(Relaxed) {
                return refused;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        refused
    })
}

/// Nothing is answered while the database is away, but each is told so.
async fn everybody_is_told_soon(server: &Server) {
    let start = Instant::now();
    assert_eq!(server.get("/healthz").await.0, StatusCode::OK);
    let requests = [
        read("/readyz", ADMIN),
        read("/v1/overview", ADMIN),
        read("/v1/samples", ADMIN),
        read("/v1/devices", READER),
        read("/metrics", ADMIN),
        forecast(),
        upload(&[sample(0, 0)]),
    ];
    let requests = requests.map(|request| answered(server, request));
    let answered_while_away = futures_util::future::join_all(requests).await;
    assert_eq!(answered_while_away, [false; 7]);
    assert!(
        start.elapsed() < Duration::from_secs(12),
        "each is told soon"
    );
}

/// All that was acknowledged is there, and each once; what is counted of it too.
async fn all_is_there_once(pool: &PgPool, expected: &BTreeSet<String>) {
    let stored_ids = ids(pool).await;
    assert!(
        expected.is_subset(&stored_ids),
        "{:?}",
        expected.difference(&stored_ids)
    );
    assert_eq!(stored_ids.len(), expected.len() + samples().len());
    let counted: i64 = sqlx::query_scalar("SELECT sum(samples)::bigint FROM agent_counts")
        .fetch_one(pool)
        .await
        .unwrap();
    assert_eq!(usize::try_from(counted).unwrap(), stored_ids.len());
    let tried: i32 = sqlx::query_scalar("SELECT coalesce(max(attempts), 0) FROM fitting_jobs")
        .fetch_one(pool)
        .await
        .unwrap();
    assert_eq!(tried, 0, "no fit is at fault");
}

/// Crashes it, has another server change what the first one keeps in memory, and lets the first one back to it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_postgres_that_crashes_and_recovers_loses_nothing() {
    let mut away = Away::new();
    let settings = Settings {
        readers: Readers::Token,
        ..Settings::default()
    };
    let server = Arc::new(Server::with(away.pool(&away.way()).await, settings).await);
    let direct = away.data().join("socket");
    let reader = add_token(&away.pool(&direct).await, READER, TokenRole::Reader).await;
    server.upload(&samples()).await;
    let fitted = async || {
        let (_, jobs) = server.send(read("/v1/jobs", ADMIN)).await;
        jobs["pending"] == 0
    };
    until("the first fits", fitted).await;
    let before = model(&server).await;
    assert!(answered(&server, read("/v1/devices", READER)).await);

    // Agents upload all the while; what is acknowledged is noted, what is not is sent again.
    let (over, stored) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::default()));
    let agents = (0..3).map(|agent| upload_on(agent, &server, &over, &stored));
    let agents: Vec<JoinHandle<i32>> = agents.collect();
    tokio::time::sleep(Duration::from_millis(300)).await;
    away.crash().await;
    away.close();

    everybody_is_told_soon(&server).await;

    // The first server can't reach it yet. Fits of what is uploaded are left to it.
    away.start();
    let other = Server::new(away.pool(&direct).await).await;
    other.stop_fitting();
    let path = format!("/v1/tokens/{}", reader.id);
    let (status, answer) = other.by(ADMIN, "DELETE", &path, "").await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let meanwhile = [sample(4, 1), sample(4, 2), sample(4, 3)];
    other.upload(&meanwhile).await;
    drop(other);
    let waiting: i64 = sqlx::query_scalar("SELECT count(*) FROM fitting_jobs")
        .fetch_one(&away.pool(&direct).await)
        .await
        .unwrap();
    assert!(waiting > 0);
    assert!(!answered(&server, read("/readyz", ADMIN)).await);

    away.open();
    until("it is ready", async || {
        answered(&server, read("/readyz", ADMIN)).await
    })
    .await;
    // The revoked token: what was told while nobody listened is seen all the same.
    until("the token is refused", async || {
        let (status, _) = server.head(read("/v1/devices", READER)).await;
        status == StatusCode::UNAUTHORIZED
    })
    .await;
    over.store(true, Relaxed);
    let mut refused = 0;
    for agent in agents {
        refused += agent.await.unwrap();
    }
    assert!(refused > 0, "agents were told to come again");
    until("fits go on", fitted).await;
    until("a forecast by a newer model", async || {
        model(&server).await != before
    })
    .await;

    // And from now on changes are told.
    let (status, answer) = server.head(read("/v1/devices", ADMIN)).await;
    assert_eq!(status, StatusCode::OK, "{answer:?}");
    let again = add_token(&away.pool(&direct).await, "another", TokenRole::Reader).await;
    assert!(answered(&server, read("/v1/devices", "another")).await);
    let revoked = "UPDATE tokens SET revoked_at = now() WHERE id = $1";
    let pool = away.pool(&direct).await;
    sqlx::query(revoked)
        .bind(again.id)
        .execute(&pool)
        .await
        .unwrap();
    until("the other token is refused", async || {
        let (status, _) = server.head(read("/v1/devices", "another")).await;
        status == StatusCode::UNAUTHORIZED
    })
    .await;

    // All that was acknowledged is there, and each once; what is counted of it too.
    let mut expected = stored.lock().unwrap().clone();
    expected.extend(meanwhile.iter().map(id));
    all_is_there_once(&pool, &expected).await;
}
