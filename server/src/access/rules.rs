//! What each route needs: one table, which docs/security.md shows, and which the OpenAPI document repeats.

use kerncast_wire::Readers;
use utoipa::openapi::{
    OpenApi,
    path::{Operation, PathItem},
    security::SecurityRequirement,
};

use super::{Bearer, bearer::Rights};

/// What a route needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Nothing: everybody may.
    Nothing,
    /// A token of any role, where not everybody may read.
    Reading,
    /// A token of an agent, for what is its own, or of an admin.
    Uploading,
    /// A token of an admin.
    Administering,
}

use Need::{Administering, Nothing, Reading, Uploading};

/// Rules by method and path, in the order of the paths. A route that is not listed is for admins alone.
pub const RULES: &[(&str, &str, Need)] = &[
    ("GET", "/healthz", Nothing),
    ("GET", "/metrics", Reading),
    ("GET", "/readyz", Nothing),
    ("GET", "/v1/access", Nothing),
    ("GET", "/v1/agents", Reading),
    ("POST", "/v1/agents", Uploading),
    ("GET", "/v1/audit", Administering),
    ("POST", "/v1/ceilings", Uploading),
    ("GET", "/v1/counters", Reading),
    ("POST", "/v1/decisions", Administering),
    ("GET", "/v1/devices", Reading),
    ("GET", "/v1/devices/{id}/roofline", Reading),
    ("GET", "/v1/events", Reading),
    ("GET", "/v1/gpus", Reading),
    ("GET", "/v1/jobs", Reading),
    ("GET", "/v1/kernels", Reading),
    ("GET", "/v1/kernels/{name}", Reading),
    ("GET", "/v1/kernels/{name}/history", Reading),
    ("GET", "/v1/kernels/{name}/speedups", Reading),
    ("GET", "/v1/kernels/{name}/times", Reading),
    ("GET", "/v1/models", Reading),
    ("GET", "/v1/models/{id}", Reading),
    ("POST", "/v1/models/{id}/acceptance", Administering),
    ("GET", "/v1/models/{id}/validation", Reading),
    ("POST", "/v1/offload", Reading),
    ("GET", "/v1/overview", Reading),
    ("GET", "/v1/pairs", Reading),
    ("POST", "/v1/predictions", Reading),
    ("GET", "/v1/samples", Reading),
    ("POST", "/v1/samples", Uploading),
    ("GET", "/v1/samples/{id}", Reading),
    ("GET", "/v1/sources/{hash}", Reading),
    ("PUT", "/v1/sources/{hash}", Uploading),
    ("GET", "/v1/sources/{hash}/analysis", Reading),
    ("PUT", "/v1/sources/{hash}/analysis", Uploading),
    ("GET", "/v1/speedups", Reading),
    ("POST", "/v1/speedups", Reading),
    ("GET", "/v1/streams", Reading),
    ("POST", "/v1/streams", Uploading),
    ("GET", "/v1/tokens", Administering),
    ("POST", "/v1/tokens", Administering),
    ("DELETE", "/v1/tokens/{id}", Administering),
];

/// What a route needs, by its method and its path as it is documented.
pub(crate) fn need(method: &str, path: &str) -> Need {
    let method = if method == "HEAD" { "GET" } else { method };
    let rule = RULES.iter().find(|rule| (rule.0, rule.1) == (method, path));
    rule.map_or(Administering, |&(_, _, need)| need)
}

/// Whether one who bears such a token, or none, may do what needs this.
pub(super) fn may(need: Need, readers: Readers, bearer: Option<&Bearer>) -> bool {
    let rights = bearer.map(|bearer| &bearer.rights);
    match need {
        Nothing => true,
        Reading => readers == Readers::Everybody || rights.is_some(),
        Uploading => matches!(rights, Some(Rights::Agent(_) | Rights::Admin)),
        Administering => matches!(rights, Some(Rights::Admin)),
    }
}

/// Writes into the document what each of its operations needs.
pub(crate) fn describe(openapi: &mut OpenApi) {
    for (path, item) in &mut openapi.paths.paths {
        for (method, operation) in operations(item) {
            let by = |roles: &[&str]| SecurityRequirement::new("token", roles.iter().copied());
            operation.security = match need(method, path) {
                Nothing => None,
                Reading => Some(vec![
                    SecurityRequirement::default(),
                    by(&["reader", "agent", "admin"]),
                ]),
                Uploading => Some(vec![by(&["agent", "admin"])]),
                Administering => Some(vec![by(&["admin"])]),
            };
        }
    }
}

/// A path's operations, by method.
pub(crate) fn operations(
    item: &mut PathItem,
) -> impl Iterator<Item = (&'static str, &mut Operation)> {
    let methods = [
        ("GET", &mut item.get),
        ("PUT", &mut item.put),
        ("POST", &mut item.post),
        ("DELETE", &mut item.delete),
        ("PATCH", &mut item.patch),
    ];
    let methods = methods.into_iter();
    methods.filter_map(|(method, operation)| Some((method, operation.as_mut()?)))
}
