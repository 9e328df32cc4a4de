use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep_until},
};

use super::state::Connection;
use crate::patience::Patience;

/// Bytes a second that an answer is taken with at least.
const SLOWEST: u32 = 32 << 10;

/// A connection whose client is not waited for for ever: what can't be written in time ends it. Time counts while
/// there is something to write and the client takes nothing, so that neither an answer that is slow to make nor
/// events, which come now and then, count.
pub(super) struct Paced<S> {
    stream: S,
    connection: Arc<Connection>,
    patience: Patience,
    /// While nothing can be written: since when, and when patience ends.
    blocked: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl<S> Paced<S> {
    pub(super) fn new(stream: S, connection: Arc<Connection>) -> Self {
        Self {
            stream,
            connection,
            patience: Patience::new(SLOWEST),
            blocked: None,
        }
    }

    /// `written` as it is, or that the client is too slow.
    fn in_time<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
        bytes: impl Fn(&T) -> usize,
    ) -> Poll<io::Result<T>> {
        if let Poll::Ready(done) = written {
            if let Some((since, _)) = self.blocked.take() {
                self.patience.waited(since.elapsed());
                self.connection.writes();
            }
            self.patience.moved(done.as_ref().map_or(0, bytes));
            return Poll::Ready(done);
        }
        let (_, end) = self.blocked.get_or_insert_with(|| {
            self.connection.waits_to_write();
            let now = Instant::now();
            (now, Box::pin(sleep_until(now + self.patience.left())))
        });
        end.as_mut().poll(context).map(|()| {
            Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "it reads too slowly",
            ))
        })
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Paced<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Paced<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(context, written, |&bytes| bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.in_time(context, written, |&bytes| bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.in_time(context, flushed, |()| 0)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(context);
        self.in_time(context, shut, |()| 0)
    }
}
