//! Calls that the host's cores do alone: beside std, and with the device's own bits.

use std::{fs::File, os::unix::fs::FileExt};

use kerncast_primitives::{
    Cancel, Number, Operation, Sink, Source, StreamError, Streamer, Type, Unnamed,
};
use proptest::prelude::*;

use crate::{numbers, streamer};

/// None, one, tile ± 1, and what a thread takes apart of a scatter at once ± 1.
const LENGTHS: [usize; 8] = [
    0,
    1,
    4095,
    4096,
    4097,
    (1 << 18) - 1,
    1 << 18,
    (1 << 18) + 1,
];
/// Of transforms and reductions, after which somebody may end them.
const CHUNK: usize = 1024 * 4096;

fn cores() -> Streamer {
    let mut streamer = streamer();
    streamer.leave_to_cores(true);
    streamer
}

/// In place, into another array, and part of pinned memory that begins anywhere.
fn check_sorts<T: Number>(data: &[T]) {
    let mut streamer = cores();
    let mut expected = data.to_vec();
    expected.sort_by_key(|it| it.order());
    let expected: &[u8] = bytemuck::cast_slice(&expected);
    let mut sorted = data.to_vec();
    let report = streamer
        .sort(Sink::slice(&mut sorted), None)
        .expect("sorted");
    assert!(report.by_cores && report.trips.is_empty() && report.bound_by.is_none());
    assert_eq!(report.elements, data.len() as u64);
    assert!(bytemuck::cast_slice::<T, u8>(&sorted) == expected);
    let mut sorted = data.to_vec();
    sorted.reverse();
    let to = Sink::slice(&mut sorted);
    streamer
        .sort_to(Source::slice(data), to, None)
        .expect("sorted");
    assert!(bytemuck::cast_slice::<T, u8>(&sorted) == expected);
    let bytes = expected.len();
    let mut pinned = streamer.pinned(bytes + 1).expect("pinned");
    pinned[1..].copy_from_slice(bytemuck::cast_slice(data));
    {
        let mut parts = pinned.parts([1, bytes]);
        let to = Sink::pinned::<T>(&mut parts[1]);
        assert!(streamer.sort(to, None).expect("sorted").by_cores);
    }
    assert!(pinned[1..] == *expected);
    assert_eq!(streamer.compiled(), 0, "nothing is the device's");
}

#[test]
fn sorts_are_those_of_std() {
    for length in LENGTHS {
        check_sorts(
            &numbers(length)
                .map(|it| (it >> 32) as u32)
                .collect::<Vec<_>>(),
        );
    }
    const MANY: usize = 100_000;
    check_sorts(&numbers(MANY).map(|it| (it >> 50) as i8).collect::<Vec<_>>());
    check_sorts(
        &numbers(MANY)
            .map(|it| (it >> 50) as u16)
            .collect::<Vec<_>>(),
    );
    check_sorts(
        &numbers(MANY)
            .map(|it| (it >> 30) as i64)
            .collect::<Vec<_>>(),
    );
    // Any bits: NaN of both signs, infinities, -0.
    let floats = numbers(MANY).map(|it| f32::from_bits((it >> 32) as u32));
    check_sorts(
        &floats
            .chain([0.0, -0.0, f32::NAN, -f32::NAN])
            .collect::<Vec<_>>(),
    );
    let floats = numbers(MANY).map(f64::from_bits);
    check_sorts(
        &floats
            .chain([0.0, -0.0, f64::NAN, -f64::NAN])
            .collect::<Vec<_>>(),
    );
}

#[test]
fn files_are_sorted_through_memory() {
    // More than a piece.
    const MANY: usize = 1_200_000;
    let data: Vec<u64> = numbers(MANY).collect();
    let mut expected = data.clone();
    expected.sort_unstable();
    let mut streamer = cores();
    let file = tempfile::tempfile().expect("a file");
    file.write_all_at(bytemuck::cast_slice(&data), 128)
        .expect("written");
    let of = |file: &File| {
        let mut back = vec![0_u64; MANY];
        let bytes = bytemuck::cast_slice_mut(&mut back);
        file.read_exact_at(bytes, 128).expect("read");
        back
    };
    let other = tempfile::tempfile().expect("a file");
    let before = streamer.moved().load(std::sync::atomic::Ordering::Relaxed);
    let from = Source::file(&file, 128, Type::U64, MANY as u64);
    let to = Sink::file(&other, 128, Type::U64, MANY as u64);
    let report = streamer.sort_to(from, to, None).expect("sorted");
    assert!(report.by_cores && of(&other) == expected && of(&file) == data);
    let moved = streamer.moved().load(std::sync::atomic::Ordering::Relaxed);
    assert_eq!(moved - before, 2 * 8 * MANY as u64, "there and back");
    let to = Sink::file(&file, 128, Type::U64, MANY as u64);
    assert!(streamer.sort(to, None).expect("sorted").by_cores);
    assert!(of(&file) == expected);
    // Shorter than it is said to be.
    let from = Source::file(&file, 129, Type::U64, MANY as u64);
    let mut out = vec![0_u64; MANY];
    let refused = streamer.sort_to(from, Sink::slice(&mut out), None);
    let refused = refused.expect_err("a byte is missing");
    assert!(matches!(refused, StreamError::File { .. }), "{refused}");
}

