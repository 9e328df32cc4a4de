//! Connections: how many there may be, how long each may take, and who makes room for a newcomer.

mod connection;
mod files;
mod paced;
mod state;
mod tls;
mod watched;

pub use files::connections;
pub use tls::{Files, Tls, TlsError};

use std::{
    future::Future,
    net::SocketAddr,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinSet,
};

use connection::answer;
use paced::Paced;
use state::Connection;

/// From a connection's start, or the answer before, to the end of a request's headers.
const HEADERS: Duration = Duration::from_secs(30);
/// Bytes of headers at most; bodies are read and answers written in such pieces.
const BUFFER: usize = 64 << 10;
/// After `accept` has failed: files may be short, and others are about to close.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves `router` on at most `most` connections until `stop` ends; what is under way then goes on to its end.
///
/// Where all are open, one that waits makes room for a newcomer: for its next request, else for events, else
/// for more of a body, else for its client to take more of an answer, and of those the one that has waited longest.
/// Where all are being answered the newcomer is turned away.
pub async fn serve(
    listener: TcpListener,
    most: usize,
    tls: Option<Tls>,
    router: Router,
    stop: impl Future<Output = ()>,
) {
    let mut stop = pin!(stop);
    let open = Open::default();
    let mut tasks = JoinSet::new();
    // Its end tells them all, also those that begin at that moment.
    let (running, stopped) = watch::channel(());
    loop {
        let (stream, address) = tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!("a connection can't be accepted: {error}");
                    tokio::time::sleep(PAUSE).await;
                    continue;
                }
            },
        };
        while tasks.try_join_next().is_some() {}
        let Some(connection) = open.enter(most) else {
            tracing::warn!("{address} is turned away: all {most} connections are being answered");
            continue;
        };
        tasks.spawn(serve_one(
            stream,
            address,
            tls.clone(),
            connection,
            router.clone(),
            stopped.clone(),
        ));
    }
    drop(listener);
    drop(running);
    while tasks.join_next().await.is_some() {}
}

/// Answers a connection's requests, one after another; where there is `tls`, after agreeing on it.
async fn serve_one(
    stream: TcpStream,
    address: SocketAddr,
    tls: Option<Tls>,
    connection: Entered,
    router: Router,
    mut stopped: watch::Receiver<()>,
) {
    let Some(tls) = tls else {
        return serve_requests(stream, address, connection, router, stopped).await;
    };
    let agreed = tokio::select! {
        agreed = tls.accept(stream) => agreed,
        () = connection.0.asked_to_close() => return,
        _ = stopped.changed() => return,
    };
    match agreed {
        Ok(stream) => serve_requests(stream, address, connection, router, stopped).await,
        Err(error) => tracing::debug!("{address} does not speak TLS as we do: {error}"),
    }
}

async fn serve_requests(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    address: SocketAddr,
    connection: Entered,
    router: Router,
    mut stopped: watch::Receiver<()>,
) {
    let stream = Paced::new(stream, Arc::clone(&connection.0));
    let state = Arc::clone(&connection.0);
    let service = hyper::service::service_fn(move |request| {
        answer(router.clone(), request, address, Arc::clone(&state))
    });
    let mut served = pin!(
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEADERS)
            .max_buf_size(BUFFER)
            .serve_connection(TokioIo::new(stream), service)
    );
    let served = tokio::select! {
        served = served.as_mut() => served,
        () = connection.0.asked_to_close() => return,
        _ = stopped.changed() => {
            served.as_mut().graceful_shutdown();
            served.await
        }
    };
    if let Err(error) = served {
        tracing::debug!("the connection from {address} ended: {error}");
    }
}

/// All connections.
#[derive(Clone, Default)]
struct Open(Arc<Mutex<Vec<Arc<Connection>>>>);

/// One of them; it leaves when it is dropped.
struct Entered(Arc<Connection>, Open);

impl Open {
    /// A new connection; where there are `most` already, another is asked to close first. None where all of
    /// them are being answered.
    fn enter(&self, most: usize) -> Option<Entered> {
        let mut all = self.all();
        if all.len() >= most {
            let (at, _) = all
                .iter()
                .enumerate()
                .filter_map(|(at, connection)| Some((at, connection.waiting()?)))
                .min_by_key(|&(_, waiting)| waiting)?;
            all.swap_remove(at).close();
        }
        let connection = Arc::new(Connection::new());
        all.push(Arc::clone(&connection));
        Some(Entered(connection, self.clone()))
    }

    fn all(&self) -> MutexGuard<'_, Vec<Arc<Connection>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        let Self(connection, open) = self;
        open.all().retain(|it| !Arc::ptr_eq(it, connection));
    }
}
