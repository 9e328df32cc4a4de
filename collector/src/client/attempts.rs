//! Requests with the token, repeated while the server can't be reached or is busy; and how answers are read.

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    thread,
    time::{Duration, Instant},
};

use kerncast_wire::{BUSY, Problem};
use serde::{Serialize, de::DeserializeOwned};
use ureq::{
    Agent, Body, RequestBuilder,
    http::{
        Response,
        header::{AUTHORIZATION, RETRY_AFTER},
    },
    typestate::WithBody,
};

use super::{Client, ServerError, problem::in_words};

/// Waits before another attempt, after the server could not be reached or failed.
const BACKOFF: [Duration; 3] = [
    Duration::from_millis(250),
    Duration::from_secs(1),
    Duration::from_secs(3),
];
/// The longest wait that a server may ask for; one that asks for more is down.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// How long an upload is repeated while the server is busy: after a power failure a thousand machines come at once, and
/// take minutes (docs/scale.md).
pub(super) const UPLOAD_PATIENCE: Duration = Duration::from_secs(600);
/// The patience of a person who waits: only the attempts of [`BACKOFF`].
pub(super) const IMPATIENT: Duration = Duration::ZERO;
/// The longest answer that is read, bytes.
const ANSWER_BYTES: u64 = 256 << 20;

impl Client {
    pub(super) fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ServerError> {
        let url = format!("{}{path}", self.url);
        self.attempt(IMPATIENT, || self.with_token(self.agent.get(&url)).call())
    }

    /// Sends `body` by `method`: [`Agent::post`] or [`Agent::put`].
    pub(super) fn send_json<T: DeserializeOwned>(
        &self,
        method: fn(&Agent, String) -> RequestBuilder<WithBody>,
        path: &str,
        body: &impl Serialize,
        patience: Duration,
    ) -> Result<T, ServerError> {
        let request = || method(&self.agent, format!("{}{path}", self.url));
        self.attempt(patience, || self.with_token(request()).send_json(body))
    }

    pub(super) fn with_token<B>(&self, request: RequestBuilder<B>) -> RequestBuilder<B> {
        match self.token.bearer() {
            Some(token) => request.header(AUTHORIZATION, token),
            None => request,
        }
    }

    /// The answer to `call`, repeated a few times; and for as long as `patience` while the server is only busy.
    pub(super) fn attempt<T: DeserializeOwned>(
        &self,
        patience: Duration,
        call: impl Fn() -> Result<Response<Body>, ureq::Error>,
    ) -> Result<T, ServerError> {
        let (mut waits, start) = (BACKOFF.into_iter(), Instant::now());
        loop {
            let answer = call().map_err(|error| self.unreachable(error));
            match answer.and_then(|it| self.read(it)) {
                Err(error) if error.is_temporary() => {
                    let requested = error.wait().min(LONGEST_WAIT);
                    let wait = match waits.next() {
                        Some(wait) => wait.max(requested),
                        None if error.is_busy() && start.elapsed() + requested < patience => {
                            requested.max(BACKOFF[2])
                        }
                        None => return Err(error),
                    };
                    thread::sleep(spread(wait));
                }
                answer => return answer,
            }
        }
    }

    pub(super) fn read<T: DeserializeOwned>(
        &self,
        mut answer: Response<Body>,
    ) -> Result<T, ServerError> {
        let url = self.url.clone();
        let status = answer.status();
        let wait = answer.headers().get(RETRY_AFTER);
        let wait = wait.and_then(|seconds| seconds.to_str().ok()?.parse().ok());
        let version = answer.headers().get("kerncast-version");
        let version = version.and_then(|it| Some(it.to_str().ok()?.to_owned()));
        let body = answer.body_mut().with_config().limit(ANSWER_BYTES);
        if status.is_success() {
            return body.read_json().map_err(|error| ServerError::Answer {
                url,
                version,
                source: error.into(),
            });
        }
        let (detail, problems, busy) = body.read_json::<Problem>().map_or_else(
            |_| (status.to_string(), Vec::new(), false),
            |problem| (in_words(&problem), problem.errors, problem.kind == BUSY),
        );
        Err(match status.as_u16() {
            // A problem that names fields is about what was sent, not about the token.
            401 | 403 if problems.is_empty() => ServerError::Unauthorized {
                url,
                detail,
                token: self.token.clone(),
            },
            status => ServerError::Status {
                url,
                status,
                detail,
                problems,
                wait: wait.map(Duration::from_secs),
                busy,
            },
        })
    }

    pub(super) fn unreachable(&self, error: ureq::Error) -> ServerError {
        ServerError::Unreachable {
            url: self.url.clone(),
            source: error.into(),
        }
    }
}

/// A random wait between one and two times `wait`, so that agents that were turned away together do not return
/// together.
fn spread(wait: Duration) -> Duration {
    // Each state has a random seed.
    let random = RandomState::new().build_hasher().finish();
    wait.mul_f64(1.0 + random as f64 / u64::MAX as f64)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::{
        super::{Authority, DEFAULT, Token},
        *,
    };

    #[test]
    fn those_who_were_turned_away_together_come_back_at_different_moments() {
        let wait = Duration::from_secs(1);
        let waits: Vec<Duration> = (0..100).map(|_| spread(wait)).collect();
        assert!(waits.iter().all(|it| (wait..=2 * wait).contains(it)));
        let early = waits.iter().filter(|&&it| it < wait.mul_f64(1.5)).count();
        assert!((10..90).contains(&early), "{early}");
    }

    #[test]
    fn a_busy_server_is_asked_until_patience_ends_and_one_that_fails_four_times() {
        let ask = |kind: &str, refusals: u32, patience| {
            let client = Client::new(DEFAULT, Token::from_input("token"), &Authority::Web);
            let calls = Cell::new(0);
            let call = || {
                calls.set(calls.get() + 1);
                let (status, body) = if calls.get() > refusals {
                    (200, "[]".to_owned())
                } else {
                    let problem = format!(r#"{{"type":"{kind}","title":"","status":503}}"#);
                    (503, problem)
                };
                let answer = Response::builder()
                    .status(status)
                    .header(RETRY_AFTER, "0")
                    .body(Body::builder().data(body));
                Ok(answer.expect("an answer"))
            };
            let answer: Result<Vec<u8>, _> = client.attempt(patience, call);
            (answer.is_ok(), calls.get())
        };
        thread::scope(|scope| {
            let busy = scope.spawn(|| ask(BUSY, 4, UPLOAD_PATIENCE));
            let impatient = scope.spawn(|| ask(BUSY, 4, IMPATIENT));
            let failing = scope.spawn(|| ask("about:blank", 4, UPLOAD_PATIENCE));
            assert_eq!(busy.join().unwrap(), (true, 5));
            assert_eq!(impatient.join().unwrap(), (false, 4));
            assert_eq!(failing.join().unwrap(), (false, 4));
        });
    }
}
