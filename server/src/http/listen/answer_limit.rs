use std::{convert::Infallible, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use axum::{
    BoxError, Router,
    body::{Body, Bytes, HttpBody},
    extract::ConnectInfo,
    http::{Method, Request, Response, header},
};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use tokio::time::timeout;
use tower::ServiceExt;

use super::connections::Connection;
use crate::http::{problem_response, unavailable};

/// How long an answer may take to begin after the request's body came; sometimes twice that.
const LONGEST_ANSWER: Duration = Duration::from_secs(60);
/// How long the answer to an admin's decision on samples or models may take: its time grows with the number of samples.
const LONGEST_DECISION: Duration = Duration::from_secs(30 * 60);

/// The router's answer to a request, or that it takes too long.
pub(super) async fn answer_in_time(
    router: Router,
    request: Request<Incoming>,
    address: SocketAddr,
    connection: Arc<Connection>,
) -> Result<Response<Body>, Infallible> {
    let limit = if is_long(&request) {
        LONGEST_DECISION
    } else {
        LONGEST_ANSWER
    };
    let arriving = arriving(&connection, request.body());
    let mut request = request.map(|body| with_guard(body, arriving));
    request.extensions_mut().insert(ConnectInfo(address));
    let mut answered = pin!(router.oneshot(request));
    let response = loop {
        match timeout(limit, answered.as_mut()).await {
            Ok(Ok(response)) => break response,
            Ok(Err(impossible)) => match impossible {},
            // A body that takes long has limits of its own.
            Err(_) if connection.waiting().is_some() => {}
            Err(_) => {
                let seconds = limit.as_secs();
                let detail = format!("there was no answer within {seconds} s; try again later");
                break problem_response(&unavailable(detail));
            }
        }
    };
    let media_type = response.headers().get(header::CONTENT_TYPE);
    if media_type.is_some_and(|it| it == "text/event-stream") {
        connection.waits_to_read();
        return Ok(response);
    }
    connection.works();
    // When the answer is gone, the connection waits for the next request.
    let leaving = OnDrop(connection, Connection::waits_to_read);
    Ok(response.map(|body| with_guard(body, leaving)))
}

/// A body, and what is dropped with it.
fn with_guard<B, T>(body: B, guard: T) -> Body
where
    B: HttpBody<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
    T: Send + 'static,
{
    Body::new(body.map_err(move |error| {
        let _ = &guard;
        error
    }))
}

fn is_long<T>(request: &Request<T>) -> bool {
    let path = request.uri().path();
    request.method() == Method::POST
        && (path == "/v1/decisions"
            || path.starts_with("/v1/models/") && path.ends_with("/acceptance"))
}

/// Goes with a body, and notes something of its connection when whoever reads it drops it.
struct OnDrop(Arc<Connection>, fn(&Connection));

impl Drop for OnDrop {
    fn drop(&mut self) {
        (self.1)(&self.0);
    }
}

/// Goes with a request's body, where it has one: at its end the client begins to wait.
fn arriving(connection: &Arc<Connection>, body: &Incoming) -> Option<OnDrop> {
    if body.is_end_stream() {
        connection.works();
        return None;
    }
    connection.waits_to_read();
    Some(OnDrop(Arc::clone(connection), Connection::works))
}