/// To places that all are named once, beside a scatter of std.
fn check_scatter<T: Number>(values: &[T], length: usize, unnamed: Unnamed) {
    let mut streamer = cores();
    let mut places: Vec<u64> = (0..length as u64).collect();
    for (at, number) in numbers(length).enumerate().skip(1) {
        places.swap(at, (number >> 20) as usize % (at + 1));
    }
    places.truncate(values.len());
    let mut out = vec![T::zeroed(); length];
    let pattern: &mut [u8] = bytemuck::cast_slice_mut(&mut out);
    pattern.fill(7);
    let mut expected = out.clone();
    if unnamed == Unnamed::Zero {
        expected.fill(T::zeroed());
    }
    for (&at, &value) in places.iter().zip(values) {
        expected[at as usize] = value;
    }
    let narrow: Vec<u32> = places.iter().map(|it| *it as u32).collect();
    for index in [Source::slice(&places), Source::slice(&narrow)] {
        let mut out = out.clone();
        let to = Sink::slice(&mut out);
        let report = streamer.scatter(index, Source::slice(values), to, unnamed);
        let report = report.expect("scattered");
        assert!(report.by_cores && report.trips.is_empty());
        assert!(bytemuck::cast_slice::<T, u8>(&out) == bytemuck::cast_slice::<T, u8>(&expected));
    }
    assert_eq!(streamer.compiled(), 0);
}

#[test]
fn scatters_are_those_of_std() {
    for length in LENGTHS {
        let values: Vec<u32> = numbers(length).map(|it| it as u32).collect();
        check_scatter(&values, length, Unnamed::Zero);
    }
    let values: Vec<u8> = numbers(300_000).map(|it| (it >> 9) as u8).collect();
    check_scatter(&values, 700_001, Unnamed::Keep);
    let values: Vec<i16> = numbers(300_000).map(|it| (it >> 9) as i16).collect();
    check_scatter(&values, 700_001, Unnamed::Zero);
    // With windows of 256 KiB there would be more than 256.
    let values: Vec<f64> = numbers(400_000).map(f64::from_bits).collect();
    check_scatter(&values, 9_000_000, Unnamed::Keep);
}

#[test]
fn of_equal_indices_one_wins_and_wrong_ones_leave_the_output() {
    let mut streamer = cores();
    let index: Vec<u32> = (0..500_000).map(|it| it % 10).collect();
    let values: Vec<u32> = (0..500_000).collect();
    let mut out = vec![1_u32; 20];
    let (from, to) = (Source::slice(&values), Sink::slice(&mut out));
    let report = streamer.scatter(Source::slice(&index), from, to, Unnamed::Keep);
    assert!(report.expect("scattered").by_cores);
    assert!((0..10).all(|at| out[at] as usize % 10 == at && (out[at] as usize) < 500_000));
    assert!(out[10..].iter().all(|it| *it == 1));

    let mut index = index;
    index[400_001] = 20;
    let before = out.clone();
    let (from, to) = (Source::slice(&values), Sink::slice(&mut out));
    let refused = streamer.scatter(Source::slice(&index), from, to, Unnamed::Zero);
    let refused = refused.expect_err("beyond");
    assert!(
        matches!(
            refused,
            StreamError::Index {
                place: 400_001,
                length: 20
            }
        ),
        "{refused}"
    );
    assert_eq!(out, before);
}

