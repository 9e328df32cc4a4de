//! In front of every documented route: who asks, how often, and whether they may.

use std::{net::SocketAddr, sync::Arc};

use axum::{
    extract::{
        ConnectInfo, FromRequestParts, MatchedPath, OptionalFromRequestParts, Request, State,
    },
    http::{HeaderMap, StatusCode, header, request::Parts},
    middleware::Next,
    response::Response,
};
use kerncast_wire::{Problem, TokenRole};

use super::{Asker, Bearer, Need, limit::Caller, rules};
use crate::{
    App,
    error::Error,
    extract::{Trusted, discard},
    problem::problem,
    token::{self, Hash},
};

/// Whoever watches the server is answered however much others at the same address ask, as behind a proxy.
const WATCHED: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// What the request's Authorization header says.
enum Shown {
    Nothing,
    OtherScheme,
    Token(Hash),
}

impl Shown {
    fn in_headers(headers: &HeaderMap) -> Self {
        let header = headers
            .get(header::AUTHORIZATION)
            .and_then(|it| it.to_str().ok());
        match header.and_then(|header| header.split_once(' ')) {
            None => Self::Nothing,
            Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => {
                Self::Token(token::hash(token.trim()))
            }
            Some(_) => Self::OtherScheme,
        }
    }
}

/// Lets through whoever may; a handler then finds who it is by [`By`].
pub(crate) async fn guard(
    State(app): State<App>,
    mut request: Request,
    next: Next,
) -> Result<Response, Error> {
    let shown = Shown::in_headers(request.headers());
    let address = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let address = Caller::at(address.map(|ConnectInfo(address)| address.ip()));
    let kept = match &shown {
        Shown::Token(hash) => app.access.known.kept(hash),
        Shown::Nothing | Shown::OtherScheme => None,
    };
    let caller = kept
        .as_ref()
        .map_or(address, |bearer| Caller::Token(bearer.token.id));
    let path = request.extensions().get::<MatchedPath>();
    let path = path.map_or("", MatchedPath::as_str);
    let need = rules::need(request.method().as_str(), path);
    if let Some(limits) = &app.access.limits
        && !WATCHED.contains(&path)
        && let Err(wait) = limits.count(caller)
    {
        discard(request).await;
        return Err(too_many(wait.as_secs() + 1).into());
    }
    let bearer = match (kept, &shown) {
        (None, Shown::Token(hash)) => app.access.known.ask(&app.pool, hash).await?,
        (kept, _) => kept,
    };
    if let (Some(bearer), Some(asker)) = (&bearer, request.extensions().get::<Asker>()) {
        asker.is(bearer);
    }
    if !rules::may(need, app.access.readers, bearer.as_deref()) {
        let refusal = refusal(need, &shown, bearer.as_deref());
        discard(request).await;
        return Err(refusal.into());
    }
    if need == Need::Uploading
        && let Some(full) = app.disk.as_ref().filter(|disk| disk.is_full())
    {
        let detail = full.warning().map(|low| low.to_string());
        let detail = detail.unwrap_or_default();
        discard(request).await;
        return Err(problem(StatusCode::INSUFFICIENT_STORAGE, detail).into());
    }
    if let Some(bearer) = bearer {
        if rules::may(Need::Uploading, app.access.readers, Some(&bearer)) {
            request.extensions_mut().insert(Trusted);
        }
        request.extensions_mut().insert(bearer);
    }
    Ok(next.run(request).await)
}

/// Whoever bears the token that a route needs.
pub(crate) struct By(pub(crate) Arc<Bearer>);

impl<S: Send + Sync> FromRequestParts<S> for By {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        let bearer = parts.extensions.get().map(Arc::clone);
        let shown = || Shown::in_headers(&parts.headers);
        Ok(Self(
            bearer.ok_or_else(|| refusal(Need::Reading, &shown(), None))?,
        ))
    }
}

/// None where no token came; one that is not valid is refused.
impl<S: Send + Sync> OptionalFromRequestParts<S> for By {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Option<Self>, Error> {
        match Shown::in_headers(&parts.headers) {
            Shown::Nothing => Ok(None),
            _ => <Self as FromRequestParts<S>>::from_request_parts(parts, state)
                .await
                .map(Some),
        }
    }
}

fn refusal(need: Need, shown: &Shown, bearer: Option<&Bearer>) -> Problem {
    let whose = match need {
        Need::Administering => "an admin's token",
        Need::Uploading => "an agent's or an admin's token",
        Need::Reading | Need::Nothing => "a token",
    };
    if let Some(Bearer { token, .. }) = bearer {
        let role = match token.role {
            TokenRole::Reader => "a reader's",
            TokenRole::Agent => "an agent's",
            TokenRole::Admin => "an admin's",
        };
        let detail = format!("this needs {whose}; the token {} is {role}", token.name);
        return problem(StatusCode::FORBIDDEN, detail);
    }
    let what = match shown {
        Shown::Nothing => format!("this needs {whose}: Authorization: Bearer TOKEN"),
        Shown::OtherScheme => {
            format!("this needs {whose} by another scheme: Authorization: Bearer TOKEN")
        }
        Shown::Token(_) => {
            format!("the server does not know this token, or it was revoked; this needs {whose}")
        }
    };
    let how =
        "An admin makes tokens: `kerncast-server token create`, or the dashboard's page Access";
    problem(StatusCode::UNAUTHORIZED, format!("{what}. {how}"))
}

fn too_many(wait_s: u64) -> Problem {
    let detail = format!("too many requests from one token or address; try again in {wait_s} s");
    Problem {
        retry_after_s: Some(wait_s),
        ..problem(StatusCode::TOO_MANY_REQUESTS, detail)
    }
}
