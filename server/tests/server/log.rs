//! The log of the binary: a line for each request, and never a token.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Child, ChildStderr, Command, Stdio},
};

use serde_json::Value;

const BINARY: &str = env!("CARGO_BIN_EXE_kerncast-server");

/// A server with a log of JSON, the log from the line on that says where it listens, and its URL.
fn start(folder: &Path) -> (Child, BufReader<ChildStderr>, String) {
    let mut server = Command::new(BINARY)
        .args(["--listen", "127.0.0.1:0", "--log-format", "json", "--data"])
        .arg(folder)
        .env_remove("DATABASE_URL")
        .env_remove("RUST_LOG")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut log = BufReader::new(server.stderr.take().unwrap());
    let url = loop {
        let mut line = String::new();
        assert!(log.read_line(&mut line).unwrap() > 0, "the server ended");
        let line: Value = serde_json::from_str(&line).unwrap();
        let message = line["message"].as_str().unwrap();
        if let Some(url) = message.strip_prefix("listening on ") {
            break url.trim_end_matches('/').to_owned();
        }
    };
    (server, log, url)
}

#[test]
fn each_request_has_a_line_and_its_answer_the_same_id() {
    let folder = tempfile::tempdir().unwrap();
    // As root, Postgres runs as another user, who must be able to pass.
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let (mut server, mut log, url) = start(folder.path());
    let token = fs::read_to_string(folder.path().join("token")).unwrap();
    let token = token.trim();
    let id = |path: &str, token: Option<&str>| {
        let mut request = ureq::get(format!("{url}{path}"));
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let config = request.config().http_status_as_error(false).build();
        let answer = config.call().unwrap();
        let id = answer.headers()["x-request-id"]
            .to_str()
            .unwrap()
            .to_owned();
        (id, answer.status().as_u16())
    };
    let cases = [
        (
            "/v1/tokens?limit=7",
            Some(token),
            "admin",
            "/v1/tokens",
            200,
        ),
        (
            "/v1/tokens",
            Some("a-wrong-secret"),
            "nobody",
            "/v1/tokens",
            401,
        ),
        (
            "/v1/kernels/none",
            None,
            "nobody",
            "/v1/kernels/{name}",
            404,
        ),
        ("/a-secret-path", None, "nobody", "other", 404),
    ];
    let ids: Vec<String> = cases
        .iter()
        .map(|(path, token, .., status)| {
            let (id, answered) = id(path, *token);
            assert_eq!(answered, *status, "{path}");
            id
        })
        .collect();
    let terminate = Command::new("kill").arg(server.id().to_string()).status();
    assert!(terminate.unwrap().success());
    let mut text = String::new();
    log.read_to_string(&mut text).unwrap();
    assert!(server.wait().unwrap().success());
    assert!(!text.contains(token) && !text.contains("secret"), "{text}");
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let requests: Vec<&Value> = lines
        .iter()
        .filter(|it| it["message"] == "request")
        .collect();
    assert_eq!(requests.len(), cases.len(), "{text}");
    for (line, (id, (.., role, route, status))) in requests.iter().zip(ids.iter().zip(&cases)) {
        assert_eq!(
            (&line["id"], &line["level"]),
            (&Value::from(id.as_str()), &Value::from("INFO"))
        );
        assert_eq!(
            (
                line["role"].as_str(),
                line["route"].as_str(),
                line["status"].as_u64()
            ),
            (Some(*role), Some(*route), Some(u64::from(*status))),
            "{line}"
        );
        assert!(
            line["peer"].as_str().unwrap().starts_with("127.0.0.1:"),
            "{line}"
        );
        assert!(line["ms"].as_f64().unwrap() > 0.0, "{line}");
    }
}
