//! Connections: how many there may be, how long each may take, and who makes room for a newcomer.

mod answer_limit;
mod connections;
mod file_limit;
mod slow_reader;
mod tls;

pub use file_limit::raise_file_limit;
pub use tls::Tls;

use std::{future::Future, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::{GracefulShutdown, Watcher},
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpListener,
};

use answer_limit::answer_in_time;
use connections::{Connection, Connections};
use slow_reader::SlowReader;

/// Longest time from a connection's start, or the answer before, to the end of a request's headers.
const LONGEST_HEADERS: Duration = Duration::from_secs(30);
/// Bytes of headers at most; bodies are read and answers written in such pieces.
const BUFFER_BYTES: usize = 64 << 10;
/// Pause after `accept` has failed: files may be short, and others are about to close.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_millis(100);

/// Serves `router` on at most `most` connections until `stop` ends; what is under way then goes on to its end.
///
/// Where all are open, the one that has waited for its client for longest makes room for a newcomer. Where all are
/// being answered the newcomer is turned away.
pub async fn serve(
    listener: TcpListener,
    most: usize,
    tls: Option<Tls>,
    router: Router,
    stop: impl Future<Output = ()>,
) {
    let mut stop = pin!(stop);
    let (connections, graceful) = (Connections::default(), GracefulShutdown::new());
    loop {
        let accepted = tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => accepted,
        };
        let (stream, address) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!("a connection can't be accepted: {error}");
                tokio::time::sleep(PAUSE_AFTER_FAILURE).await;
                continue;
            }
        };
        let Some(mut entered) = connections.enter(most) else {
            tracing::warn!("{address} is turned away: all {most} connections are being answered");
            continue;
        };
        let connection = Arc::clone(&entered.connection);
        let stream = SlowReader::new(stream, Arc::clone(&connection));
        let (tls, router, watcher) = (tls.clone(), router.clone(), graceful.watcher());
        tokio::spawn(async move {
            let served = async {
                let Some(tls) = tls else {
                    return serve_one(stream, address, connection, router, watcher).await;
                };
                match tls.accept(stream).await {
                    Ok(stream) => serve_one(stream, address, connection, router, watcher).await,
                    Err(error) => tracing::debug!("{address} does not speak TLS as we do: {error}"),
                }
            };
            tokio::select! {
                () = served => {}
                _ = &mut entered.closed => {}
            }
        });
    }
    drop(listener);
    graceful.shutdown().await;
}

/// Answers a connection's requests, one after another.
async fn serve_one(
    stream: impl AsyncRead + AsyncWrite + Unpin + 'static,
    address: SocketAddr,
    connection: Arc<Connection>,
    router: Router,
    watcher: Watcher,
) {
    let service = hyper::service::service_fn(move |request| {
        answer_in_time(router.clone(), request, address, Arc::clone(&connection))
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(LONGEST_HEADERS)
        .max_buf_size(BUFFER_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    if let Err(error) = watcher.watch(served).await {
        tracing::debug!("the connection from {address} ended: {error}");
    }
}
