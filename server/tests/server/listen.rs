//! The binary: where it listens, by TLS, and its first start beside others.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Child, ChildStderr, Command, Stdio},
    time::{Duration, Instant},
};

use sqlx::{ConnectOptions, PgPool};
use ureq::tls::{Certificate, RootCerts, TlsConfig};

const BINARY: &str = env!("CARGO_BIN_EXE_kerncast-server");

/// A server that is killed when dropped.
struct Server {
    child: Child,
    log: BufReader<ChildStderr>,
}

/// On the test's own database.
fn start(pool: &PgPool, data: &Path, arguments: &[&str]) -> Server {
    let mut child = Command::new(BINARY)
        .arg("--data")
        .arg(data)
        .args(arguments)
        .env(
            "DATABASE_URL",
            pool.connect_options().to_url_lossy().as_str(),
        )
        .env_remove("RUST_LOG")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let log = BufReader::new(child.stderr.take().unwrap());
    Server { child, log }
}

impl Server {
    /// Its address; what it says until then, where it ends before.
    fn address(&mut self) -> Result<String, String> {
        let mut text = String::new();
        while self.log.read_line(&mut text).unwrap() > 0 {
            let line = text.lines().last().unwrap();
            if let Some((_, url)) = line.split_once("listening on ") {
                return Ok(url.trim_end_matches('/').to_owned());
            }
        }
        Err(text)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn other_machines_are_let_in_by_tls_or_by_word_only(pool: PgPool) {
    let data = tempfile::tempdir().unwrap();
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let mut server = start(&pool, data.path(), &["--listen", address]);
        let message = server.address().unwrap_err();
        for word in [address, "--tls-certificate", "--insecure"] {
            assert!(message.contains(word), "{message}");
        }
        assert_eq!(server.child.wait().unwrap().code(), Some(1));
    }
    for arguments in [
        &["--listen", "0.0.0.0:0", "--insecure"][..],
        &["--listen", "127.0.0.2:0"],
    ] {
        let mut server = start(&pool, data.path(), arguments);
        assert!(
            server.address().unwrap().starts_with("http://"),
            "{arguments:?}"
        );
    }
}

#[sqlx::test(migrations = false)]
async fn of_three_servers_that_start_at_once_on_an_empty_database_one_makes_the_admins_token(
    pool: PgPool,
) {
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let mut servers: Vec<_> = folders
        .iter()
        .map(|folder| start(&pool, folder.path(), &["--listen", "127.0.0.1:0"]))
        .collect();
    for server in &mut servers {
        server.address().unwrap();
    }
    let tokens: Vec<_> = folders
        .iter()
        .filter_map(|folder| fs::read_to_string(folder.path().join("token")).ok())
        .collect();
    assert_eq!(tokens.len(), 1);
    let stored: Vec<(Vec<u8>, String)> = sqlx::query_as("SELECT hash, role FROM tokens")
        .fetch_all(&pool)
        .await
        .unwrap();
    let hash = kerncast_server::access::token::hash(tokens[0].trim());
    assert_eq!(stored, [(hash.to_vec(), "admin".to_owned())]);
    for folder in &folders {
        assert!(
            !folder.path().join("token.new").exists(),
            "nothing is left behind"
        );
    }
}

/// Writes a certificate for 127.0.0.1 and its key.
fn certify(certificate: &Path, key: &Path) -> Certificate<'static> {
    let generated = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    fs::write(certificate, generated.cert.pem()).unwrap();
    fs::write(key, generated.signing_key.serialize_pem()).unwrap();
    Certificate::from_pem(generated.cert.pem().as_bytes())
        .unwrap()
        .to_owned()
}

/// Whether a new client that trusts only this certificate gets an answer.
fn answers(trusted: &Certificate<'static>, url: &str) -> bool {
    let roots = RootCerts::new_with_certs(std::slice::from_ref(trusted));
    let client: ureq::Agent = ureq::Agent::config_builder()
        .tls_config(TlsConfig::builder().root_certs(roots).build())
        .timeout_global(Some(Duration::from_secs(5)))
        .build()
        .into();
    client.get(format!("{url}/healthz")).call().is_ok()
}

