//! Bodies that say on their way how far they are.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};
use hyper::body::Incoming;

use super::{
    BUFFER,
    state::{Connection, Phase},
};

/// A request's body: its connection knows when something of it came last.
pub(super) struct Arriving {
    body: Incoming,
    connection: Arc<Connection>,
}

impl Arriving {
    pub(super) fn new(body: Incoming, connection: Arc<Connection>) -> Self {
        Self { body, connection }
    }
}

impl HttpBody for Arriving {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        let more = matches!(&frame, Some(Ok(_))) && !self.body.is_end_stream();
        self.connection.enter(if more {
            Phase::Receiving
        } else {
            Phase::Answering
        });
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// An answer's body, in pieces that are asked for one after another as they are sent: so it is there, with all that
/// goes with it, until the last one is. When it is gone its connection waits for the next request.
pub(super) struct Leaving {
    body: Body,
    /// Of its data what has not left yet.
    rest: Bytes,
    connection: Arc<Connection>,
}

impl Leaving {
    pub(super) fn new(body: Body, connection: Arc<Connection>) -> Self {
        Self {
            body,
            rest: Bytes::new(),
            connection,
        }
    }
}

impl HttpBody for Leaving {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_frame(context))
                .map(|it| it.map(Frame::into_data))
            {
                Some(Ok(Ok(data))) => self.rest = data,
                Some(Ok(Err(other))) => return Poll::Ready(Some(Ok(other))),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
        let piece = self.rest.len().min(BUFFER);
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(piece)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, mut hint) = (self.rest.len() as u64, self.body.size_hint());
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper + rest);
        }
        hint.set_lower(hint.lower() + rest);
        hint
    }
}

impl Drop for Leaving {
    fn drop(&mut self) {
        self.connection.enter(Phase::Idle);
    }
}
