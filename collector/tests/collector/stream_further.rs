//! `kerncast stream` of the primitives that have arrays or numbers of their own besides, on the first device.

use std::{fs, path::PathBuf};

use crate::common::{
    Place, expect_exit,
    npy::{self, read},
    text,
};
use kerncast_primitives::{Npy, Number, Type};
use serde_json::Value;

const MANY: u32 = 200_001;

/// A file of these numbers.
fn write<T: Number>(place: &Place, name: &str, data: &[T]) -> String {
    let path = place.path(name);
    npy::write(&path, data);
    path.to_str().expect("UTF-8").to_owned()
}

fn numbers() -> Vec<u32> {
    (0..MANY).map(|it| it.wrapping_mul(2_654_435_761)).collect()
}

fn answer(place: &Place, arguments: &[&str]) -> Value {
    let memory = ["--device-memory", "1MiB", "--json"];
    let asked = [&["stream"], arguments, &memory].concat();
    let output = expect_exit(place.kerncast(&asked), 0);
    serde_json::from_slice(&output.stdout).expect("JSON alone on stdout")
}

fn out(place: &Place) -> (PathBuf, String) {
    let path = place.path("out.npy");
    let _ = fs::remove_file(&path);
    let text = path.to_str().expect("UTF-8").to_owned();
    (path, text)
}

#[test]
fn one_array_through_the_device() {
    let place = Place::new();
    let data = numbers();
    let from = write(&place, "from.npy", &data);

    let (path, to) = out(&place);
    let range = ["--bins", "5", "--range", "0, 1000000000"];
    answer(&place, &[&["histogram", &from, &to], &range[..]].concat());
    let counts = read::<u64>(&path);
    let expected = (0..5_u32).map(|bin| {
        let (low, last) = (bin * 200_000_000, bin == 4);
        let its =
            |it: &&u32| **it >= low && (**it < low + 200_000_000 || last && **it <= 1_000_000_000);
        data.iter().filter(its).count() as u64
    });
    assert!(expected.eq(counts));

    // All numbers that the type has.
    let bytes: Vec<u8> = data.iter().map(|it| it.to_le_bytes()[1]).collect();
    let of_bytes = write(&place, "bytes.npy", &bytes);
    let (path, to) = out(&place);
    let range = ["--bins", "256", "--range", "0,256"];
    answer(
        &place,
        &[&["histogram", &of_bytes, &to], &range[..]].concat(),
    );
    let expected = (0..=255).map(|it| bytes.iter().filter(|other| **other == it).count() as u64);
    assert!(expected.eq(read::<u64>(&path)));

    let (path, to) = out(&place);
    answer(&place, &["top_k", &from, &to, "--k", "1000"]);
    let mut sorted = data.clone();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    assert!(read::<u32>(&path) == sorted[..1000]);

    let (path, to) = out(&place);
    let ends: Vec<u32> = (0..MANY).step_by(777).chain([MANY]).collect();
    let offsets = write(&place, "offsets.npy", &ends);
    answer(
        &place,
        &["segmented_sort", &from, &to, "--offsets", &offsets],
    );
    let mut segments = data.clone();
    segments.chunks_mut(777).for_each(<[u32]>::sort_unstable);
    assert!(read::<u32>(&path) == segments);

    let runs: Vec<u32> = (0..MANY).map(|it| it / 5).collect();
    let keys = write(&place, "runs.npy", &runs);
    let (path, to) = out(&place);
    answer(&place, &["unique", &keys, &to]);
    assert!(read::<u32>(&path).into_iter().eq(0..MANY.div_ceil(5)));
}

