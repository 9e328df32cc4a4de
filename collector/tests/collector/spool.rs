//! The spool: whole files or none, for any number of agents, until the server has them.

use std::{
    fs,
    process::Stdio,
    thread,
    time::{Duration, SystemTime},
};

use crate::common::{Place, fixture};
use kerncast_collector::spool::Spool;
use kerncast_suite as suite;
use kerncast_wire::{FieldProblem, KernelSource, NewCeilings, NewSample};
use serde_json::json;
use uuid::Uuid;

fn sample() -> NewSample {
    serde_json::from_value(json!({
        "id": Uuid::now_v7(),
        "measured_at": "2026-11-01T12:00:00Z",
        "agent": { "name": "test", "version": "0.1.0" },
        "device": { "vendor": "Test", "name": "Spool", "kind": "cpu" },
        "workload": { "kernel": "k", "variant": "global", "parameters": { "n": 1 } },
        "times": { "repetitions_s": [0.5] },
    }))
    .expect("a sample")
}

#[test]
fn samples_come_out_as_they_went_in_oldest_first() {
    let place = Place::new();
    let spool = Spool::open(&place.path("spool")).expect("opens");
    let samples = [sample(), sample(), sample()];
    for sample in [&samples[2], &samples[0], &samples[1]] {
        spool.put_sample(sample).expect("keeps");
    }
    let restored: Vec<NewSample> = spool
        .samples()
        .expect("lists")
        .iter()
        .map(|path| spool.read(path).expect("there").content.expect("whole"))
        .collect();
    assert_eq!(restored, samples);
}

#[test]
fn a_spool_says_since_when_its_oldest_file_waits() {
    let place = Place::new();
    let spool = Spool::open(&place.path("spool")).expect("opens");
    assert_eq!(spool.waiting_since(), None);
    for age_s in [60, 7200, 5] {
        spool.put_sample(&sample()).expect("keeps");
        let newest = spool.samples().expect("lists").pop().expect("a file");
        let put = SystemTime::now() - Duration::from_secs(age_s);
        let file = fs::File::options().append(true).open(&newest);
        file.and_then(|file| file.set_modified(put))
            .expect("a time");
    }
    let since = spool.waiting_since().expect("something waits");
    let age_s = since.elapsed().expect("past").as_secs();
    assert!((7200..7300).contains(&age_s), "{age_s}");
}

#[test]
fn ceilings_lie_beside_samples_and_are_none() {
    let place = Place::new();
    let spool = Spool::open(&place.path("spool")).expect("opens");
    let ceilings: NewCeilings = serde_json::from_value(json!({
        "id": Uuid::now_v7(),
        "measured_at": "2026-11-01T12:00:00Z",
        "agent": { "name": "test", "version": "0.1.0" },
        "device": { "vendor": "Test", "name": "Spool", "kind": "cpu" },
        "ceilings": { "copy_bytes_per_s": 1e9 },
    }))
    .expect("ceilings");
    spool.put_sample(&sample()).expect("keeps");
    spool.put_ceilings(&ceilings).expect("keeps");
    assert_eq!(spool.samples().expect("lists").len(), 1);
    let files = spool.ceilings().expect("lists");
    assert_eq!(files.len(), 1);
    let spooled = spool.read::<NewCeilings>(&files[0]).expect("there");
    assert_eq!(spooled.content.expect("whole"), ceilings);
}

#[test]
fn sources_lie_under_their_hash_once() {
    let place = Place::new();
    let spool = Spool::open(&place.path("spool")).expect("opens");
    let kernels = suite::load(fixture("kernels/scale").as_ref()).expect("loads");
    let files = kernels[0].files.clone().expect("UTF-8");
    assert_eq!(
        files.keys().collect::<Vec<_>>(),
        ["launch.toml", "scale.cl"]
    );
    let source = KernelSource { files };
    for _ in 0..2 {
        spool
            .put_source(&kernels[0].source_hash, &source)
            .expect("keeps");
    }
    let spooled = spool.sources().expect("lists");
    let [(path, hash)] = &spooled[..] else {
        panic!("one file, not {spooled:?}")
    };
    assert_eq!(*hash, kernels[0].source_hash);
    assert_eq!(spool.read(path).expect("there").content, Ok(source));
    assert!(spool.samples().expect("lists").is_empty());
}

#[test]
fn what_is_no_sample_is_told_and_left_alone() {
    let place = Place::new();
    let spool = Spool::open(&place.path("spool")).expect("opens");
    spool.put_sample(&sample()).expect("keeps");
    let file = spool.samples().expect("lists").remove(0);
    let whole = fs::read_to_string(&file).expect("reads");
    fs::write(&file, &whole[..whole.len() / 2]).expect("writes");
    let spooled = spool.read::<NewSample>(&file).expect("there");
    assert!(
        spooled.content.expect_err("half a file").contains("EOF"),
        "it says what is wrong"
    );
    assert!(file.exists());
    // Half-written files of a dead agent are not samples at all.
    fs::write(place.path("spool").join(".writing-abc"), "{").expect("writes");
    assert_eq!(spool.samples().expect("lists").len(), 1);
}

