//! Memory for requests and answers. Small ones need none of it; of large ones as many are at work at once as there is
//! memory for, and the others wait, or are told to come again. So the server stays as small as it is meant to be,
//! whatever is sent to it.

use std::{sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::{FromRef, FromRequestParts},
    http::{
        HeaderValue, StatusCode,
        header::{CONTENT_LENGTH, CONTENT_TYPE},
        request::Parts,
    },
    response::{IntoResponse, Response},
};
use http_body_util::BodyExt;
use kerncast_wire::{BUSY, Problem};
use serde::Serialize;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    task::spawn_blocking,
    time::timeout,
};

use super::{Error, problem};

/// Bytes of a request, or of an answer, that need no permission: there are two thousand connections at most.
pub(crate) const SMALL: usize = 32 << 10;
/// What one thing, or a page of a listing, usually takes until it is text, bytes.
const USUAL_BYTES: usize = 16 * MIB;

/// How long a request waits for memory: meanwhile its body is not read, so its client waits to send it.
const LONGEST_WAIT: Duration = Duration::from_secs(20);
/// Seconds that a refused client is told to wait; agents wait up to twice as long.
const COME_AGAIN_S: u64 = 5;

const MIB: usize = 1 << 20;
const UNIT: usize = 1 << 10;

/// Memory for requests of whoever may upload, for those of others, and for answers: others keep neither agents from
/// uploading nor anybody from reading.
pub(crate) struct MemoryBudget {
    /// For requests of whoever may not upload.
    pub(crate) open: Share,
    pub(crate) uploaders: Share,
    answers: Pool,
}

/// Memory for some requests. What waits for its client, a body on its way, has a part of its own: so it never
/// waits for itself.
pub(crate) struct Share {
    pub(crate) bodies: Pool,
    /// Memory for what is made of a request.
    pub(crate) work: Pool,
}

impl Default for MemoryBudget {
    fn default() -> Self {
        Self::new(LONGEST_WAIT)
    }
}

impl MemoryBudget {
    pub(crate) fn new(wait: Duration) -> Self {
        let pool = |mib| Pool::new(mib * MIB, wait);
        Self {
            open: Share {
                bodies: pool(64),
                work: pool(192),
            },
            uploaders: Share {
                bodies: pool(128),
                work: pool(192),
            },
            answers: pool(192),
        }
    }
}

pub(crate) struct Pool {
    free: Arc<Semaphore>,
    all: usize,
    wait: Duration,
}

impl Pool {
    pub(crate) fn new(all: usize, wait: Duration) -> Self {
        Self {
            free: Arc::new(Semaphore::new(all / UNIT)),
            all,
            wait,
        }
    }

    /// About `bytes`, or all that there is, in the order in which requests came.
    /// Fails where there is not so much within some seconds.
    pub(crate) async fn take(&self, bytes: usize) -> Result<Memory, Problem> {
        let units = units(bytes.min(self.all));
        let memory = Arc::clone(&self.free).acquire_many_owned(units);
        if let Ok(Ok(memory)) = timeout(self.wait, memory).await {
            return Ok(Memory(memory));
        }
        let detail = "the server is at work on as many large requests as it has memory for; send it again later";
        Err(Problem {
            kind: BUSY.to_owned(),
            retry_after_s: Some(COME_AGAIN_S),
            ..problem(StatusCode::SERVICE_UNAVAILABLE, detail)
        })
    }
}

fn units(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX)
}

/// Memory that a request may use, or its answer; given back when it is dropped. As a handler's argument as much as most
/// answers need.
pub(crate) struct Memory(OwnedSemaphorePermit);

impl<S: Sync> FromRequestParts<S> for Memory
where
    Arc<MemoryBudget>: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request_parts(_: &mut Parts, state: &S) -> Result<Self, Error> {
        Self::for_answer(&Arc::from_ref(state), USUAL_BYTES).await
    }
}

impl Memory {
    /// Memory for an answer of about so many bytes, to be taken before the answer is made.
    /// Fails where there is not so much within some seconds.
    pub(crate) async fn for_answer(budget: &MemoryBudget, bytes: usize) -> Result<Self, Error> {
        Ok(budget.answers.take(bytes).await?)
    }

    /// Gives back what is above `bytes`.
    pub(crate) fn shrink_to(&mut self, bytes: usize) {
        let above = self.0.num_permits().saturating_sub(bytes.div_ceil(UNIT));
        drop(self.0.split(above));
    }

    /// `value` as JSON, made away from the threads that serve everybody.
    pub(crate) async fn json<T: Serialize + Send + 'static>(
        self,
        value: T,
    ) -> Result<Response, Error> {
        let text = spawn_blocking(move || {
            serde_json::to_vec(&value).expect("only finite numbers and text keys")
        });
        let json = ([(CONTENT_TYPE, "application/json")], text.await?);
        Ok(self.until_sent(json))
    }

    /// Until the answer's last byte is sent, or its client is gone.
    pub(crate) fn until_sent(mut self, answer: impl IntoResponse) -> Response {
        let mut response = answer.into_response();
        if let Some(bytes) = response.body().size_hint().exact() {
            self.shrink_to(usize::try_from(bytes).unwrap_or(usize::MAX));
            let headers = response.headers_mut();
            headers.insert(CONTENT_LENGTH, HeaderValue::from(bytes));
        }
        let memory = Arc::new(self);
        response.map(|body| {
            let body = body.map_frame(move |frame| {
                frame.map_data(|data| {
                    let _memory = Arc::clone(&memory);
                    Bytes::from_owner(Remembered { data, _memory })
                })
            });
            Body::new(body)
        })
    }
}

/// Bytes on their way out, and their memory.
struct Remembered {
    data: Bytes,
    _memory: Arc<Memory>,
}

impl AsRef<[u8]> for Remembered {
    fn as_ref(&self) -> &[u8] {
        &self.data
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn memory_is_given_back_and_waited_for() {
        let pool = Pool::new(4 * UNIT, LONGEST_WAIT);
        let mut first = pool.take(100 * UNIT).await.expect("all of it");
        let refused = pool.take(1).await.err().expect("nothing is left");
        assert_eq!((refused.status, &*refused.kind), (503, BUSY));
        first.shrink_to(3 * UNIT);
        pool.take(UNIT).await.expect("one is free again");
        let waiting = async { pool.take(2 * UNIT).await.is_ok() };
        let giving_back = async {
            tokio::time::sleep(LONGEST_WAIT / 2).await;
            drop(first);
        };
        assert!(tokio::join!(waiting, giving_back).0);
    }

    #[tokio::test(start_paused = true)]
    async fn an_answers_memory_is_its_own_until_its_last_byte_is_gone() {
        let pool = Pool::new(4 * UNIT, LONGEST_WAIT);
        let memory = pool.take(4 * UNIT).await.expect("all of it");
        let mut body = memory.until_sent(vec![b'.'; 2 * UNIT]).into_body();
        let sent = body.frame().await.expect("data").expect("data");
        drop(body);
        pool.take(3 * UNIT)
            .await
            .err()
            .expect("two are not sent yet");
        drop(sent);
        pool.take(4 * UNIT).await.expect("all of it");
    }
}
