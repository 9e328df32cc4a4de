//! `kerncast stream` and `kerncast offload`, on the first device.

use std::{
    fs,
    path::PathBuf,
    process::Stdio,
    thread,
    time::{Duration, SystemTime},
};

use crate::common::{
    Place, expect_exit, keep_rates,
    npy::{read, write},
    text,
};
use kerncast_primitives::{ElementType, Npy};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

const MANY: u32 = 300_001;

fn numbers() -> Vec<u32> {
    (0..MANY).map(|it| it.wrapping_mul(2_654_435_761)).collect()
}

fn answer(place: &Place, arguments: &[&str]) -> Value {
    let output = expect_exit(place.kerncast(arguments), 0);
    serde_json::from_slice(&output.stdout).expect("JSON alone on stdout")
}

#[test]
fn files_go_through_the_device() {
    let place = Place::new();
    let (from, to) = (place.path("from.npy"), place.path("to.npy"));
    let data = numbers();
    write(&from, &data);
    let [from, to_] = [&from, &to].map(|it| it.to_str().expect("UTF-8"));
    let memory = ["--device-memory", "1MiB", "--json"];

    let sorted = answer(
        &place,
        &[&["stream", "sort", from, to_], &memory[..]].concat(),
    );
    assert_eq!(sorted["report"]["trips"].as_array().map(Vec::len), Some(2));
    let mut expected = data.clone();
    expected.sort_unstable();
    assert!(read::<u32>(&to) == expected);
    fs::remove_file(&to).expect("removed");

    let op = ["--op", "3 * x + (uint)i"];
    answer(
        &place,
        &[&["stream", "transform", from, to_], &op[..], &memory].concat(),
    );
    let tripled = data
        .iter()
        .zip(0_u32..)
        .map(|(x, i)| x.wrapping_mul(3).wrapping_add(i));
    assert!(read::<u32>(&to).into_iter().eq(tripled));
    fs::remove_file(&to).expect("removed");

    answer(
        &place,
        &[&["stream", "scan", from, to_], &memory[..]].concat(),
    );
    let sums = data.iter().scan(0_u32, |sum, it| {
        *sum = sum.wrapping_add(*it);
        Some(*sum)
    });
    assert!(read::<u32>(&to).into_iter().eq(sums));

    let op = ["--op", "return max(a, b);"];
    let most = answer(
        &place,
        &[&["stream", "reduce", from], &op[..], &memory].concat(),
    );
    assert_eq!(
        most["result"].as_u64(),
        data.iter().max().map(|&it| it.into())
    );

    let (places, out) = (place.path("places.npy"), place.path("out.npy"));
    write(&places, &(0..MANY).rev().collect::<Vec<_>>());
    let [places, out_] = [&places, &out].map(|it| it.to_str().expect("UTF-8"));
    let index = ["--index", places];
    answer(
        &place,
        &[&["stream", "scatter", from, out_], &index[..], &memory].concat(),
    );
    assert!(read::<u32>(&out).into_iter().rev().eq(data));
}

#[test]
fn a_signal_leaves_nothing_and_what_is_killed_leaves_nothing_for_long() {
    let place = Place::new();
    let from = place.path("from.npy");
    write(&from, &numbers());
    let to = place.path("to.npy");
    let [from, to_] = [&from, &to].map(|it| it.to_str().expect("UTF-8"));
    let forever = "for (int k = 0; k < 100000; ++k) x = x * x + 1;\nreturn x;";
    let command = [
        "stream",
        "transform",
        from,
        to_,
        "--op",
        forever,
        "--device-memory",
        "200KiB",
    ];
    let begun = || {
        let entries = fs::read_dir(place.path("")).expect("the folder");
        let paths = entries.map(|it| it.expect("an entry").path());
        paths.into_iter().find(|path| {
            let name = path.file_name().expect("a name");
            name.to_string_lossy().starts_with(".kerncast-stream-")
        })
    };
    let signalled = |signal| {
        let mut running = place.kerncast(&command);
        let running = running.stderr(Stdio::piped()).spawn().expect("a process");
        while begun().is_none() {
            thread::sleep(Duration::from_millis(5));
        }
        kill_process(Pid::from_child(&running), signal).expect("a signal");
        running.wait_with_output().expect("its end")
    };
    let ended = signalled(Signal::INT);
    let stderr = text(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("the stream was cancelled"), "{stderr}");
    assert!(begun().is_none() && !to.exists());

    let ended = signalled(Signal::KILL);
    assert_eq!(ended.status.code(), None);
    let abandoned = begun().expect("nobody could remove it");
    assert!(!to.exists());
    // The next stream does, once whoever made it would have locked it.
    let before = SystemTime::now() - Duration::from_secs(120);
    let folder = fs::File::open(&abandoned).expect("the folder");
    folder.set_modified(before).expect("its time");
    expect_exit(
        place.kerncast(&["stream", "transform", from, to_, "--op", "return x;"]),
        0,
    );
    assert!(begun().is_none() && read::<u32>(&to) == numbers());
}