#[test]
fn two_agents_share_a_spool() {
    let place = Place::new();
    let (one, other) = (place.path("spool"), place.path("spool"));
    thread::scope(|scope| {
        for folder in [&one, &other] {
            scope.spawn(|| {
                let spool = Spool::open(folder).expect("opens");
                for _ in 0..50 {
                    spool.put_sample(&sample()).expect("keeps");
                }
            });
        }
    });
    let spool = Spool::open(&one).expect("opens");
    let files = spool.samples().expect("lists");
    assert_eq!(files.len(), 100);
    // Both send the same sample: the second to remove it finds nothing, and that is fine.
    spool.remove(&files[0]).expect("removes");
    spool.remove(&files[0]).expect("is gone already");
    assert!(spool.read::<NewSample>(&files[0]).is_none());
}

#[test]
fn a_rejected_sample_is_put_aside_with_its_problems() {
    let place = Place::new();
    let spool = Spool::open(&place.path("spool")).expect("opens");
    spool.put_sample(&sample()).expect("keeps");
    let file = spool.samples().expect("lists").remove(0);
    let problem = FieldProblem {
        field: "/samples/0/times/repetitions_s/0".to_owned(),
        value: Some("-1".to_owned()),
        expected: "a number above 0".to_owned(),
    };
    let aside = spool
        .reject(&file, std::slice::from_ref(&problem))
        .expect("puts aside");
    assert!(aside.exists() && !file.exists());
    assert_eq!(
        spool.rejected().expect("counts"),
        1,
        "its problems are none"
    );
    let problems = fs::read(aside.with_extension("problems.json")).expect("reads");
    assert_eq!(
        serde_json::from_slice::<Vec<FieldProblem>>(&problems).expect("JSON"),
        [problem]
    );
    assert!(spool.samples().expect("lists").is_empty());
}

#[test]
fn a_collector_killed_at_any_moment_leaves_whole_samples() {
    let place = Place::new();
    let kernels = fixture("kernels/scale");
    let spool = Spool::open(&place.path("spool")).expect("opens");
    // Each time it is killed as soon as one more sample is there: while it goes on to the next.
    for round in 1..=4 {
        let mut run = place
            .kerncast(&[
                "run",
                "--no-upload",
                "--provider",
                "launch",
                "--kernels",
                &kernels,
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("starts");
        while spool.samples().expect("lists").len() < round {
            assert!(
                run.try_wait().expect("status").is_none(),
                "it ended without a sample"
            );
            thread::sleep(Duration::from_millis(1));
        }
        run.kill().expect("SIGKILL");
        run.wait().expect("wait");
        for file in spool.samples().expect("lists") {
            spool
                .read::<NewSample>(&file)
                .expect("there")
                .content
                .expect("whole");
        }
    }
}

#[test]
fn a_folder_that_cannot_be_made_names_the_option() {
    let message = Spool::open("/proc/nowhere".as_ref())
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("/proc/nowhere") && message.contains("KERNCAST_SPOOL"),
        "{message}"
    );
}

#[test]
fn what_was_refused_for_its_time_is_sent_again_when_that_is_past() {
    let place = Place::new();
    let spool = Spool::open(&place.path("spool")).expect("opens");
    let problem = |field: &str| FieldProblem {
        field: field.to_owned(),
        value: None,
        expected: "another".to_owned(),
    };
    let (now, mut ahead, other, both) = (sample(), sample(), sample(), sample());
    ahead.measured_at = chrono::Utc::now() + chrono::TimeDelta::days(1);
    for (sample, problems) in [
        (&now, vec![problem("/samples/3/measured_at")]),
        (&ahead, vec![problem("/samples/4/measured_at")]),
        (&other, vec![problem("/samples/5/times")]),
        (
            &both,
            vec![
                problem("/samples/6/measured_at"),
                problem("/samples/6/times"),
            ],
        ),
    ] {
        spool.put_sample(sample).expect("keeps");
        let path = spool.folder().join(format!("{}.json", sample.id));
        spool.reject(&path, &problems).expect("put aside");
    }
    assert_eq!(spool.rejected().expect("counts"), 4);
    assert_eq!(spool.retry_refused_for_their_time().expect("retries"), 1);
    let back = spool.samples().expect("lists");
    let back: Vec<_> = back
        .iter()
        .map(|it| it.file_stem().expect("an id"))
        .collect();
    assert_eq!(back, [now.id.to_string().as_str()]);
    assert_eq!(spool.rejected().expect("counts"), 3);
}
