use std::{sync::Arc, time::Duration};

use axum::{
    body::{Body, BodyDataStream, Bytes, HttpBody},
    extract::{FromRef, FromRequest, Request},
    http::{HeaderMap, StatusCode, header},
};
use futures_util::StreamExt;
use kerncast_wire::Problem;
use serde::de::DeserializeOwned;
use tokio::time::{Instant, timeout};

use crate::{
    cpu_bound::heavy,
    http::{
        Error, Memory, MemoryBudget, field, field_problem,
        memory_budget::{Pool, SMALL, Share},
        problem,
        slow_client::{Allowance, LONGEST_WAIT},
    },
};

const MIB: usize = 1 << 20;
/// Largest body that is accepted from whoever may upload, bytes …
const LARGEST: usize = 64 * MIB;
/// … from anybody …
const LARGEST_OPEN: usize = kerncast_wire::limits::MOST_BODY_BYTES;
/// … and where one thing is described, not many.
const LARGEST_SINGLE: usize = 4 * MIB;
/// Most bytes of a refused body that are read: then the connection is closed.
const LARGEST_DISCARDED: usize = 128 * MIB;

/// Longest pause between two pieces of a body.
const LONGEST_SILENCE: Duration = Duration::from_secs(30);

/// Bytes of memory that a byte of JSON becomes: the shortest counter, `"a":1,`, becomes an entry of a map.
const MEMORY_PER_BYTE: usize = 24;

/// In a request's extensions: who sends it may upload.
#[derive(Clone, Copy)]
pub(crate) struct MayUpload;

/// A body that says it is JSON, and its memory, where it is large.
pub(crate) struct JsonText(pub(crate) Vec<u8>, pub(crate) Option<Memory>);

/// A body as `T`, and the memory that `T` may take, where it is large.
pub(crate) struct Json<T>(pub(crate) T, pub(crate) Option<Memory>);

/// A body as `T` where it says that it is JSON, as it is where it says that it is a file of text.
pub(crate) enum JsonOrFile<T> {
    /// `application/json`.
    Json(Json<T>),
    /// `text/csv` or `text/plain`.
    File(Vec<u8>, Option<Memory>),
}

impl<S: Sync> FromRequest<S> for JsonText
where
    Arc<MemoryBudget>: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let budget = Arc::from_ref(state);
        let body = ReadBody::read(request, &budget, &[JSON], LARGEST).await?;
        Ok(Self(body.bytes, body.memory))
    }
}

const JSON: &str = "application/json";

/// A body that is here, its media type, and for whom it is at work.
struct ReadBody<'a> {
    media_type: &'static str,
    bytes: Vec<u8>,
    memory: Option<Memory>,
    share: &'a Share,
}

impl<'a> ReadBody<'a> {
    /// The body, of at most `most` bytes and one of the media types that are `expected`.
    async fn read(
        request: Request,
        budget: &'a MemoryBudget,
        expected: &[&'static str],
        most: usize,
    ) -> Result<Self, Error> {
        let media_type = match media_type(request.headers(), expected) {
            Ok(media_type) => media_type,
            Err(refusal) => {
                discard(request).await;
                return Err(refusal.into());
            }
        };
        let (share, most) = match request.extensions().get::<MayUpload>() {
            Some(MayUpload) => (&budget.uploaders, most),
            None => (&budget.open, most.min(LARGEST_OPEN)),
        };
        let (bytes, memory) = read_body(request.into_body(), most, &share.bodies).await?;
        Ok(Self {
            media_type,
            bytes,
            memory,
            share,
        })
    }

    /// The body as `T`; a large one is parsed away from the threads that serve everybody.
    async fn parse<T: DeserializeOwned + Send + 'static>(self) -> Result<Json<T>, Error> {
        let Self {
            bytes,
            memory,
            share,
            ..
        } = self;
        if bytes.len() <= SMALL {
            return Ok(Json(parse(&bytes)?, None));
        }
        let work = share.work.take(MEMORY_PER_BYTE * bytes.len()).await?;
        let value = heavy(move || {
            let value = parse(&bytes);
            drop((bytes, memory));
            value
        });
        Ok(Json(value.await??, Some(work)))
    }
}

/// Reads the body of a request that is refused anyway, within reason: most clients look for an answer
/// only after they have sent everything. One that asks before it sends is answered at once.
pub(crate) async fn discard(request: Request) {
    if !request.headers().contains_key(header::EXPECT) {
        Arrival::new(request.into_body()).discard().await;
    }
}

/// All of a body of at most `most` bytes, and its memory, where it is large. One that does not say how long it is may
/// need all of it.
async fn read_body(
    body: Body,
    most: usize,
    bodies: &Pool,
) -> Result<(Vec<u8>, Option<Memory>), Error> {
    let hint = body.size_hint();
    let announced = hint.exact().map(usize::try_from);
    let announced = announced.map_or(most, |bytes| bytes.unwrap_or(usize::MAX));
    let mut arrival = Arrival::new(body);
    let refusal = 'refused: {
        if announced > most {
            break 'refused too_large(most);
        }
        let memory = if announced <= SMALL {
            None
        } else {
            match bodies.take(announced).await {
                Ok(memory) => Some(memory),
                Err(busy) => break 'refused busy,
            }
        };
        let mut bytes = Vec::with_capacity(hint.exact().map_or(0, |_| announced));
        loop {
            let Some(chunk) = arrival.next().await? else {
                return Ok((bytes, memory));
            };
            if arrival.length > most {
                break 'refused too_large(most);
            }
            bytes.extend_from_slice(&chunk);
        }
    };
    arrival.discard().await;
    Err(refusal.into())
}