#[test]
fn mistakes_are_told_and_leave_nothing() {
    let place = Place::new();
    let (from, to) = (place.path("from.npy"), place.path("to.npy"));
    write(&from, &numbers());
    let [from, to_] = [&from, &to].map(|it| it.to_str().expect("UTF-8"));
    for (arguments, words) in [
        (
            vec!["sort", from],
            "OUT is missing; expected the file that sort is to make",
        ),
        (
            vec!["sort", from, from],
            "is there already; expected a new file",
        ),
        (
            vec!["reduce", from, to_],
            "reduce makes no file; expected IN alone",
        ),
        (vec!["transform", from, to_], "--op is missing; expected"),
        (
            vec!["sort", from, to_, "--op", "a"],
            "sort has no operation",
        ),
        (vec!["scatter", from, to_], "--index is missing; expected"),
        (vec!["sort", to_, "new.npy"], "reading"),
        (
            vec!["transform", from, to_, "--op", "twise(x)"],
            "operation:1:",
        ),
        (
            vec!["scatter", from, to_, "--index", from],
            "beyond the output",
        ),
        (
            vec!["sort", from, to_, "--device-memory", "1KiB"],
            "bytes of device memory",
        ),
        (
            vec!["sort", from, to_, "--device-memory", "3GB"],
            "`3GB` is no size; expected as 3GiB",
        ),
        (
            vec!["sort", from, to_, "--device-memory", "999TiB"],
            "expected no more",
        ),
    ] {
        let command = [&["stream"], &arguments[..]].concat();
        let stderr = text(&expect_exit(place.kerncast(&command), 2).stderr);
        assert!(stderr.contains(words), "{arguments:?}: {stderr}");
        assert!(!to.exists(), "{arguments:?}");
    }
    let entries = fs::read_dir(place.path("")).expect("the folder");
    let unfinished = entries.filter(|it| {
        let name = it.as_ref().expect("an entry").file_name();
        name.to_string_lossy().starts_with(".kerncast")
    });
    assert_eq!(unfinished.count(), 0);
}

#[test]
fn plans_and_offers_are_told_before_anything_is_done() {
    let place = Place::new();
    keep_rates(&place);
    let from = place.path("from.npy");
    write(&from, &numbers());
    let from = from.to_str().expect("UTF-8");
    let memory = ["--device-memory", "1MiB", "--json"];
    let plan = answer(
        &place,
        &[&["stream", "sort", from, "--explain"], &memory[..]].concat(),
    );
    assert_eq!(plan["trips"].as_array().map(Vec::len), Some(2));
    assert!(
        plan["forecast_s"].as_f64().is_some_and(|it| it > 0.0),
        "{plan}"
    );
    assert!(plan["offload"]["fastest"].is_string());

    let ask = ["offload", "sort", "--type", "u32", "--bytes", "256KiB"];
    let offload = answer(&place, &[&ask[..], &memory].concat());
    let offers = offload["offers"].as_array().expect("offers");
    for by in ["device", "one_core", "all_cores"] {
        let its = offers.iter().find(|it| it["by"] == by).expect(by);
        let [low, high] = [0, 1].map(|end| its["interval_s"][end].as_f64().expect("an end"));
        let seconds = its["seconds"].as_f64().expect("a time");
        assert!(low <= seconds && seconds <= high, "{its}");
    }
    let output = expect_exit(place.kerncast(&ask), 0);
    assert!(text(&output.stdout).contains("fastest: "));
    for (further, words) in [
        (
            ["offload", "sort", "--type", "u32", "--bytes", "3"],
            "expected a multiple of 4",
        ),
        (
            ["offload", "sine", "--type", "u32", "--bytes", "4"],
            "expected f32 or f64",
        ),
        (
            ["offload", "sort", "--type", "u16", "--bytes", "4"],
            "possible values: u32, u64, f32, f64",
        ),
        (
            ["offload", "sort", "--type", "u32", "--bytes", "100PiB"],
            "expected at most 1PiB",
        ),
        (
            ["offload", "sort", "--type", "u32", "--bytes", "0"],
            "expected more than 0 bytes",
        ),
    ] {
        let stderr = text(&expect_exit(place.kerncast(&further), 2).stderr);
        assert!(stderr.contains(words), "{stderr}");
    }
}

