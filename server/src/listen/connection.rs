use std::{convert::Infallible, net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    Router,
    body::{Body, HttpBody},
    extract::ConnectInfo,
    http::{Method, Request, Response, StatusCode, header},
};
use hyper::body::Incoming;
use tokio::time::Instant;
use tower::ServiceExt;

use super::{
    state::{Connection, Phase},
    watched::{Arriving, Leaving},
};
use crate::problem::{answer as problem_answer, problem};

/// After the last byte of a request came, an answer begins within this time.
const ANSWER: Duration = Duration::from_secs(60);
/// The same for what an admin asks for that takes as long as there are samples: a fit, which samples count, which
/// model answers.
const LONG: Duration = Duration::from_secs(30 * 60);

/// The router's answer to a request, or that it takes too long.
pub(super) async fn answer(
    router: Router,
    request: Request<Incoming>,
    address: SocketAddr,
    connection: Arc<Connection>,
) -> Result<Response<Body>, Infallible> {
    let whole = request.body().is_end_stream();
    connection.enter(if whole {
        Phase::Answering
    } else {
        Phase::Receiving
    });
    let limit = if is_long(&request) { LONG } else { ANSWER };
    let mut request = request.map(|body| match whole {
        true => Body::empty(),
        false => Body::new(Arriving::new(body, Arc::clone(&connection))),
    });
    request.extensions_mut().insert(ConnectInfo(address));
    let answered = within(limit, &connection, router.oneshot(request)).await;
    let response = match answered {
        Some(Ok(response)) => response,
        Some(Err(impossible)) => match impossible {},
        None => {
            let detail = format!(
                "there was no answer within {} s; try again later",
                limit.as_secs()
            );
            problem_answer(&problem(StatusCode::SERVICE_UNAVAILABLE, detail))
        }
    };
    let media_type = response.headers().get(header::CONTENT_TYPE);
    let events = media_type.is_some_and(|it| it == "text/event-stream");
    connection.enter(if events {
        Phase::Watching
    } else {
        Phase::Answering
    });
    Ok(response.map(|body| Body::new(Leaving::new(body, connection))))
}

fn is_long<T>(request: &Request<T>) -> bool {
    let path = request.uri().path();
    request.method() == Method::POST
        && (matches!(path, "/v1/models" | "/v1/decisions")
            || path.starts_with("/v1/models/") && path.ends_with("/acceptance"))
}

/// What `answer` comes to, if it does so within `limit` of the last byte that came. A body that takes long has
/// limits of its own.
async fn within<T>(
    limit: Duration,
    connection: &Connection,
    answer: impl Future<Output = T>,
) -> Option<T> {
    let mut answer = std::pin::pin!(answer);
    loop {
        let until = connection.since() + limit;
        if let Ok(answered) = tokio::time::timeout_at(until, answer.as_mut()).await {
            return Some(answered);
        }
        if connection.since() + limit <= Instant::now() {
            return None;
        }
    }
}
