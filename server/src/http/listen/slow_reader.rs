use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Instant, Sleep, sleep_until},
};

use super::connections::Connection;
use crate::http::slow_client::Allowance;

/// A connection that ends where its client does not take in time what is written. Time counts while there is something to
/// write and the client takes nothing, so that neither an answer that is slow to make nor events, which come now and then,
/// count.
pub(super) struct SlowReader {
    stream: TcpStream,
    connection: Arc<Connection>,
    allowance: Allowance,
    /// While nothing can be written: since when, and when the allowance ends.
    blocked: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl SlowReader {
    pub(super) fn new(stream: TcpStream, connection: Arc<Connection>) -> Self {
        Self {
            stream,
            connection,
            allowance: Allowance::default(),
            blocked: None,
        }
    }

    /// Returns `progress` as it is, or an error where the client is too slow.
    fn in_time(
        &mut self,
        context: &mut Context<'_>,
        progress: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(done) = progress {
            if let Some((since, _)) = self.blocked.take() {
                self.allowance.spend(since.elapsed());
                self.connection.writes();
            }
            self.allowance.earn(*done.as_ref().unwrap_or(&0));
            return Poll::Ready(done);
        }
        let (_, end) = self.blocked.get_or_insert_with(|| {
            self.connection.waits_to_write();
            let now = Instant::now();
            (now, Box::pin(sleep_until(now + self.allowance.remaining())))
        });
        let too_slow = || io::Error::new(io::ErrorKind::TimedOut, "it reads too slowly");
        end.as_mut().poll(context).map(|()| Err(too_slow()))
    }
}

impl AsyncRead for SlowReader {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

/// A TCP stream has nothing to flush, nor waits to be shut down.
impl AsyncWrite for SlowReader {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let progress = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(context, progress)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let progress = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.in_time(context, progress)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
