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

use super::{Access, Bearer, Identity, Need, rate_limit::Caller, rules, token};
use crate::{
    db::access::tokens::Hash,
    http::{
        Error,
        extract::{MayUpload, discard},
        problem,
    },
    upkeep::disk::Disk,
};

/// Whoever watches the server is answered however much others at the same address ask, as behind a proxy.
const WATCHED: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// What the request's Authorization header says.
enum Credentials {
    Nothing,
    OtherScheme,
    Token(Hash),
}

impl Credentials {
    fn in_headers(headers: &HeaderMap) -> Self {
        let header = headers.get(header::AUTHORIZATION);
        let header = header.and_then(|it| it.to_str().ok());
        match header.and_then(|header| header.split_once(' ')) {
            None => Self::Nothing,
            Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => {
                Self::Token(token::hash(token.trim()))
            }
            Some(_) => Self::OtherScheme,
        }
    }
}

/// Lets through whoever may; a handler then finds who it is by [`AuthorizedBy`].
pub(crate) async fn guard(
    State((access, disk)): State<(Arc<Access>, Option<Disk>)>,
    mut request: Request,
    next: Next,
) -> Result<Response, Error> {
    let credentials = Credentials::in_headers(request.headers());
    let address = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let address = Caller::at(address.map(|ConnectInfo(address)| address.ip()));
    let cached = match &credentials {
        Credentials::Token(hash) => access.tokens.get(hash),
        Credentials::Nothing | Credentials::OtherScheme => None,
    };
    let of_token = |it: &Arc<Bearer>| Caller::Token(it.token.id);
    let caller = cached.as_ref().map_or(address, of_token);
    let path = request.extensions().get::<MatchedPath>();
    let path = path.map_or("", MatchedPath::as_str);
    let need = rules::need(request.method().as_str(), path);
    if let Some(limits) = &access.limits
        && !WATCHED.contains(&path)
        && let Err(wait) = limits.count(caller)
    {
        discard(request).await;
        return Err(too_many(wait.as_secs() + 1).into());
    }
    let bearer = match (cached, &credentials) {
        (None, Credentials::Token(hash)) => access.tokens.look_up(hash).await?,
        (cached, _) => cached,
    };
    if let (Some(bearer), Some(identity)) = (&bearer, request.extensions().get::<Identity>()) {
        identity.set(bearer);
    }
    if !rules::may(need, access.readers, bearer.as_deref()) {
        let refusal = refusal(need, &credentials, bearer.as_deref());
        discard(request).await;
        return Err(refusal.into());
    }
    if need == Need::Uploading
        && let Some(full) = disk.as_ref().and_then(Disk::refusal)
    {
        discard(request).await;
        return Err(problem(StatusCode::INSUFFICIENT_STORAGE, full).into());
    }
    if let Some(bearer) = bearer {
        if rules::may(Need::Uploading, access.readers, Some(&bearer)) {
            request.extensions_mut().insert(MayUpload);
        }
        request.extensions_mut().insert(bearer);
    }
    Ok(next.run(request).await)
}

/// Whoever bears the token that a route needs.
pub(crate) struct AuthorizedBy(pub(crate) Arc<Bearer>);

impl<S: Send + Sync> FromRequestParts<S> for AuthorizedBy {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        let bearer = parts.extensions.get().map(Arc::clone);
        let credentials = || Credentials::in_headers(&parts.headers);
        Ok(Self(bearer.ok_or_else(|| {
            refusal(Need::Reading, &credentials(), None)
        })?))
    }
}

/// None where no token came; one that is not valid is refused.
impl<S: Send + Sync> OptionalFromRequestParts<S> for AuthorizedBy {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Option<Self>, Error> {
        match Credentials::in_headers(&parts.headers) {
            Credentials::Nothing => Ok(None),
            _ => <Self as FromRequestParts<S>>::from_request_parts(parts, state)
                .await
                .map(Some),
        }
    }
}

fn refusal(need: Need, credentials: &Credentials, bearer: Option<&Bearer>) -> Problem {
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
    let fault = match credentials {
        Credentials::Nothing => format!("this needs {whose}: Authorization: Bearer TOKEN"),
        Credentials::OtherScheme => {
            format!("this needs {whose} by another scheme: Authorization: Bearer TOKEN")
        }
        Credentials::Token(_) => {
            format!("the server does not know this token, or it was revoked; this needs {whose}")
        }
    };
    let remedy =
        "An admin makes tokens: `kerncast-server token create`, or the dashboard's page Access";
    problem(StatusCode::UNAUTHORIZED, format!("{fault}. {remedy}"))
}

fn too_many(wait_s: u64) -> Problem {
    let detail = format!("too many requests from one token or address; try again in {wait_s} s");
    Problem {
        retry_after_s: Some(wait_s),
        ..problem(StatusCode::TOO_MANY_REQUESTS, detail)
    }
}
