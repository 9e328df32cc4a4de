use std::time::Duration;

use axum::{
    body::{Body, BodyDataStream, Bytes, HttpBody},
    extract::{FromRequest, Request},
    http::{HeaderMap, StatusCode, header},
};
use futures_util::StreamExt;
use kerncast_wire::Problem;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::{
    error::Error,
    problem::{field, field_problem, problem},
};

/// Largest body that is accepted, bytes.
const LARGEST_BODY: usize = 64 << 20;
/// After so many bytes the connection is closed.
const LARGEST_DISCARDED: usize = 512 << 20;

/// Between two pieces of a body.
const LONGEST_SILENCE: Duration = Duration::from_secs(30);

/// A body that says it is JSON.
pub(crate) struct JsonText(pub(crate) Vec<u8>);

/// A body as `T`.
pub(crate) struct Json<T>(pub(crate) T);

/// A body as `T` where it says that it is JSON, as it is where it says that it is a file of text.
pub(crate) enum JsonOrFile<T> {
    /// `application/json`.
    Json(T),
    /// `text/csv` or `text/plain`.
    File(Vec<u8>),
}

impl<S: Send + Sync> FromRequest<S> for JsonText {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self, Error> {
        body_of(request, &[JSON])
            .await
            .map(|(_, bytes)| Self(bytes))
    }
}

const JSON: &str = "application/json";

/// The body and its media type, which must be one of `expected`.
async fn body_of(
    request: Request,
    expected: &[&'static str],
) -> Result<(&'static str, Vec<u8>), Error> {
    let media_type = header(request.headers(), header::CONTENT_TYPE);
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    let Some(found) = expected
        .iter()
        .find(|expected| essence.eq_ignore_ascii_case(expected))
    else {
        let field = field("Content-Type", media_type, expected.join(" or "));
        let refusal = field_problem(StatusCode::UNSUPPORTED_MEDIA_TYPE, field);
        discard(request).await;
        return Err(refusal.into());
    };
    Ok((found, read(request.into_body()).await?))
}

/// Reads the body of a request that is refused anyway, within reason: most clients look for an answer
/// only after they have sent everything. One that asks before it sends is answered at once.
pub(crate) async fn discard(request: Request) {
    if request.headers().contains_key(header::EXPECT) {
        return;
    }
    let mut chunks = request.into_body().into_data_stream();
    let mut length = 0;
    while let Ok(Some(chunk)) = next(&mut chunks).await {
        length += chunk.len();
        if length > LARGEST_DISCARDED {
            return;
        }
    }
}

/// All of a body up to the limit. What lies beyond is read too and thrown away, as [`discard`] does.
async fn read(body: Body) -> Result<Vec<u8>, Error> {
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(LARGEST_BODY);
    let mut chunks = body.into_data_stream();
    let mut bytes = Vec::with_capacity(announced.min(LARGEST_BODY));
    let mut length = 0;
    while let Some(chunk) = next(&mut chunks).await? {
        length += chunk.len();
        if length <= LARGEST_BODY {
            bytes.extend_from_slice(&chunk);
        } else {
            bytes = Vec::new();
        }
        if length > LARGEST_DISCARDED {
            break;
        }
    }
    if length > LARGEST_BODY {
        let limit = LARGEST_BODY >> 20;
        let detail = format!("the body is larger than {limit} MiB; send smaller batches");
        return Err(problem(StatusCode::PAYLOAD_TOO_LARGE, detail).into());
    }
    Ok(bytes)
}

/// The body's next bytes. A client that falls silent is not waited for for ever.
async fn next(chunks: &mut BodyDataStream) -> Result<Option<Bytes>, Problem> {
    let chunk = timeout(LONGEST_SILENCE, chunks.next()).await.map_err(|_| {
        let seconds = LONGEST_SILENCE.as_secs();
        let detail = format!("nothing more of the body came for {seconds} s; send it again");
        problem(StatusCode::REQUEST_TIMEOUT, detail)
    })?;
    chunk.transpose().map_err(|error| {
        let detail = format!("the body could not be read: {error}");
        problem(StatusCode::BAD_REQUEST, detail)
    })
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let JsonText(bytes) = JsonText::from_request(request, state).await?;
        parsed(&bytes).map(Self)
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonOrFile<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self, Error> {
        let (media_type, bytes) = body_of(request, &[JSON, "text/csv", "text/plain"]).await?;
        if media_type == JSON {
            parsed(&bytes).map(Self::Json)
        } else {
            Ok(Self::File(bytes))
        }
    }
}

fn parsed<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    Ok(super::parse(bytes, "").map_err(|field| field_problem(StatusCode::BAD_REQUEST, field))?)
}

fn header(headers: &HeaderMap, name: header::HeaderName) -> &str {
    headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use futures_util::stream;

    use super::*;

    /// The clock stands still, and jumps where everybody waits.
    #[tokio::test(start_paused = true)]
    async fn a_client_that_falls_silent_is_told_so() {
        let first = stream::iter([Ok::<_, std::io::Error>("{\"samples\":")]);
        let body = Body::from_stream(first.chain(stream::pending()));
        let Err(Error::Request(problem)) = read(body).await else {
            panic!("the body never ends")
        };
        assert_eq!(problem.status, StatusCode::REQUEST_TIMEOUT);
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_client_is_waited_for() {
        let pieces = stream::iter(["{", "}"]).then(|piece| async move {
            tokio::time::sleep(LONGEST_SILENCE - Duration::from_secs(1)).await;
            Ok::<_, std::io::Error>(piece)
        });
        let body = read(Body::from_stream(pieces)).await;
        assert_eq!(body.expect("all of it"), b"{}");
    }
}
