//! `kerncast agent`: what is due is measured, one agent at a time, unless others compute. Real kernels on
//! PoCL.

use std::{
    fs::{self, File},
    process::{Command, Output},
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use crate::common::{Place, expect_exit, fixture, text};
use serde_json::Value;

/// A run of two kernels' workloads alone, neither counted nor uploaded.
fn agent(place: &Place, more: &[&str]) -> Command {
    let kernels = [fixture("kernels/scale"), fixture("faulty/unwritten")];
    let mut arguments = vec![
        "agent",
        "run",
        "--json",
        "--no-upload",
        "--provider",
        "launch",
    ];
    arguments.extend(["--no-ceilings", "--no-microbenchmark"]);
    arguments.extend(kernels.iter().flat_map(|it| ["--kernels", it]));
    arguments.extend(more);
    place.kerncast(&arguments)
}

/// Kernels by what became of their workloads.
fn kernels(output: &Output, status: &str) -> Vec<String> {
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON alone on stdout");
    let rows = report["rows"].as_array().expect("rows");
    let rows = rows.iter().filter(|row| row["status"] == status);
    rows.map(|row| row["kernel"].as_str().expect("a name").to_owned())
        .collect()
}

#[test]
fn what_was_measured_is_due_again_when_it_is_old_and_what_failed_the_next_time() {
    let place = Place::new();
    let first = expect_exit(agent(&place, &["--even-if-busy"]), 1);
    let measured = kernels(&first, "measured");
    assert!(
        !measured.is_empty() && measured.iter().all(|it| it == "scale"),
        "{measured:?}"
    );
    let failed = kernels(&first, "failed");
    assert!(
        !failed.is_empty() && failed.iter().all(|it| it == "unwritten"),
        "{failed:?}"
    );
    assert_eq!(place.spooled().len(), measured.len());
    let (due, all) = (failed.len(), measured.len() + failed.len());
    let stderr = text(&first.stderr);
    assert!(
        stderr.contains(&format!("{due} of {all} workloads ")),
        "{stderr}"
    );

    let second = expect_exit(agent(&place, &["--even-if-busy"]), 1);
    assert_eq!(kernels(&second, "measured"), [""; 0]);
    assert_eq!(kernels(&second, "failed"), failed);

    // A line that was torn by a power cut is a workload that is measured anew.
    let record = place.path("state/agent.measured.jsonl");
    let lines = fs::read_to_string(&record).expect("a record");
    let (all, end) = lines.trim_end().rsplit_once('\n').expect("lines");
    let torn = format!("{all}\n{}", &end[..end.len() / 2]);
    fs::write(&record, torn).expect("written");
    expect_exit(agent(&place, &["--even-if-busy"]), 1);

    let old = expect_exit(agent(&place, &["--even-if-busy", "--within", "1ms"]), 1);
    assert_eq!(kernels(&old, "measured"), measured);
}

#[test]
fn a_second_agent_leaves_and_names_the_first() {
    let place = Place::new();
    fs::create_dir(place.path("state")).expect("a folder");
    let path = place.path("state/agent.lock");
    fs::write(&path, "process 7 of lab-3 since yesterday").expect("written");
    let lock = File::open(&path).expect("there");
    lock.try_lock().expect("free");
    let output = expect_exit(agent(&place, &["--even-if-busy"]), 75);
    assert!(
        text(&output.stderr).contains("process 7 of lab-3"),
        "{output:?}"
    );
    drop(lock);
    expect_exit(agent(&place, &["--even-if-busy", "--kernel", "scale"]), 0);
}

#[test]
fn it_leaves_where_others_compute_for_longer_than_it_waits() {
    let place = Place::new();
    let is_done = AtomicBool::new(false);
    let cores = thread::available_parallelism().expect("cores").get();
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    std::hint::spin_loop()
                }
            });
        }
        let output = agent(&place, &["--wait", "1s"]).output();
        is_done.store(true, Ordering::Relaxed);
        let output = output.expect("starts");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let stderr = text(&output.stderr);
        assert!(
            stderr.contains("of the cores of")
                && stderr.contains("waiting for 1 s at most")
                && stderr.contains("others use"),
            "{stderr}"
        );
    });
    assert!(place.spooled().is_empty());
}