#[test]
fn transforms_and_reductions_have_the_devices_bits() {
    let (mut cores, mut device) = (cores(), streamer());
    let place = Operation::new("return (double)x + (double)i;");
    let place = place.map_on_host(|x: f32, i| f64::from(x) + i as f64);
    // Neither commutative nor associative: any other order has other bits.
    let less = Operation::new("return a - b;").fold_on_host(|a: f32, b| a - b);
    for length in LENGTHS.into_iter().chain([CHUNK - 1, CHUNK, CHUNK + 1]) {
        let data: Vec<f32> = numbers(length).map(|it| it as f32 * 1e-19).collect();
        let (mut here, mut there) = (vec![0.0_f64; length], vec![0.0_f64; length]);
        let report = cores.transform(&place, vec![Source::slice(&data)], Sink::slice(&mut here));
        assert!(report.expect("transformed").by_cores);
        let report = device.transform(&place, vec![Source::slice(&data)], Sink::slice(&mut there));
        assert!(!report.expect("transformed").by_cores);
        let bits = |all: &[f64]| all.iter().map(|it| it.to_bits()).collect::<Vec<_>>();
        assert!(bits(&here) == bits(&there), "{length} elements");
        let (one, report) = cores
            .reduce::<f32>(&less, Source::slice(&data))
            .expect("reduced");
        assert!(report.by_cores && report.elements == length as u64);
        let (other, _) = device
            .reduce::<f32>(&less, Source::slice(&data))
            .expect("reduced");
        assert_eq!(
            one.map(f32::to_bits),
            other.map(f32::to_bits),
            "{length} elements"
        );
        assert_eq!(one.is_some(), length > 0);
    }
    assert_eq!(cores.compiled(), 0);
}

#[test]
fn what_the_cores_cannot_do_stays_on_the_device() {
    let mut streamer = cores();
    let data: Vec<u32> = numbers(5000).map(|it| it as u32).collect();
    let mut out = vec![0_u32; data.len()];
    let plain = Operation::new("return x + 1;");
    let report = streamer.transform(&plain, vec![Source::slice(&data)], Sink::slice(&mut out));
    assert!(!report.expect("no Rust").by_cores);
    let add = Operation::new("return a + b;");
    assert!(
        !streamer
            .reduce::<u32>(&add, Source::slice(&data))
            .expect("no Rust")
            .1
            .by_cores
    );
    let both = Operation::new("return x + y;").map_on_host(|x: u32, _| x);
    let inputs = vec![Source::slice(&data), Source::slice(&data)];
    let report = streamer.transform(&both, inputs, Sink::slice(&mut out));
    assert!(!report.expect("two inputs").by_cores);
    let mut keys = data.clone();
    let report = streamer.sort_by_key(Sink::slice(&mut keys), Sink::slice(&mut out), None);
    assert!(!report.expect("values").by_cores);
    streamer.leave_to_cores(false);
    assert!(
        !streamer
            .sort(Sink::slice(&mut keys), None)
            .expect("sorted")
            .by_cores
    );
}

#[test]
fn who_is_cancelled_does_nothing_more() {
    let mut streamer = cores();
    let data: Vec<u32> = numbers(300_000).map(|it| it as u32).collect();
    let mut same = data.clone();
    let cancel = Cancel::default();
    streamer.cancel_with(cancel.clone());
    cancel.cancel();
    let refused = streamer.sort(Sink::slice(&mut same), None);
    assert!(matches!(refused, Err(StreamError::Cancelled)));
    assert!(same == data);
    let add = Operation::new("return a + b;").fold_on_host(u32::wrapping_add);
    let refused = streamer.reduce::<u32>(&add, Source::slice(&data));
    assert!(matches!(refused, Err(StreamError::Cancelled)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn whatever_the_lengths_and_values(
        length in 0_usize..200_000,
        distinct in 1_u32..u32::MAX,
        further in 0_usize..100_000,
    ) {
        let data: Vec<u32> = numbers(length).map(|it| (it >> 32) as u32 % distinct).collect();
        check_sorts(&data);
        check_scatter(&data, length + further, Unnamed::Keep);
        let add = Operation::new("return a + b;").fold_on_host(u32::wrapping_add);
        let (sum, _) = cores().reduce::<u32>(&add, Source::slice(&data)).expect("reduced");
        prop_assert_eq!(sum, data.iter().copied().reduce(u32::wrapping_add));
        let mut out = vec![0; length];
        let twice = Operation::new("return 2 * x;").map_on_host(|x: u32, _| x.wrapping_mul(2));
        let report = cores().transform(&twice, vec![Source::slice(&data)], Sink::slice(&mut out));
        prop_assert!(report.expect("transformed").by_cores);
        prop_assert!(out.iter().zip(&data).all(|(out, it)| *out == it.wrapping_mul(2)));
    }
}