#[test]
fn two_arrays_through_the_device() {
    let place = Place::new();
    let data = numbers();
    let from = write(&place, "from.npy", &data);
    let mut sorted = data.clone();
    sorted.sort_unstable();
    let ascending = write(&place, "sorted.npy", &sorted);

    let index: Vec<u64> = (0..u64::from(MANY)).rev().step_by(2).collect();
    let places = write(&place, "places.npy", &index);
    let (path, to) = out(&place);
    answer(&place, &["gather", &from, &to, "--index", &places]);
    assert!(read::<u32>(&path).iter().eq(data.iter().rev().step_by(2)));

    let (path, to) = out(&place);
    answer(&place, &["merge", &ascending, &to, "--with", &ascending]);
    let twice = sorted.iter().flat_map(|it| [*it, *it]);
    assert!(read::<u32>(&path).into_iter().eq(twice));

    for (side, equal) in [("lower", 0), ("upper", 1)] {
        let (path, to) = out(&place);
        let side = ["--sorted", &ascending, "--side", side];
        answer(
            &place,
            &[&["sorted_search", &ascending, &to], &side[..]].concat(),
        );
        assert!(
            read::<u64>(&path)
                .into_iter()
                .eq(equal..u64::from(MANY) + equal)
        );
    }

    let values: Vec<i64> = (0..i64::from(MANY)).map(|it| -it).collect();
    let values = write(&place, "values.npy", &values);
    let asked: Vec<u32> = data.iter().step_by(3).flat_map(|it| [*it, 3]).collect();
    let asked = write(&place, "asked.npy", &asked);
    let (path, to) = out(&place);
    let of = [
        "--keys",
        &from,
        "--values",
        &values,
        "--missing",
        "-1234567",
    ];
    answer(&place, &[&["look_up", &asked, &to], &of[..]].concat());
    // No number is 3.
    let expected = (0..i64::from(MANY)).step_by(3);
    let expected = expected.flat_map(|it| [-it, -1_234_567]);
    assert!(read::<i64>(&path).into_iter().eq(expected));

    let runs: Vec<i16> = (0..MANY)
        .map(|it| i16::try_from(it / 777).expect("small"))
        .collect();
    let keys = write(&place, "keys.npy", &runs);
    let (path, to) = out(&place);
    let each = place.path("each.npy");
    let keys_out = each.to_str().expect("UTF-8");
    let more = ["--keys", &keys, "--keys-out", keys_out, "--op", "max(a, b)"];
    answer(
        &place,
        &[&["reduce_by_key", &from, &to], &more[..]].concat(),
    );
    assert!(read::<i16>(&each).into_iter().eq(0..=runs[runs.len() - 1]));
    let most = data.chunks(777).map(|it| *it.iter().max().expect("some"));
    assert!(read::<u32>(&path).into_iter().eq(most));
}

#[test]
fn the_first_elements_say_whose_the_rest_is() {
    let place = Place::new();
    // Over four times as many as are tried.
    const MANY: u32 = (1 << 22) + 1;
    let runs: Vec<u32> = (0..MANY).map(|it| it / 5).collect();
    let from = write(&place, "runs.npy", &runs);
    for more in [&[][..], &["--on-device"]] {
        let (path, to) = out(&place);
        let told = answer(&place, &[&["unique", &from, &to], more].concat());
        let trips = told["report"]["trips"].as_array().expect("trips").len();
        let by_cores = told["report"]["by_cores"] == true;
        assert_eq!(trips, if by_cores { 0 } else { 2 }, "{told}");
        assert!(!by_cores || more.is_empty(), "{told}");
        assert!(read::<u32>(&path).into_iter().eq(0..MANY.div_ceil(5)));
    }
}

#[test]
fn what_the_cores_do_ten_times_as_fast_is_theirs() {
    let place = Place::new();
    const MANY: u32 = (1 << 22) + 1;
    let data: Vec<u32> = (0..MANY).rev().collect();
    let from = write(&place, "from.npy", &data);
    let each: Vec<u64> = (0..=u64::from(MANY)).step_by(1 << 20).collect();
    let each = [&each[..], &[u64::from(MANY)]].concat();
    let each = write(&place, "each.npy", &each);
    // Where others have all cores for a moment, a trial says little.
    let is_theirs = (0..3).any(|_| {
        let (path, to) = out(&place);
        let told = answer(&place, &["segmented_sort", &from, &to, "--offsets", &each]);
        let sorted = data.chunks(1 << 20).flat_map(|it| it.iter().rev());
        assert!(read::<u32>(&path).iter().eq(sorted));
        told["report"]["by_cores"] == true
    });
    assert!(is_theirs);
}

#[test]
fn plans_are_told_and_nothing_is_made() {
    let place = Place::new();
    crate::common::keep_rates(&place);
    let data = numbers();
    let from = write(&place, "from.npy", &data);
    let of = ["--values", &from, "--missing", "0"];
    for (more, trips, is_forecast) in [
        (
            vec!["histogram", &from, "--bins", "9", "--range", "0,90"],
            1,
            true,
        ),
        (vec!["unique", &from], 2, true),
        (vec!["merge", &from, "--with", &from], 1, true),
        (vec!["top_k", &from, "--k", "10"], 1, true),
        (vec!["reduce_by_key", &from, "--keys", &from], 2, true),
        (vec!["sorted_search", &from, "--sorted", &from], 2, false),
        (
            [&["look_up", &from[..], "--keys", &from], &of[..]].concat(),
            5,
            false,
        ),
    ] {
        let told = answer(&place, &[&more[..], &["--explain"]].concat());
        let its = told["trips"].as_array().expect("trips");
        assert!(its.len() >= trips, "{more:?}: {told}");
        assert!(
            its.iter().all(|it| it["plan"]["chunks"].as_u64() > Some(0)),
            "{told}"
        );
        let forecast = told["trips_s"].as_f64().is_some_and(|it| it > 0.0);
        assert_eq!(forecast, is_forecast, "{more:?}: {told}");
        // The first device is this machine's processor.
        let is_compared = told["cores_s"].as_f64().is_some_and(|it| it > 0.0);
        assert_eq!(is_compared, more[0] != "reduce_by_key", "{told}");
        let told = answer(&place, &[&more[..], &["--explain", "--on-device"]].concat());
        assert!(
            told["cores_s"].is_null() && told["by_cores"] == false,
            "{told}"
        );
    }
    assert_eq!(made(&place), ["from.npy"]);
}

