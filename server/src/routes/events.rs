//! Changes as they happen.

use axum::{
    extract::State,
    response::sse::{self, KeepAlive, Sse},
};
use futures_util::{
    StreamExt,
    stream::{self, Stream},
};
use kerncast_wire::{Event, Readers};
use tokio::sync::broadcast::{Receiver, error::RecvError};

use crate::{
    App,
    http::{Error, unavailable},
};

/// Changes as they happen, as server-sent events.
///
/// Each event's data is JSON that says what changed. An event says where to look, not what is there; the
/// same change may be told twice. `missed` comes first, and whenever events were lost: ask anew for
/// whatever is shown. So a client that connects again needs no `Last-Event-ID`.
#[utoipa::path(
    get, path = "/v1/events", tag = "health",
    responses(
        (status = 200, description = "Events without an end", body = Event, content_type = "text/event-stream")
    )
)]
pub(super) async fn watch(
    State(app): State<App>,
) -> Result<Sse<impl Stream<Item = Result<sse::Event, axum::Error>>>, Error> {
    let ending = || unavailable("the server is ending; try again later");
    let receiver = app.events.watch().ok_or_else(ending)?;
    // Whoever needs a token shows it again where tokens changed, or may have: the stream ends, and the next one is
    // asked for.
    let with_token = app.access.readers == Readers::Token;
    let goes_on =
        move |event: &Event| !with_token || !matches!(event, Event::Access | Event::Missed);
    let events =
        stream::unfold(receiver, next).take_while(move |event| std::future::ready(goes_on(event)));
    let events = stream::iter([Event::Missed]).chain(events);
    let messages = events.map(|event| sse::Event::default().json_data(event));
    Ok(Sse::new(messages).keep_alive(KeepAlive::default()))
}

/// Waits for the next event; none once nobody tells any more.
async fn next(mut receiver: Receiver<Event>) -> Option<(Event, Receiver<Event>)> {
    match receiver.recv().await {
        Ok(event) => Some((event, receiver)),
        Err(RecvError::Lagged(_)) => Some((Event::Missed, receiver)),
        Err(RecvError::Closed) => None,
    }
}
