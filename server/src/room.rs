//! Memory for answers that may be large, asked for before they are made and kept until they are sent.

use axum::{
    extract::FromRequestParts,
    http::{header::CONTENT_TYPE, request::Parts},
    response::{IntoResponse, Response},
};
use serde::Serialize;

use crate::{App, budget::Memory, error::Error, heavy::heavy};

/// That one thing, a page of a listing or a piece of an export takes until it is text, bytes.
const USUAL: usize = 16 << 20;

/// Memory for one answer; as a handler's argument as much as most need. Readers share it, also those with a token:
/// so they never keep agents from uploading.
pub(crate) struct Room(Memory);

impl FromRequestParts<App> for Room {
    type Rejection = Error;

    async fn from_request_parts(_: &mut Parts, app: &App) -> Result<Self, Error> {
        Self::of(app, USUAL).await
    }
}

impl Room {
    /// For an answer that takes so many bytes.
    ///
    /// # Errors
    /// Where there is not so much within some seconds.
    pub(crate) async fn of(app: &App, bytes: usize) -> Result<Self, Error> {
        Ok(Self(app.budget.open.work(bytes).await?))
    }

    /// `value` as JSON, made away from the threads that serve everybody.
    pub(crate) async fn json<T: Serialize + Send + 'static>(
        self,
        value: T,
    ) -> Result<Response, Error> {
        let text =
            heavy(move || serde_json::to_vec(&value).expect("only finite numbers and text keys"));
        let json = ([(CONTENT_TYPE, "application/json")], text.await?);
        Ok(self.until_sent(json))
    }

    /// Keeps the memory until the answer is sent, or its client is gone.
    pub(crate) fn until_sent(self, answer: impl IntoResponse) -> Response {
        self.0.until_sent(answer.into_response())
    }
}