fn too_large(most: usize) -> Problem {
    let most = most / MIB;
    let detail = format!("the body is larger than {most} MiB; send smaller batches");
    problem(StatusCode::PAYLOAD_TOO_LARGE, detail)
}

/// Which of the `expected` a body is, as it is.
fn media_type(headers: &HeaderMap, expected: &[&'static str]) -> Result<&'static str, Problem> {
    let refused = |name, value: &str, expected: String| {
        let field = field(name, value, expected);
        field_problem(StatusCode::UNSUPPORTED_MEDIA_TYPE, field)
    };
    let encoding = header(headers, header::CONTENT_ENCODING);
    if !matches!(encoding, "" | "identity") {
        let expected = "no encoding: the body as it is".to_owned();
        return Err(refused("Content-Encoding", encoding, expected));
    }
    let content_type = header(headers, header::CONTENT_TYPE);
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    let media_type = expected.iter().find(|it| essence.eq_ignore_ascii_case(it));
    media_type
        .copied()
        .ok_or_else(|| refused("Content-Type", content_type, expected.join(" or ")))
}

/// A body on its way.
struct Arrival {
    chunks: BodyDataStream,
    start: Instant,
    allowance: Allowance,
    /// Bytes that came.
    length: usize,
}

impl Arrival {
    fn new(body: Body) -> Self {
        Self {
            chunks: body.into_data_stream(),
            start: Instant::now(),
            allowance: Allowance::default(),
            length: 0,
        }
    }

    /// The body's next bytes. A client that falls silent, or sends a byte now and then, is dropped.
    async fn next(&mut self) -> Result<Option<Bytes>, Problem> {
        let wait_start = Instant::now();
        let longest = self.allowance.remaining().min(LONGEST_SILENCE);
        let chunk = timeout(longest, self.chunks.next()).await.map_err(|_| {
            let seconds = self.start.elapsed().as_secs();
            let length = self.length;
            let detail =
                format!("the body is too slow: {length} bytes in {seconds} s; send it again");
            problem(StatusCode::REQUEST_TIMEOUT, detail)
        })?;
        let chunk = chunk.transpose().map_err(|error| {
            let detail = format!("the body could not be read: {error}");
            problem(StatusCode::BAD_REQUEST, detail)
        })?;
        let bytes = chunk.as_ref().map_or(0, Bytes::len);
        self.allowance.spend(wait_start.elapsed());
        self.allowance.earn(bytes);
        self.length += bytes;
        Ok(chunk)
    }

    /// Reads the rest and throws it away.
    async fn discard(mut self) {
        let rest = async {
            while let Ok(Some(_)) = self.next().await {
                if self.length > LARGEST_DISCARDED {
                    return;
                }
            }
        };
        let _ = timeout(LONGEST_WAIT, rest).await;
    }
}

impl<S: Sync, T: DeserializeOwned + Send + 'static> FromRequest<S> for Json<T>
where
    Arc<MemoryBudget>: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let budget = Arc::from_ref(state);
        let body = ReadBody::read(request, &budget, &[JSON], LARGEST_SINGLE).await?;
        body.parse().await
    }
}

impl<S: Sync, T: DeserializeOwned + Send + 'static> FromRequest<S> for JsonOrFile<T>
where
    Arc<MemoryBudget>: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let budget = Arc::from_ref(state);
        let expected = [JSON, "text/csv", "text/plain"];
        let body = ReadBody::read(request, &budget, &expected, LARGEST_OPEN).await?;
        if body.media_type == JSON {
            body.parse().await.map(Self::Json)
        } else {
            Ok(Self::File(body.bytes, body.memory))
        }
    }
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    Ok(super::parse(bytes, "").map_err(|field| field_problem(StatusCode::BAD_REQUEST, field))?)
}

fn header(headers: &HeaderMap, name: header::HeaderName) -> &str {
    let value = headers.get(name).and_then(|it| it.to_str().ok());
    value.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use futures_util::stream;

    use super::*;

    /// The clock stands still, and jumps where everybody waits.
    #[tokio::test(start_paused = true)]
    async fn a_slow_client_is_waited_for_but_not_one_that_sends_a_byte_now_and_then() {
        let pieces = stream::iter(["{", "}"]).then(|piece| async move {
            tokio::time::sleep(LONGEST_SILENCE - Duration::from_secs(1)).await;
            Ok::<_, std::io::Error>(piece)
        });
        let body = all_of(Body::from_stream(pieces)).await;
        assert_eq!(body.expect("all of it"), b"{}");

        // However much it sent before.
        let first = stream::iter([Ok(vec![b' '; 32 * MIB])]);
        let drops = stream::repeat(" ").then(|byte| async move {
            tokio::time::sleep(Duration::from_secs(10)).await;
            Ok::<_, std::io::Error>(byte.as_bytes().to_vec())
        });
        let start = Instant::now();
        let Err(Error::Request(problem)) = all_of(Body::from_stream(first.chain(drops))).await
        else {
            panic!("the body never ends")
        };
        assert_eq!(problem.status, StatusCode::REQUEST_TIMEOUT);
        assert!(start.elapsed() <= 2 * LONGEST_WAIT);
    }

    async fn all_of(body: Body) -> Result<Vec<u8>, Error> {
        let bodies = Pool::new(LARGEST, LONGEST_WAIT);
        read_body(body, LARGEST, &bodies)
            .await
            .map(|(bytes, _)| bytes)
    }
}
