//! A machine keeps a token of its own, over TLS, and speaks of nothing but itself.

use std::{
    fs,
    io::{BufRead, BufReader},
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Child, Command, Stdio},
};

use kerncast_e2e::{Lab, binary, expect_exit, root};
use serde_json::{Value, json};
use uuid::Uuid;

/// A server that speaks TLS; killed when it goes out of scope.
struct Server {
    child: Child,
    url: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The command of docs/security.md makes a certificate, in the lab's `cert.pem`.
fn make_certificate(lab: &Lab) {
    let page = fs::read_to_string(root().join("docs/security.md")).expect("the page");
    let begin = page.find("openssl req").expect("the command");
    let command = page[begin..].split("\n```").next().expect("the command");
    let output = Command::new("sh")
        .args(["-c", &command.replace("DNS:lab-server", "IP:127.0.0.1")])
        .current_dir(lab.path(""))
        .output()
        .expect("sh starts");
    assert!(output.status.success(), "{output:?}");
}

/// With a certificate of its own.
fn serve(lab: &Lab) -> Server {
    make_certificate(lab);
    let mut child = Command::new(binary("kerncast-server"))
        .args(["--listen", "127.0.0.1:0", "--readers", "token", "--data"])
        .arg(lab.path("data"))
        .arg("--tls-certificate")
        .arg(lab.path("cert.pem"))
        .arg("--tls-key")
        .arg(lab.path("key.pem"))
        .env_remove("DATABASE_URL")
        .env_remove("RUST_LOG")
        .stderr(Stdio::piped())
        .spawn()
        .expect("kerncast-server starts");
    let mut log = BufReader::new(child.stderr.take().expect("piped"))
        .lines()
        .map(|line| line.expect("text"));
    let line = log
        .find(|line| line.contains("listening on "))
        .expect("it listens");
    let url = line.split("listening on ").nth(1).expect("address");
    let url = url.trim_end_matches('/').to_owned();
    // The rest is read too, lest the pipe fills.
    std::thread::spawn(move || log.for_each(drop));
    Server { child, url }
}

/// `kerncast` as on the machine lab-3.
fn kerncast(lab: &Lab, server: &Server, token: &Path, arguments: &[&str]) -> Command {
    let mut command = lab.kerncast(arguments);
    command
        .env("KERNCAST_SERVER", &server.url)
        .env("KERNCAST_TOKEN_FILE", token)
        .env("KERNCAST_CERTIFICATE", lab.path("cert.pem"))
        .env("KERNCAST_AGENT", "lab-3");
    command
}

fn spool(lab: &Lab, agent: &str) {
    let id = Uuid::now_v7();
    let sample = json!({
        "id": id,
        "measured_at": "2026-11-01T12:00:00Z",
        "agent": { "name": agent, "version": "0.3.0" },
        "device": { "vendor": "Vendor", "name": "Device", "kind": "cpu" },
        "workload": { "kernel": "k", "variant": "global", "parameters": { "n": 1 } },
        "times": { "repetitions_s": [0.5] },
    });
    fs::create_dir_all(lab.path("spool")).expect("folder");
    fs::write(lab.path(&format!("spool/{id}.json")), sample.to_string()).expect("written");
}

/// A new token of this role, as `kerncast-server token create` prints it.
fn create_token(lab: &Lab, role: &[&str]) -> String {
    let output = Command::new(binary("kerncast-server"))
        .args([&["token", "create", "--role"], role, &["--data"]].concat())
        .arg(lab.path("data"))
        .env_remove("DATABASE_URL")
        .output()
        .expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let token = String::from_utf8(output.stdout).expect("text");
    token.trim().to_owned()
}

#[test]
fn an_enrolled_machine_uploads_its_own_agents_samples() {
    let lab = Lab::set_up();
    let server = serve(&lab);
    let make = |role: &[&str]| create_token(&lab, role);
    let token = lab.path("agent/token");
    let enroll = |new_token: &str, more: &[&str]| {
        fs::write(lab.path("made"), new_token).expect("written");
        let arguments = [&["enroll", &server.url[..]], more].concat();
        let mut command = kerncast(&lab, &server, &token, &arguments);
        command.stdin(fs::File::open(lab.path("made")).expect("the token"));
        command
    };
    let of_agent = ["agent", "--agent", "lab-3"];
    let first = make(&of_agent);
    let enrolled = expect_exit(enroll(&first, &["--json"]), 0).stdout;
    let enrolled: Value = serde_json::from_slice(&enrolled).expect("JSON");
    assert_eq!(enrolled["token_file"], json!(token));
    assert_eq!(enrolled["agent"], "lab-3");
    let mode = fs::metadata(&token)
        .expect("the token's file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    let stored_token = || fs::read_to_string(&token).expect("the token");
    assert_eq!(stored_token().trim(), first);

    // It is replaced only where that is asked for, and by an agent's token that is valid.
    let second = make(&of_agent);
    let refused = |new_token: &str, more: &[&str], status, why: &str| {
        let printed = expect_exit(enroll(new_token, more), status).stderr;
        let printed = String::from_utf8_lossy(&printed);
        assert!(printed.contains(why), "{printed}");
        assert_eq!(stored_token().trim(), first);
    };
    refused(&second, &[], 1, "--replace");
    refused("", &["--replace"], 2, "standard input");
    refused("none", &["--replace"], 1, "refused");
    refused(&make(&["reader"]), &["--replace"], 1, "not an agent's");
    let files = fs::read_dir(lab.path("agent")).expect("folder").count();
    assert_eq!(files, 1, "nothing half-made is left");
    expect_exit(enroll(&second, &["--replace"]), 0);
    assert_eq!(stored_token().trim(), second);

    uploads_are_of_its_own_agent(&lab, &server, &token);

    // What the enrolment has found out needs no settings.
    let mut enrolled = lab.kerncast(&["models", "--json"]);
    enrolled
        .env_remove("KERNCAST_SERVER")
        .env_remove("KERNCAST_TOKEN_FILE");
    expect_exit(enrolled, 0);

    // Reading needs the token too, and the certificate is believed only where it was named.
    let list = ["models", "--json"];
    expect_exit(kerncast(&lab, &server, &token, &list), 0);
    expect_exit(kerncast(&lab, &server, &lab.path("none"), &list), 1);
    let mut stranger = kerncast(&lab, &server, &token, &list);
    stranger.env_remove("KERNCAST_CERTIFICATE");
    stranger.env("KERNCAST_STATE", lab.path("stranger"));
    let printed = expect_exit(stranger, 75).stderr;
    assert!(String::from_utf8_lossy(&printed).contains("KERNCAST_CERTIFICATE"));
}

/// The agent's samples are stored. Another agent's are refused, and that is said before anything is measured.
fn uploads_are_of_its_own_agent(lab: &Lab, server: &Server, token: &Path) {
    spool(lab, "lab-3");
    let sent = expect_exit(kerncast(lab, server, token, &["upload", "--json"]), 0).stdout;
    let sent: Value = serde_json::from_slice(&sent).expect("JSON");
    assert_eq!(
        (&sent["stored"], &sent["rejected"]),
        (&json!(1), &json!([]))
    );
    spool(lab, "lab-4");
    expect_exit(kerncast(lab, server, token, &["upload"]), 1);
    let problems = fs::read_dir(lab.path("spool/rejected"))
        .expect("rejected")
        .map(|entry| entry.expect("entry").path())
        .find(|path| path.to_string_lossy().ends_with("problems.json"))
        .expect("problems");
    let problems = fs::read_to_string(problems).expect("text");
    assert!(problems.contains("/samples/0/agent/name"), "{problems}");

    // A token that will be refused is told before anything is measured, and what is measured is kept.
    let kernels = root().join("kernels");
    let kernels = kernels.to_str().expect("UTF-8");
    let mut other = kerncast(lab, server, token, &["run", "--kernels", kernels]);
    other.env("KERNCAST_AGENT", "lab-4");
    other.args([
        "--kernel",
        "gemv",
        "--first-sizes",
        "1",
        "--provider",
        "launch",
    ]);
    other.args(["--no-ceilings", "--no-microbenchmark"]);
    let printed = String::from_utf8_lossy(&expect_exit(other, 1).stderr).into_owned();
    let message = printed.find("this token is of the agent lab-3, and this one is called lab-4");
    let begun = printed.find(" workloads").expect("it measures");
    assert!(message.is_some_and(|message| message < begun), "{printed}");
}
