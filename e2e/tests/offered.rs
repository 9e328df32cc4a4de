//! A server offers a newer version of a kernel: an agent that is told to fetches it and measures it, and nothing that was
//! tampered with.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use kerncast_e2e::{Lab, binary, expect_exit, root};
use serde_json::Value;

const KERNEL: &str = "vector_copy";

/// The kernel's folder below this one, its launch file with a line more.
fn version(lab: &Lab, name: &str) {
    let (from, to) = (
        root().join("kernels").join(KERNEL),
        lab.path(name).join(KERNEL),
    );
    fs::create_dir_all(&to).expect("made");
    for entry in fs::read_dir(from).expect("the kernel") {
        let path = entry.expect("entry").path();
        fs::copy(&path, to.join(path.file_name().expect("a name"))).expect("copied");
    }
    let launch = fs::read_to_string(to.join("launch.toml")).expect("text");
    fs::write(to.join("launch.toml"), format!("{launch}# {name}\n")).expect("written");
}

fn on_server(lab: &Lab, arguments: &[&str]) -> String {
    let mut command = Command::new(binary("kerncast-server"));
    command.args(arguments).arg("--data").arg(lab.path("data"));
    command.env_remove("DATABASE_URL");
    String::from_utf8(expect_exit(command, 0).stdout).expect("text")
}

/// One run of the agent, in which all is due. What it printed, and the source hashes that it measured, by sample.
fn run(lab: &Lab, more: &[&str]) -> (String, Vec<String>) {
    let before = lab.list("/v1/samples").len();
    let mut arguments = vec!["agent", "run", "--within", "1ms", "--even-if-busy"];
    arguments.extend(["--first-sizes", "1", "--no-ceilings", "--no-microbenchmark"]);
    arguments.extend(["--provider", "launch", "--timing", "50ms"]);
    arguments.extend(more);
    let mut command = lab.kerncast(&arguments);
    command.env("KERNCAST_KERNELS", lab.path("installed"));
    let Output { stderr, .. } = expect_exit(command, 0);
    let samples = lab.list("/v1/samples");
    let new = &samples[..samples.len() - before];
    assert!(!new.is_empty());
    let hash = |it: &Value| {
        it["provenance"]["source_hash"]
            .as_str()
            .expect("a hash")
            .to_owned()
    };
    let told = String::from_utf8(stderr).expect("text");
    (told, new.iter().map(hash).collect())
}

fn sql(lab: &Lab, statement: &str) {
    let mut psql = Command::new("psql");
    psql.arg("-h").arg(lab.path("data/socket"));
    psql.args([
        "-U",
        "kerncast",
        "-v",
        "ON_ERROR_STOP=1",
        "-c",
        statement,
        "postgres",
    ]);
    expect_exit(psql, 0);
}

#[test]
fn an_agent_measures_what_its_server_offers_and_nothing_else() {
    let lab = Lab::set_up();
    let _server = lab.serve();
    version(&lab, "installed");
    version(&lab, "newer");
    let added = on_server(
        &lab,
        &["kernels", "add", lab.path("newer").to_str().expect("text")],
    );
    let newer = added.split('\t').nth(1).expect("a hash");
    assert!(
        added.starts_with("vector_copy\t") && newer.len() == 64,
        "{added}"
    );

    // Nothing comes from the server where nobody said so.
    let (_, hashes) = run(&lab, &[]);
    let installed = hashes[0].clone();
    assert_ne!(installed, newer);
    assert!(!lab.path("state/kernels").exists());

    let from_server = ["--kernels-from-server"];
    let kept = lab.path("state/kernels").join(newer).join(KERNEL);
    for _ in 0..2 {
        let (told, hashes) = run(&lab, &from_server);
        assert!(hashes.iter().all(|it| it == newer), "{hashes:?}\n{told}");
        assert!(!told.contains("warning"), "{told}");
        assert!(kept.join("launch.toml").is_file());
    }

    // Somebody changes what was kept: it is fetched anew.
    fs::write(kept.join("vector_copy.cl"), "kernel void other() {}").expect("written");
    let (_, hashes) = run(&lab, &from_server);
    assert!(hashes.iter().all(|it| it == newer), "{hashes:?}");

    // Somebody changes what the server sends.
    fs::remove_dir_all(lab.path("state/kernels")).expect("removed");
    sql(
        &lab,
        &format!(
            "UPDATE sources SET files = jsonb_set(files, '{{vector_copy.cl}}', '\"kernel void other() {{}}\"') \
             WHERE hash = '{newer}'"
        ),
    );
    refused(&lab, &installed, "which the server has signed");
    let escape = "files || jsonb_build_object('../../escaped.cl', 'x')";
    sql(
        &lab,
        &format!("UPDATE sources SET files = {escape} WHERE hash = '{newer}'"),
    );
    refused(&lab, &installed, "the file's name");
    assert!(!lab.path("state/escaped.cl").exists());

    on_server(&lab, &["kernels", "withdraw", KERNEL]);
    let (told, hashes) = run(&lab, &from_server);
    assert!(hashes.iter().all(|it| *it == installed), "{hashes:?}");
    assert!(!told.contains("warning"), "{told}");
}

/// The agent says why it does not take what is offered, to whoever runs it and to the server, and measures what is
/// installed.
fn refused(lab: &Lab, installed: &str, why: &str) {
    let (told, hashes) = run(lab, &["--kernels-from-server"]);
    assert!(
        hashes.iter().all(|it| it == installed),
        "{hashes:?}\n{told}"
    );
    let warning = format!("the kernel \"{KERNEL}\" that the server offers is not taken: ");
    assert!(told.contains(&warning) && told.contains(why), "{told}");
    let agents = lab.list("/v1/agents");
    let errors = agents[0]["run"]["errors"].to_string();
    assert!(errors.contains("is not taken"), "{errors}");
    let folder: &Path = &lab.path("state/kernels");
    let left: Vec<String> = fs::read_dir(folder)
        .expect("the folder")
        .map(|it| {
            it.expect("entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    assert_eq!(left, ["offered.json"], "nothing half-made is left");
}
