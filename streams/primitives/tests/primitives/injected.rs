//! Calls of the driver that fail in the middle: a layer of the OpenCL loader has one of them fail.

use std::{env, fs, panic, path::Path, process::Command};

use kerncast_primitives::{Operation, Sink, Source, StreamError, Streamer};

use crate::{mapped, numbers, streamer};

/// The file that says which call fails.
const FAILING: &str = "KERNCAST_FAILING";

/// Calls that allocate, build, move data either way, launch, map, or learn of a failure by waiting.
const CALLS: [&str; 8] = [
    "clCreateBuffer",
    "clBuildProgram",
    "clCreateKernel",
    "clEnqueueWriteBuffer",
    "clEnqueueReadBuffer",
    "clEnqueueNDRangeKernel",
    "clEnqueueMapBuffer",
    "clWaitForEvents",
];

const MANY: usize = 100_000;

/// The layer is asked for before the loader is there, so in a process of its own.
#[test]
fn whichever_call_fails_the_error_is_told_and_the_next_call_works() {
    let folder = tempfile::tempdir().expect("a folder");
    let layer = folder.path().join("libfailing.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/layer/failing.c");
    let compiled = Command::new("cc")
        .args(["-std=gnu11", "-shared", "-fPIC", "-pthread", "-o"])
        .args([&layer, Path::new(source)])
        .status();
    assert!(
        compiled.expect("cc is there").success(),
        "Debian's opencl-c-headers has what the layer includes"
    );
    let output = Command::new(env::current_exe().expect("this"))
        .args([
            "--exact",
            "injected::each_call_fails_once",
            "--ignored",
            "--nocapture",
        ])
        .env("OPENCL_LAYERS", &layer)
        .env(FAILING, folder.path().join("failing"))
        .output()
        .expect("run");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
}

#[test]
#[ignore = "needs the layer, with which the test above runs it"]
fn each_call_fails_once() {
    let failing = env::var_os(FAILING).expect("the test above says it");
    let failing = Path::new(&failing);
    let streamers: [(fn() -> Streamer, u32); 3] = [(streamer, 0), (streamer, 5), (mapped, 0)];
    let mut failed = [0; CALLS.len()];
    for (at, call) in CALLS.iter().enumerate() {
        for (make, which) in streamers {
            for (name, work) in works() {
                let mut streamer = make();
                let (case, file) = (format!("{name}, {call} {which}"), failing);
                fs::write(file, format!("{call} {which}")).expect("written");
                let first = work(&mut streamer);
                // It is removed by the call that fails.
                let was_called = !file.exists();
                let _ = fs::remove_file(file);
                if let Err(why) = first {
                    assert!(was_called, "{case}: {why}");
                    // The driver's own word.
                    assert!(why.to_string().contains("CL_"), "{case}: {why}");
                    failed[at] += 1;
                }
                work(&mut streamer).unwrap_or_else(|why| panic!("{case}, then {why}"));
            }
        }
    }
    for (call, failed) in CALLS.iter().zip(failed) {
        eprintln!("{call}: {failed}");
        // With less memory a stream goes on in shorter chunks.
        assert!(
            failed > 0 || *call == "clCreateBuffer",
            "{call} never failed"
        );
    }
}

type Work = fn(&mut Streamer) -> Result<(), StreamError>;

/// Each checks what comes out, and on an error what its documentation says of the arrays.
fn works() -> [(&'static str, Work); 6] {
    [
        ("transform", transform),
        ("reduce", reduce),
        ("scan", scan),
        ("sort", |it| sort(it, MANY)),
        // Two trips.
        ("sort of runs", |it| sort(it, 2 * MANY)),
        ("scatter", scatter),
    ]
}

/// From pinned memory, which is the caller's again in any case: looking at it panics where a part is still on its way.
fn transform(streamer: &mut Streamer) -> Result<(), StreamError> {
    let mut from = streamer.pinned(4 * MANY)?;
    from.fill(1);
    let mut to = vec![0_u32; MANY];
    let double = Operation::new("return 2 * x;");
    let report = streamer.transform(
        &double,
        vec![Source::pinned::<u32>(&mut from)],
        Sink::slice(&mut to),
    );
    assert!(from.iter().all(|it| *it == 1), "the input is as it was");
    report?;
    assert!(to.iter().all(|it| *it == 0x0202_0202));
    Ok(())
}

fn data() -> Vec<u32> {
    numbers(MANY).map(|it| (it >> 40) as u32).collect()
}

fn reduce(streamer: &mut Streamer) -> Result<(), StreamError> {
    let data = data();
    let most = Operation::new("return max(a, b);");
    let (largest, _) = streamer.reduce::<u32>(&most, Source::slice(&data))?;
    assert_eq!(largest, data.iter().copied().max());
    Ok(())
}

fn scan(streamer: &mut Streamer) -> Result<(), StreamError> {
    let data = data();
    let mut to = vec![0_u32; MANY];
    let most = Operation::new("return max(a, b);");
    streamer.scan(&most, Source::slice(&data), Sink::slice(&mut to))?;
    let expected = data.iter().scan(0, |most, it| {
        *most = (*most).max(*it);
        Some(*most)
    });
    assert!(to.iter().copied().eq(expected));
    Ok(())
}

/// From pinned memory, as [`transform`].
fn sort(streamer: &mut Streamer, length: usize) -> Result<(), StreamError> {
    let data: Vec<u32> = numbers(length).map(|it| (it >> 40) as u32).collect();
    let mut from = streamer.pinned(4 * length)?;
    from.copy_from_slice(bytemuck::cast_slice(&data));
    let mut to = vec![0_u32; length];
    let report = streamer.sort(Source::pinned::<u32>(&mut from), Sink::slice(&mut to));
    let input: &[u32] = bytemuck::cast_slice(&from);
    assert!(input == data, "the input is as it was");
    report?;
    let mut expected = data;
    expected.sort_unstable();
    assert!(to == expected);
    Ok(())
}

fn scatter(streamer: &mut Streamer) -> Result<(), StreamError> {
    let data = data();
    let index: Vec<u32> = (0..MANY as u32).rev().collect();
    let mut to = vec![0_u32; MANY];
    streamer.scatter(
        Source::slice(&index),
        Source::slice(&data),
        Sink::slice(&mut to),
    )?;
    assert!(to.iter().eq(data.iter().rev()));
    Ok(())
}
