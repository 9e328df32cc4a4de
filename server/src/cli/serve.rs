use std::{
    fs,
    net::TcpListener,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use kerncast_server::{
    App,
    access::token,
    db,
    events::events,
    fitting,
    http::listen::{self, Tls},
    routes, upkeep,
};
use kerncast_training::Validations;
use sqlx::PgPool;
use tokio::{
    signal::unix::{SignalKind, signal},
    task::{JoinHandle, JoinSet},
};

use super::{Place, database::Database, listen::Options};

/// How long requests may go on after Ctrl-C.
const LONGEST_ENDING: Duration = Duration::from_secs(30);

/// How long connections that are cut off may take to close.
const LONGEST_CLOSING: Duration = Duration::from_secs(5);

/// How fits are made.
#[derive(Args)]
pub(crate) struct FitOptions {
    /// Fit after this long without uploads, as 5s, but at the latest after twenty times that.
    #[arg(
        long,
        value_name = "DURATION",
        default_value = "5s",
        value_parser = humantime::parse_duration,
        env = "KERNCAST_FIT_AFTER"
    )]
    fit_after: Duration,
    /// File from `kerncast validate`; fits in it are not validated again. Use only your own.
    #[arg(long, value_name = "FILE", env = "KERNCAST_VALIDATIONS")]
    validations: Option<PathBuf>,
}

impl FitOptions {
    fn settings(&self) -> anyhow::Result<fitting::Settings> {
        let validations = match &self.validations {
            None => Validations::default(),
            Some(file) => fs::read(file)
                .map_err(|error| error.to_string())
                .and_then(|bytes| Validations::read(&bytes))
                .map_err(|why| anyhow!("{}: {why}", file.display()))?,
        };
        Ok(fitting::Settings {
            pause: self.fit_after,
            validations: Arc::new(validations),
            ..fitting::Settings::default()
        })
    }
}

/// Serves until Ctrl-C, SIGTERM, or the private Postgres's unexpected end.
pub(super) fn run(listen: &Options, fits: &FitOptions, place: &Place) -> anyhow::Result<()> {
    let connections = listen::raise_file_limit();
    let tls = listen.tls()?;
    let listener = listen.bind()?;
    let folder = place.folder()?;
    let mut database = Database::open(place.database_url.as_deref(), &folder)?;
    let runtime = tokio::runtime::Runtime::new().context("can't start threads")?;
    let served = runtime.block_on(serve(
        listener,
        connections,
        tls,
        listen,
        fits,
        &folder,
        &mut database,
    ));
    // A fit that is under way has stored nothing yet, and its job stays.
    runtime.shutdown_background();
    let closed = database.close();
    served.and(closed)
}

async fn serve(
    listener: TcpListener,
    connections: usize,
    tls: Option<Tls>,
    options: &Options,
    fits: &FitOptions,
    folder: &Path,
    database: &mut Database,
) -> anyhow::Result<()> {
    // First of all: a signal that comes before its handler ends the process on the spot.
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let settings = fits.settings()?;
    let pool = prepare_database(database, folder).await?;
    let (events, listening) = events(pool.clone());
    let listening = tokio::spawn(listening);
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let scheme = if tls.is_some() { "https" } else { "http" };
    tracing::info!("listening on {scheme}://{}/", listener.local_addr()?);
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let hosts = options.hosts(listener.local_addr()?);
    let mut app = App::new(pool.clone(), events, options.settings()).with_hosts(hosts);
    if let Some(disk) = database.disk(folder) {
        app = app.with_disk(disk);
    }
    let settings = fitting::Settings {
        counts: app.fits(),
        ..settings
    };
    let mut behind = JoinSet::new();
    behind.spawn(fitting::work(pool.clone(), settings));
    behind.spawn(upkeep::look_after(pool.clone()));
    let router = routes::router(app);
    if let Some(tls) = &tls {
        tokio::spawn(tls.clone().follow());
    }
    let mut server = tokio::spawn(listen::serve(listener, connections, tls, router, async {
        let _ = stopped.await;
    }));

    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        () = database.ended() => bail!("Postgres has ended; postgres.log in {} says why", folder.display()),
        ended = &mut server => return Ok(ended?),
    }
    tracing::info!("ending");
    behind.abort_all();
    // Streams of events would go on for ever.
    listening.abort();
    let _ = stop.send(());
    finish_requests(server, pool).await;
    Ok(())
}

/// Connects to the database, makes the first token, and asks for fits in the place of those that other code has made.
async fn prepare_database(database: &Database, folder: &Path) -> anyhow::Result<PgPool> {
    let pool = db::connect(database.options.clone()).await?;
    let file = folder.join("token");
    super::token::issue_first(&pool, &file).await?;
    log_token_file(&pool, &file).await?;
    let outdated = fitting::request_outdated_fits(&pool).await?;
    if outdated > 0 {
        tracing::info!(
            "fitting anew what an older server has fitted: {outdated} devices and providers"
        );
    }
    Ok(pool)
}

/// Waits until requests that are under way are answered, but not for ever.
async fn finish_requests(server: JoinHandle<()>, pool: PgPool) {
    if tokio::time::timeout(LONGEST_ENDING, server).await.is_err() {
        let seconds = LONGEST_ENDING.as_secs();
        tracing::warn!("requests that took longer than {seconds} s were cut off");
    }
    if tokio::time::timeout(LONGEST_CLOSING, pool.close())
        .await
        .is_err()
    {
        tracing::warn!("the database did not answer any more");
    }
}

async fn log_token_file(pool: &PgPool, file: &Path) -> anyhow::Result<()> {
    let remedy = "`kerncast-server token --new` makes a token";
    let path = file.display();
    match token::read(file) {
        Err(error) => tracing::warn!("can't read {path}: {error}; {remedy}"),
        Ok(hash) if db::access::tokens::find(pool, &hash).await?.is_some() => {
            tracing::info!("an admin's token is in {path}");
        }
        Ok(_) => tracing::warn!("the database does not know the token in {path}; {remedy}"),
    }
    Ok(())
}