/// Arrays, and what was to become one.
fn made(place: &Place) -> Vec<String> {
    let entries = fs::read_dir(place.path("")).expect("the folder");
    let names = entries.map(|it| {
        it.expect("an entry")
            .file_name()
            .into_string()
            .expect("UTF-8")
    });
    let its = |it: &String| it.ends_with(".npy") || it.starts_with(".kerncast");
    let mut names: Vec<String> = names.filter(its).collect();
    names.sort();
    names
}

#[test]
fn mistakes_are_told_and_leave_nothing() {
    let place = Place::new();
    let from = write(&place, "from.npy", &numbers());
    let floats = write(&place, "floats.npy", &[1.0_f32, 2.0]);
    let few = write(&place, "few.npy", &[0_u32, 7]);
    let (path, to) = out(&place);
    let [from, to, few, floats] = [&from, &to, &few, &floats].map(String::as_str);
    let of_floats = ["--values", floats, "--missing", "three"];
    let of_few = ["--values", few, "--missing", "3"];
    for (arguments, words) in [
        (
            vec!["histogram", from, to, "--bins", "3"],
            "--range is missing; histogram needs it",
        ),
        (
            vec!["histogram", from, to, "--bins", "3", "--range", "5,x"],
            "expected two integers from 0 to 4294967296",
        ),
        (
            vec!["histogram", from, to, "--bins", "3", "--range", "5,5"],
            "the first one less",
        ),
        (
            vec!["histogram", from, to, "--bins", "30", "--range", "5,9"],
            "--bins 30: 5,9 has fewer numbers; expected fewer bins (IN has u32)",
        ),
        (
            vec!["histogram", floats, to, "--bins", "3", "--range", "NaN,9"],
            "expected two numbers, the first one less",
        ),
        (
            vec!["unique", from],
            "OUT is missing; expected the file that unique is to make",
        ),
        (
            vec!["unique", from, from],
            "is there already; expected a new file",
        ),
        (
            vec!["unique", from, to, "--k", "3"],
            "--k is of top_k alone; unique has no use for it",
        ),
        (
            vec!["sort", from, to, "--bins", "3"],
            "--bins is of histogram alone; sort",
        ),
        (
            vec!["merge", from, to, "--with", few, "--index", few],
            "--index is of scatter and gather alone",
        ),
        (
            vec!["merge", from, to, "--with", floats],
            "elements of f32; expected u32, as",
        ),
        (
            [&["look_up", few, to, "--keys", floats], &of_floats[..]].concat(),
            "elements of f32; expected u32, as",
        ),
        (
            vec!["merge", from, to, "--with", few, "--op", "a"],
            "merge has no operation",
        ),
        (
            vec!["gather", few, to, "--index", from],
            "beyond the values, which has 2 elements",
        ),
        (
            vec!["unique", few, to, "--devices", "0,0"],
            "unique goes through one device",
        ),
        (
            vec!["top_k", few, to, "--k", "3"],
            "IN has 2 elements; expected no more",
        ),
        (
            vec!["segmented_sort", few, to, "--offsets", floats],
            "expected u32 or u64",
        ),
        (
            vec!["segmented_sort", few, to, "--offsets", few],
            "7 in the last place; expected from 0 to 2",
        ),
        (
            vec!["reduce_by_key", few, to, "--keys", few],
            "--keys-out is missing",
        ),
        (
            vec!["reduce_by_key", few, to, "--keys", few, "--keys-out", to],
            "--keys-out is OUT",
        ),
        (
            vec!["look_up", few, to, "--keys", few, "--missing", "3"],
            "--values is missing; look_up needs it",
        ),
        (
            vec!["merge", from, to, "--with", few, "--keys", few],
            "--keys is of reduce_by_key and look_up alone; merge",
        ),
        (
            [&["look_up", few, to, "--keys", few], &of_floats[..]].concat(),
            "--missing \"three\": expected a number of type f32",
        ),
        (
            [&["look_up", floats, to, "--keys", few], &of_few[..]].concat(),
            "elements of u32; expected f32, as",
        ),
        (
            vec!["sorted_search", "lost.npy", few, "--sorted", "gone.npy"],
            "reading gone.npy",
        ),
    ] {
        let asked = [&["stream"], &arguments[..]].concat();
        let said = text(&expect_exit(place.kerncast(&asked), 2).stderr);
        assert!(said.contains(words), "{arguments:?}: {said}");
        assert!(!path.exists(), "{arguments:?}");
    }
    assert_eq!(made(&place), ["few.npy", "floats.npy", "from.npy"]);
    let none = Npy::create(&place.path("none.npy"), Type::U32, 0).map(drop);
    none.expect("a file");
    let none = place.path("none.npy");
    answer(&place, &["unique", none.to_str().expect("UTF-8"), to]);
    assert!(read::<u32>(&path).is_empty());
}
