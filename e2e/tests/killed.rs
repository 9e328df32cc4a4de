//! Whatever is killed, and whenever: no accepted sample is lost and none is stored twice.

use std::{
    collections::BTreeSet,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use kerncast_e2e::{Lab, expect_exit};
use serde_json::{Value, json};
use uuid::Uuid;

#[test]
fn a_killed_server_keeps_every_sample_that_it_accepted() {
    let lab = Lab::set_up();
    let (mut sent, mut accepted) = (Vec::new(), BTreeSet::new());
    for round in 0..4 {
        let server = lab.serve();
        let uploads = thread::scope(|scope| {
            let (first_batch, stored_batch) = mpsc::channel();
            let lab = &lab;
            let uploader = scope.spawn(move || upload_until_refused(lab, &first_batch));
            stored_batch.recv().expect("a batch is stored");
            // Each round hits another moment: of a batch, of a fit.
            thread::sleep(Duration::from_millis(130 * round));
            server.kill();
            uploader.join().expect("uploader")
        });
        sent.extend(uploads.sent);
        accepted.extend(uploads.accepted);
    }

    let _server = lab.serve();
    let ids = lab.ids();
    assert!(accepted.is_subset(&ids), "accepted samples are gone");

    // What an agent does: it sends again whatever it has no verdict on.
    for batch in &sent {
        let answer = post(&lab, batch).expect("the server is up");
        assert_eq!(answer["rejected"], 0, "{answer}");
    }
    let all: BTreeSet<String> = sent.iter().flat_map(batch_ids).collect();
    assert_eq!(lab.ids(), all);
}

#[test]
fn a_killed_collector_keeps_every_sample_that_it_measured() {
    let lab = Lab::set_up();
    for later in [0, 300, 1500] {
        let before = lab.spooled("spool");
        let mut run = lab
            .kerncast(&[
                "run",
                "--no-upload",
                "--no-ceilings",
                "--no-microbenchmark",
                "--first-sizes",
                "1",
                "--provider",
                "launch",
            ])
            .spawn()
            .expect("kerncast starts");
        let start = Instant::now();
        while lab.spooled("spool") == before {
            assert!(
                start.elapsed() < Duration::from_secs(120),
                "nothing is measured"
            );
            thread::sleep(Duration::from_millis(20));
        }
        thread::sleep(Duration::from_millis(later));
        // It may have ended by itself by now; either way its spool is as it left it.
        let _ = run.kill();
        run.wait().expect("wait");
    }
    let measured = lab.spooled("spool");

    let _server = lab.serve();
    expect_exit(lab.kerncast(&["upload"]), 0);
    expect_exit(lab.kerncast(&["upload"]), 0);
    assert_eq!(lab.ids().len(), measured);
}

struct Uploads {
    sent: Vec<Value>,
    accepted: BTreeSet<String>,
}

/// Posts batches of new samples until the server is gone, and tells of each that was stored.
fn upload_until_refused(lab: &Lab, stored: &mpsc::Sender<()>) -> Uploads {
    let mut uploads = Uploads {
        sent: Vec::new(),
        accepted: BTreeSet::new(),
    };
    loop {
        let batch = json!({ "samples": (0..40).map(sample).collect::<Vec<_>>() });
        let answer = post(lab, &batch);
        uploads.sent.push(batch);
        let Ok(answer) = answer else { return uploads };
        for verdict in answer["verdicts"].as_array().expect("verdicts") {
            assert_eq!(verdict["verdict"], "stored", "{verdict}");
            uploads
                .accepted
                .insert(verdict["id"].as_str().expect("id").to_owned());
        }
        // Only the first is waited for.
        let _ = stored.send(());
    }
}

fn post(lab: &Lab, batch: &Value) -> Result<Value, ureq::Error> {
    ureq::post(lab.url("/v1/samples"))
        .header("Authorization", format!("Bearer {}", lab.token()))
        .send_json(batch)?
        .body_mut()
        .read_json()
}

/// A sample that could be real; only its id is always new.
fn sample(i: u32) -> Value {
    let load = f64::from(i + 1) * 1024.0;
    json!({
        "id": Uuid::now_v7(),
        "measured_at": "2026-11-01T12:00:00Z",
        "agent": { "name": "test", "version": "0.1.0" },
        "device": { "vendor": "Test", "name": "Killed", "kind": "cpu" },
        "workload": {
            "kernel": format!("kernel_{}", i % 10),
            "variant": if i.is_multiple_of(2) { "global" } else { "local" },
            "parameters": { "n": i },
        },
        "times": { "repetitions_s": [load * 1e-9, load * 1.1e-9] },
        "readings": {
            "oclgrind": { "counters": { "load_global": load, "instructions": load * load } },
        },
    })
}

fn batch_ids(batch: &Value) -> Vec<String> {
    batch["samples"]
        .as_array()
        .expect("samples")
        .iter()
        .map(id)
        .collect()
}

fn id(sample: &Value) -> String {
    sample["id"].as_str().expect("id").to_owned()
}