#[test]
fn a_short_run_is_forecast_with_its_start_and_doubted() {
    let place = Place::new();
    keep_rates(&place);
    let from = place.path("from.npy");
    write(&from, &[3_u32; 1000]);
    let from = from.to_str().expect("UTF-8");
    let printed = text(&expect_exit(place.kerncast(&["stream", "reduce", from]), 0).stdout);
    for words in [
        "forecast: ",
        "of which ",
        " the start: programs ",
        "trust: ",
    ] {
        assert!(printed.contains(words), "{words}: {printed}");
    }
    // Nothing that was idle bounds it.
    assert!(
        printed.contains("of the time went to what each call takes"),
        "{printed}"
    );
    let answered = answer(&place, &["stream", "reduce", from, "--json"]);
    let forecast = &answered["forecast"];
    let [low, high] = [0, 1].map(|end| forecast["interval_s"][end].as_f64().expect("an end"));
    let seconds = forecast["forecast_s"].as_f64().expect("a time");
    assert!(low <= seconds && seconds <= high, "{forecast}");
    let start = forecast["start"]["seconds"].as_f64().expect("a start");
    let trips = forecast["trips_s"].as_f64().expect("trips");
    let stretch = forecast["stretch"].as_f64().expect("a factor");
    assert!(
        (stretch * (start + trips) - seconds).abs() < 1e-9,
        "{forecast}"
    );
    assert_eq!(answered["report"]["bound_by"], "fixed");

    // What each call takes is no device's speed.
    let ask = ["offload", "reduce", "--type", "u32", "--bytes", "1KiB"];
    let offload = answer(&place, &[&ask[..], &["--json"]].concat());
    assert_eq!(offload["would_change"][0]["by"], "fixed", "{offload}");
    let printed = text(&expect_exit(place.kerncast(&ask), 0).stdout);
    assert!(!printed.contains("faster device"), "{printed}");
    assert!(printed.contains("only longer arrays"), "{printed}");
}

/// The one file of runs.
fn runs_of(place: &Place) -> PathBuf {
    let kept = fs::read_dir(place.path("cache/kerncast/streams")).expect("a folder");
    let paths = kept.map(|it| it.expect("an entry").path());
    let runs = paths.filter(|it| it.to_string_lossy().ends_with(".runs.json"));
    let runs: Vec<PathBuf> = runs.collect();
    assert_eq!(runs.len(), 1, "{runs:?}");
    runs[0].clone()
}

#[test]
fn runs_are_kept_and_the_next_forecast_knows_of_them() {
    let place = Place::new();
    keep_rates(&place);
    let (from, to) = (place.path("from.npy"), place.path("to.npy"));
    // Longer than all that was checked.
    let data: Vec<u32> = (0..1 << 21).rev().collect();
    write(&from, &data);
    let [from, to_] = [&from, &to].map(|it| it.to_str().expect("UTF-8"));
    let scan = ["stream", "scan", from, to_, "--json"];
    let interval = || {
        let answered = answer(&place, &[&scan[..], &["--explain"]].concat());
        [0, 1].map(|end| answered["interval_s"][end].as_f64().expect("an interval"))
    };
    // Hardly any of these seconds are the trips'.
    let mut took: Vec<f64> = Vec::new();
    for _ in 0..3 {
        let outcome = answer(&place, &scan);
        fs::remove_file(&to).expect("removed");
        took.push(outcome["report"]["seconds"].as_f64().expect("seconds"));
    }
    let expected = interval();
    let is_within = |it: &f64| expected[0] / 1.01 < *it && *it < expected[1] * 1.01;
    assert!(took.iter().all(is_within), "{took:?} and {expected:?}");
    // Another operation's runs are kept, and no check of sums.
    answer(&place, &[&scan[..], &["--op", "max(a, b)"]].concat());
    fs::remove_file(&to).expect("removed");
    assert_eq!(interval().map(f64::to_bits), expected.map(f64::to_bits));

    // Without what can't be read the stream is done all the same.
    fs::write(runs_of(&place), "no JSON").expect("written");
    expect_exit(place.kerncast(&scan), 0);
}

#[test]
fn of_nothing_there_is_what_numpy_says() {
    let place = Place::new();
    keep_rates(&place);
    let (none, to) = (place.path("none.npy"), place.path("to.npy"));
    Npy::create(&none, ElementType::U32, 0).expect("a file");
    let [none, to_] = [&none, &to].map(|it| it.to_str().expect("UTF-8"));
    for (op, result) in [
        (vec![], 0),
        (vec!["--op", "a * b"], 1),
        (vec!["--op", "return b+a;"], 0),
    ] {
        let command = [&["stream", "reduce", none], &op[..]].concat();
        let printed = text(&expect_exit(place.kerncast(&command), 0).stdout);
        let expected = format!("{result}\n0 elements: nothing went through the device\n");
        assert_eq!(printed, expected);
        let answered = answer(&place, &[&command[..], &["--json"]].concat());
        assert_eq!(answered["result"], result);
    }
    let most = ["stream", "reduce", none, "--op", "max(a, b)"];
    let stderr = text(&expect_exit(place.kerncast(&most), 2).stderr);
    assert!(
        stderr.contains("of nothing `max(a, b)` is nothing"),
        "{stderr}"
    );
    expect_exit(place.kerncast(&["stream", "sort", none, to_]), 0);
    assert!(read::<u32>(&to).is_empty());
}

#[test]
fn all_files_at_fault_are_named() {
    let place = Place::new();
    let to = place.path("to.npy");
    fs::write(&to, "no array").expect("written");
    let to = to.to_str().expect("UTF-8");
    let command = ["stream", "scatter", "lost.npy", to, "--index", "gone.npy"];
    let stderr = text(&expect_exit(place.kerncast(&command), 2).stderr);
    for words in [
        "reading lost.npy",
        "reading gone.npy",
        "is there already; expected a new file",
    ] {
        assert!(stderr.contains(words), "{words}: {stderr}");
    }
}
