//! Primitives that no rates are measured of, by the host's cores alone: beside the device, whose tests are beside std.

use std::{fs::File, os::unix::fs::FileExt};

use kerncast_primitives::{
    Cancel, Npy, Number, Options, Side, Sink, Source, StreamError, Streamer, Type,
};

use crate::{device, numbers, streamer};

/// None, one, what a thread takes at once ± 1, and more.
const LENGTHS: [usize; 6] = [0, 1, (1 << 16) - 1, 1 << 16, (1 << 16) + 1, 200_003];

fn cores() -> Streamer {
    let mut streamer = streamer();
    streamer.leave_to_cores(true);
    streamer
}

fn bytes<T: Number>(all: &[T]) -> &[u8] {
    bytemuck::cast_slice(all)
}

/// All of them, of elements made from numbers without a pattern.
fn check<T: Number>(length: usize, made: impl Fn(u64) -> T) {
    let (mut by_cores, mut device) = (cores(), streamer());
    let data: Vec<T> = numbers(length).map(&made).collect();
    let both = [&mut by_cores, &mut device];
    let [here, there] = both.map(|it| all_of(it, &data));
    assert_eq!(by_cores.compiled(), 0, "nothing is the device's");
    for (here, there) in here.iter().zip(&there) {
        assert!(here.1 == there.1, "{} of {length} {:?}", here.0, T::TYPE);
    }
}

/// What comes of each, by name.
fn all_of<T: Number>(streamer: &mut Streamer, data: &[T]) -> Vec<(&'static str, Vec<u8>)> {
    let length = data.len();
    let mut done = Vec::new();
    let mut sorted = data.to_vec();
    sorted.sort_by_key(|it| it.order());
    let mut out = vec![T::zeroed(); length];

    for k in [0, 1, 1000].into_iter().filter(|it| *it <= length) {
        let report = streamer.top_k(Source::slice(data), Sink::slice(&mut out[..k]));
        let report = report.expect("the greatest");
        assert_eq!(report.elements, length as u64);
        done.push(("top_k", bytes(&out[..k]).to_vec()));
    }
    let ends = [0, length / 3, length / 3, length / 3 + length / 2, length];
    let mut offsets: Vec<u64> = ends.map(|it| it as u64).to_vec();
    offsets.extend((0..300).map(|it| (it * it).min(length) as u64));
    offsets.sort_unstable();
    let report = streamer.segmented_sort(Source::slice(data), &offsets, Sink::slice(&mut out));
    report.expect("sorted");
    done.push(("segmented_sort", bytes(&out).to_vec()));

    let (one, other) = (&sorted[..length / 5], &sorted[length / 5..]);
    let both = [Source::slice(one), Source::slice(other)];
    let [a, b] = both;
    streamer.merge(a, b, Sink::slice(&mut out)).expect("merged");
    done.push(("merge", bytes(&out).to_vec()));
    let some: Vec<T> = sorted.iter().copied().step_by(3).collect();
    let both = [Source::slice(&some), Source::slice(&sorted)];
    let mut twice = vec![T::zeroed(); length + some.len()];
    let [a, b] = both;
    streamer
        .merge(a, b, Sink::slice(&mut twice))
        .expect("merged");
    done.push(("merge", bytes(&twice).to_vec()));

    for side in [Side::Lower, Side::Upper] {
        let mut places = vec![0_u64; length];
        let [needles, table] = [Source::slice(data), Source::slice(&some)];
        let report = streamer.sorted_search(needles, table, side, Sink::slice(&mut places));
        report.expect("found");
        done.push(("sorted_search", bytes(&places).to_vec()));
    }

    let index: Vec<u64> = numbers(2 * length).map(|it| it % length as u64).collect();
    let narrow: Vec<u32> = index.iter().map(|it| *it as u32).collect();
    for index in [Source::slice(&index), Source::slice(&narrow)] {
        let mut out = vec![T::zeroed(); 2 * length];
        let report = streamer.gather(index, Source::slice(data), Sink::slice(&mut out));
        report.expect("gathered");
        done.push(("gather", bytes(&out).to_vec()));
    }

    let runs: Vec<T> = (0..length).map(|it| sorted[it / 7 * 7]).collect();
    for data in [&runs[..], data] {
        let mut out = Vec::new();
        let into = &mut out;
        let (count, _) = streamer
            .unique(Source::slice(data), |count| {
                into.resize(count as usize, T::zeroed());
                Ok(Sink::slice(into))
            })
            .expect("unique");
        assert_eq!(count as usize, out.len());
        done.push(("unique", bytes(&out).to_vec()));
    }

    // Of equal keys the first counts.
    let values: Vec<u16> = numbers(length).map(|it| it as u16).collect();
    let asked: Vec<T> = runs.iter().chain(data).copied().collect();
    for keys in [&sorted[..], &sorted[..length / 2]] {
        let mut out = vec![0_u16; asked.len()];
        let values = Source::slice(&values[..keys.len()]);
        let [keys, asked] = [keys, &asked].map(Source::slice);
        let report = streamer.look_up(keys, values, asked, 7_u16, Sink::slice(&mut out));
        report.expect("looked up");
        done.push(("look_up", bytes(&out).to_vec()));
    }

    // Even ones, and ones that lie close together at one end.
    let mut edges: Vec<T> = some.iter().copied().step_by(some.len() / 100 + 1).collect();
    edges.retain(|it| !is_nan(*it));
    edges.dedup_by_key(|it| it.order());
    if edges.len() > 40 {
        for edges in [&edges[..], &edges[..5], &edges[30..34]] {
            let counted = streamer.histogram(Source::slice(data), edges);
            done.push(("histogram", bytes(&counted.expect("counted").0).to_vec()));
        }
    }
    done
}

