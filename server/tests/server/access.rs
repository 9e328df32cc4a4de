//! Who may do what: every route by every role.

use std::collections::BTreeSet;

use crate::common::{
    ADMIN, Server,
    roles::{AGENT, READER, with_roles},
};
use axum::{
    body::Body,
    http::{Request, StatusCode, header},
};
use kerncast_server::{
    access::{Need, RULES, token},
    routes,
};
use kerncast_wire::Readers;
use serde_json::json;
use sqlx::PgPool;

/// Method and path of everything that is documented.
fn documented() -> BTreeSet<(String, String)> {
    let document = serde_json::to_value(routes::openapi()).unwrap();
    let paths = document["paths"].as_object().unwrap();
    paths
        .iter()
        .flat_map(|(path, item)| {
            let methods = item.as_object().unwrap().keys();
            methods.map(|method| (method.to_uppercase(), path.clone()))
        })
        .collect()
}

#[test]
fn every_route_has_one_rule_and_every_rule_a_route() {
    let rules = RULES
        .iter()
        .map(|&(method, path, _)| (method.to_owned(), path.to_owned()));
    let rules: Vec<_> = rules.collect();
    assert_eq!(rules.iter().cloned().collect::<BTreeSet<_>>(), documented());
    assert_eq!(rules.len(), documented().len(), "a route has two rules");
}

/// What a caller gets to see of a route: the status, without waiting for a stream's end.
async fn status(server: &Server, token: Option<&str>, method: &str, path: &str) -> StatusCode {
    let path = path
        .replace("{id}", "0")
        .replace("{name}", "none")
        .replace("{hash}", &"0".repeat(64));
    let mut request = Request::builder().method(method).uri(path);
    if let Some(token) = token {
        request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
    }
    let request = request.header(header::CONTENT_TYPE, "application/json");
    // No body is in order, so that nothing is changed and nobody is told of a wrong code.
    let body = if method == "GET" { "" } else { "[]" };
    server.status(request.body(Body::from(body)).unwrap()).await
}

#[sqlx::test(migrations = "../migrations")]
async fn every_route_lets_those_through_whom_its_rule_names(pool: PgPool) {
    for readers in [Readers::Everybody, Readers::Token] {
        let server = with_roles(&pool, readers).await;
        for (method, path) in documented() {
            let rule = RULES
                .iter()
                .find(|rule| (rule.0, rule.1) == (&*method, &*path));
            let need = rule
                .unwrap_or_else(|| panic!("{method} {path} has no rule"))
                .2;
            for (token, may) in [
                (
                    None,
                    need == Need::Nothing || need == Need::Reading && readers == Readers::Everybody,
                ),
                (Some(READER), matches!(need, Need::Nothing | Need::Reading)),
                (Some(AGENT), need != Need::Administering),
                (Some(ADMIN), true),
            ] {
                let answered = status(&server, token, &method, &path).await;
                let refused = match token {
                    None => StatusCode::UNAUTHORIZED,
                    Some(_) => StatusCode::FORBIDDEN,
                };
                assert_eq!(
                    answered != refused,
                    may,
                    "{method} {path} by {token:?}, {readers:?} may read: {answered}"
                );
                let other = [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN];
                assert!(
                    answered == refused || !other.contains(&answered),
                    "{method} {path} by {token:?}: {answered}"
                );
                assert_ne!(answered, StatusCode::METHOD_NOT_ALLOWED, "{method} {path}");
            }
        }
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn what_reads_by_get_reads_by_head_and_other_methods_are_none(pool: PgPool) {
    let server = with_roles(&pool, Readers::Token).await;
    let head = status(&server, None, "HEAD", "/v1/devices").await;
    assert_eq!(head, StatusCode::UNAUTHORIZED);
    let head = status(&server, Some(READER), "HEAD", "/v1/devices").await;
    assert_eq!(head, StatusCode::OK);
    for token in [None, Some(ADMIN)] {
        let answered = status(&server, token, "DELETE", "/v1/devices").await;
        assert_eq!(answered, StatusCode::METHOD_NOT_ALLOWED, "{token:?}");
    }
    // What shows the dashboard has no data in it.
    for path in ["/", "/docs/", "/openapi.json"] {
        let answered = status(&server, None, "GET", path).await;
        assert_ne!(answered, StatusCode::UNAUTHORIZED, "{path}");
    }
}

#[test]
fn the_table_in_the_documentation_is_the_rules() {
    let page = std::fs::read_to_string("../docs/security.md").unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let documented_rows: Vec<String> = rows.map(str::to_owned).collect();
    let rules = RULES.iter().map(|&(method, path, need)| {
        let marks = match need {
            Need::Nothing => ["yes", "yes", "yes", "yes"],
            Need::Reading => ["if everybody reads", "yes", "yes", "yes"],
            Need::Uploading => ["no", "no", "its own", "yes"],
            Need::Administering => ["no", "no", "no", "yes"],
        };
        format!("| `{method} {path}` | {} |", marks.join(" | "))
    });
    let rules: Vec<String> = rules.collect();
    assert_eq!(
        documented_rows,
        rules,
        "docs/security.md is to say:\n{}",
        rules.join("\n")
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn a_refusal_says_what_is_needed_and_what_came(pool: PgPool) {
    let server = with_roles(&pool, Readers::Everybody).await;
    let detail = |(status, problem): crate::common::Answer| {
        (status, problem["detail"].as_str().unwrap().to_owned())
    };
    let (status, words) = detail(server.by(READER, "POST", "/v1/samples", "{}").await);
    assert_eq!(status, StatusCode::FORBIDDEN);
    let expected =
        "this needs an agent's or an admin's token; the token a reader's token is a reader's";
    assert_eq!(words, expected);
    let (status, words) = detail(server.by("unknown", "GET", "/v1/tokens", "").await);
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    assert!(words.contains("does not know this token"), "{words}");
    // A wrong token takes nothing away that needs none, but is not passed over where it is asked after.
    assert_eq!(
        server.by("unknown", "GET", "/v1/devices", "").await.0,
        StatusCode::OK
    );
    let answered = server.by("unknown", "GET", "/v1/access", "").await.0;
    assert_eq!(answered, StatusCode::UNAUTHORIZED);
}

#[sqlx::test(migrations = "../migrations")]
async fn a_caller_is_told_who_it_is(pool: PgPool) {
    let server = with_roles(&pool, Readers::Token).await;
    let (_, access) = server.get("/v1/access").await;
    assert_eq!(access, json!({ "readers": "token", "token": null }));
    let (_, access) = server.by(AGENT, "GET", "/v1/access", "").await;
    let token = &access["token"];
    assert_eq!(
        (&token["role"], &token["agent"]),
        (&json!("agent"), &json!("lab-3"))
    );
    assert!(!access.to_string().contains(&*hex(&token::hash(AGENT))));
}

fn hex(hash: &token::Hash) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}