#[sqlx::test(migrations = "../migrations")]
async fn tls_follows_its_certificate(pool: PgPool) {
    let data = tempfile::tempdir().unwrap();
    let (certificate, key) = (data.path().join("cert.pem"), data.path().join("key.pem"));
    let first = certify(&certificate, &key);
    let arguments = [
        "--listen",
        "0.0.0.0:0",
        "--tls-certificate",
        certificate.to_str().unwrap(),
        "--tls-key",
        key.to_str().unwrap(),
    ];
    let mut server = start(&pool, data.path(), &arguments);
    let url = server.address().unwrap().replace("0.0.0.0", "127.0.0.1");
    assert!(url.starts_with("https://"), "{url}");
    assert!(answers(&first, &url));
    assert!(
        !answers(&first, &url.replace("https", "http")),
        "nothing is said in the clear"
    );

    // A client that never says a word keeps nobody waiting.
    let silent = std::net::TcpStream::connect(url.trim_start_matches("https://")).unwrap();
    assert!(answers(&first, &url));
    drop(silent);

    let second = certify(&certificate, &key);
    let start = Instant::now();
    while !answers(&second, &url) {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "the new certificate is not shown"
        );
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(!answers(&first, &url));

    // Half of a renewal changes nothing.
    let (other, other_key) = (
        data.path().join("other.pem"),
        data.path().join("other_key.pem"),
    );
    certify(&other, &other_key);
    fs::copy(&other, &certificate).unwrap();
    let mut text = String::new();
    while !text.contains("the certificate before stays") {
        text.clear();
        assert!(
            server.log.read_line(&mut text).unwrap() > 0,
            "the server ended"
        );
    }
    assert!(answers(&second, &url));
}

#[sqlx::test(migrations = "../migrations")]
async fn a_certificate_that_cannot_be_used_is_refused_at_the_start(pool: PgPool) {
    let data = tempfile::tempdir().unwrap();
    let [certificate, key, other, other_key] =
        ["cert.pem", "key.pem", "other.pem", "other_key.pem"].map(|name| data.path().join(name));
    certify(&certificate, &key);
    certify(&other, &other_key);
    let nothing = data.path().join("nothing.pem");
    for (certificate, key, expected) in [
        (&certificate, &other_key, "does not go with the certificate"),
        (&nothing, &key, "can't be read as a certificate in PEM"),
        (
            &certificate,
            &certificate,
            "can't be read as a private key in PEM",
        ),
    ] {
        let arguments = [
            "--tls-certificate",
            certificate.to_str().unwrap(),
            "--tls-key",
            key.to_str().unwrap(),
        ];
        let mut server = start(&pool, data.path(), &arguments);
        let mut text = server.address().unwrap_err();
        server.log.read_to_string(&mut text).unwrap();
        assert!(text.contains(expected), "{text}");
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn the_command_line_makes_lists_and_revokes_tokens(pool: PgPool) {
    let data = tempfile::tempdir().unwrap();
    let mut server = start(
        &pool,
        data.path(),
        &["--listen", "127.0.0.1:0", "--readers", "token"],
    );
    let url = server.address().unwrap();
    let token = |arguments: &[&str]| {
        let output = Command::new(BINARY)
            .arg("--data")
            .arg(data.path())
            .arg("token")
            .args(arguments)
            .env(
                "DATABASE_URL",
                pool.connect_options().to_url_lossy().as_str(),
            )
            .env_remove("RUST_LOG")
            .output()
            .unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        if !output.status.success() {
            return Err(message);
        }
        let printed = String::from_utf8(output.stdout).unwrap();
        Ok(printed.trim_end().to_owned())
    };
    let new_token = token(&["create", "--role", "reader", "--name", "Grafana"]).unwrap();
    let reads = |token: &str| {
        let request = ureq::get(format!("{url}/v1/jobs"));
        request
            .header("authorization", format!("Bearer {token}"))
            .call()
            .is_ok()
    };
    assert!(reads(&new_token));
    assert!(!reads("another"));
    let listed = token(&["list"]).unwrap();
    let line = listed.lines().next().unwrap();
    assert!(
        line.contains("Grafana") && !listed.contains(&new_token),
        "{listed}"
    );
    let id = line.split('\t').next().unwrap();
    assert!(token(&["revoke", id]).unwrap().contains("revoked"));
    let start = Instant::now();
    while reads(&new_token) {
        assert!(start.elapsed() < Duration::from_secs(5), "it still reads");
    }
    assert!(
        token(&["revoke", "999"])
            .unwrap_err()
            .contains("there is no token 999")
    );
    assert!(
        token(&["create", "--role", "agent"])
            .unwrap_err()
            .contains("--agent")
    );
    let wrong = token(&["create", "--role", "reader", "--agent", "lab-3"]).unwrap_err();
    assert!(wrong.contains("--agent lab-3"), "{wrong}");
}