fn is_nan<T: Number>(number: T) -> bool {
    #[expect(clippy::eq_op, reason = "NaN alone differs from itself")]
    let is = number != number;
    is
}

#[test]
fn cores_answer_what_the_device_does() {
    for length in LENGTHS {
        check(length, |it| (it >> 32) as u32);
    }
    const MANY: usize = 70_001;
    check(MANY, |it| (it >> 50) as i8);
    check(MANY, |it| (it >> 50) as u16);
    check(MANY, |it| (it >> 30) as i64);
    check(MANY, |it| it << 40);
    // Any bits: NaN of both signs, infinities, subnormal numbers.
    check(MANY, |it| f32::from_bits((it >> 32) as u32));
    check(MANY, f64::from_bits);
    // Zeroes of both signs, and NaN.
    check(MANY, |it| {
        [0.0, -0.0, f64::NAN, -f64::NAN, 1.0][it as usize % 5]
    });
}

/// As `length` elements of `T` behind 3 bytes.
fn file_of<T: Number>(data: &[T]) -> File {
    let file = tempfile::tempfile().expect("a file");
    file.write_all_at(bytes(data), 3).expect("written");
    file
}

#[test]
fn files_and_memory_that_begins_anywhere_are_read() {
    const MANY: usize = 1_200_000;
    let data: Vec<u64> = numbers(MANY).collect();
    let mut expected = data.clone();
    expected.sort_unstable_by(|a, b| b.cmp(a));
    let mut streamer = cores();
    let (from, to) = (file_of(&data), tempfile::tempfile().expect("a file"));
    let from = Source::file(&from, 3, Type::U64, MANY as u64);
    let sink = Sink::file(&to, 5, Type::U64, MANY as u64);
    assert!(streamer.top_k(from, sink).expect("sorted").by_cores);
    let mut back = vec![0_u64; MANY];
    to.read_exact_at(bytemuck::cast_slice_mut(&mut back), 5)
        .expect("read");
    assert!(back == expected);

    let mut pinned = streamer.pinned(8 * MANY + 1).expect("pinned");
    pinned[1..].copy_from_slice(bytes(&data));
    let mut parts = pinned.parts([1, 8 * MANY]);
    let from = Source::pinned::<u64>(&mut parts[1]);
    let report = streamer.top_k(from, Sink::slice(&mut back));
    assert!(report.expect("sorted").by_cores && back == expected);
    // Shorter than it is said to be.
    let short = file_of(&data[1..]);
    let from = Source::file(&short, 3, Type::U64, MANY as u64);
    let refused = streamer.top_k(from, Sink::slice(&mut back));
    assert!(matches!(refused, Err(StreamError::File { .. })));
}

#[test]
fn what_is_wrong_leaves_the_output_and_nobody_waits_for_what_is_cancelled() {
    let mut streamer = cores();
    let mut index = vec![0_u32; 100_000];
    index[70_001] = 3;
    let mut out = vec![9_u32; index.len()];
    let (from, to) = (Source::slice(&[1_u32, 2, 3]), Sink::slice(&mut out));
    let refused = streamer.gather(Source::slice(&index), from, to);
    let refused = refused.expect_err("beyond");
    assert!(
        matches!(
            refused,
            StreamError::Index {
                place: 70_001,
                of: "values",
                length: 3
            }
        ),
        "{refused}"
    );
    assert!(out.iter().all(|it| *it == 9));
    let edges = [f64::NAN, 1.0];
    let refused = streamer.histogram(Source::slice(&[0.5]), &edges);
    assert!(matches!(refused, Err(StreamError::Shape { .. })));
    let mut two = [0_u8; 2];
    let refused = streamer.unique(Source::slice(&[1_u8, 1]), |_| Ok(Sink::slice(&mut two)));
    assert!(matches!(refused, Err(StreamError::Shape { .. })), "one run");

    let cancel = Cancel::default();
    cancel.cancel();
    streamer.cancel_with(cancel);
    let done = streamer.sorted_search(
        Source::slice(&[1_u32]),
        Source::slice(&[1_u32]),
        Side::Lower,
        Sink::slice(&mut [0_u64]),
    );
    assert!(matches!(done, Err(StreamError::Cancelled)));
}

#[test]
fn bins_have_zeroes_of_both_signs_and_no_nan() {
    let data: Vec<f64> = numbers(70_001)
        .map(|it| [0.0, -0.0, f64::NAN, -f64::NAN, 1.0, -1.0][it as usize % 6])
        .collect();
    let at = |from: f64, to: f64| data.iter().filter(|it| (from..to).contains(*it)).count() as u64;
    let ones = data.iter().filter(|it| **it > 0.5).count() as u64;
    for mut streamer in [cores(), streamer()] {
        for zero in [0.0, -0.0] {
            let counted = streamer.histogram(Source::slice(&data), &[-1.0, zero, 1.0]);
            let (counts, _) = counted.expect("counted");
            assert_eq!(counts, [at(-1.0, 0.0), at(0.0, 1.0) + ones]);
        }
    }
}

#[test]
fn very_many_bins_are_the_devices() {
    let edges: Vec<u32> = (0..70_000).collect();
    let data: Vec<u32> = numbers(100_000).map(|it| (it >> 48) as u32).collect();
    let mut streamer = Streamer::new(device(), Options::new(8 << 20)).expect("a streamer");
    streamer.leave_to_cores(true);
    let counted = streamer.histogram(Source::slice(&data), &edges);
    let (counts, report) = counted.expect("counted");
    assert!(!report.by_cores, "each thread would have its own");
    let inside = data.iter().filter(|it| **it < 70_000).count() as u64;
    assert_eq!(counts.iter().sum::<u64>(), inside);
}

#[test]
fn of_keys_that_are_there_often_the_first_counts() {
    let keys: Vec<u8> = numbers(1_000_000).map(|it| it as u8).collect();
    let values: Vec<u32> = (0..1_000_000).collect();
    let asked: Vec<u8> = (0..=255).collect();
    let mut out = vec![0_u32; asked.len()];
    let [keys_in, asked_in] = [&keys, &asked].map(|it| Source::slice(it));
    let report = cores().look_up(
        keys_in,
        Source::slice(&values),
        asked_in,
        u32::MAX,
        Sink::slice(&mut out),
    );
    assert!(report.expect("looked up").by_cores);
    for (key, first) in asked.iter().zip(out) {
        let at = keys.iter().position(|it| it == key).expect("there");
        assert_eq!(first as usize, at, "{key}");
    }
}

#[test]
fn a_plan_of_theirs_has_no_trips() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("it.npy");
    Npy::create(&path, Type::U32, 1000).expect("made");
    let file = Npy::open(&path).expect("there");
    let mut room = vec![0_u32; 1000];
    let mut asked = None;
    let explained = cores().explain(|it| {
        let done = it.unique(file.source(), |count| {
            asked = Some(count);
            Ok(Sink::slice(&mut room))
        });
        Ok(done?.1)
    });
    let explained = explained.expect("explained");
    assert!(explained.by_cores && explained.trips.is_empty());
    assert_eq!(asked, Some(1000));
    assert!(room.iter().all(|it| *it == 0));
}
