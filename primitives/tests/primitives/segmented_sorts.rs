//! Sorts of segments, many to a chunk and many chunks to one.

use kerncast_primitives::{Number, Sink, Source, StreamError};
use proptest::prelude::*;

use crate::{numbers, streamer};

fn check<T: Number>(data: &[T], offsets: &[u64]) -> usize {
    let mut out = vec![T::zeroed(); data.len()];
    let report = streamer()
        .segmented_sort(Source::slice(data), offsets, Sink::slice(&mut out))
        .expect("sorted");
    let mut expected = data.to_vec();
    for pair in offsets.windows(2) {
        let [start, end] = [pair[0], pair[1]].map(|it| usize::try_from(it).expect("small"));
        expected[start..end].sort_by_key(|it| it.order());
    }
    let (out, expected): (&[u8], &[u8]) =
        (bytemuck::cast_slice(&out), bytemuck::cast_slice(&expected));
    assert!(
        out == expected,
        "{} elements, {} offsets",
        data.len(),
        offsets.len()
    );
    report.trips.len()
}

fn words(count: usize) -> Vec<u32> {
    numbers(count).map(|it| (it >> 32) as u32).collect()
}

/// Every so many elements, and the end.
fn every(step: usize, length: usize) -> Vec<u64> {
    let offsets = (0..length).step_by(step).chain([length]);
    offsets.map(|it| it as u64).collect()
}

#[test]
fn segments_of_one_length() {
    for length in [0, 1, 4095, 4097, 40_961, 150_001] {
        for step in [1, 3, 100, 4096, 30_000, 200_000] {
            check(&words(length), &every(step, length));
        }
    }
}

#[test]
fn empty_long_and_short_ones_and_other_types() {
    let data = words(250_000);
    let long = [
        0, 0, 5, 5, 5, 20_000, 20_001, 190_000, 190_000, 249_000, 250_000, 250_000,
    ];
    assert!(check(&data, &long) > 2, "the long one goes by itself");
    check(
        &numbers(60_000)
            .map(|it| (it >> 40) as i8)
            .collect::<Vec<_>>(),
        &every(77, 60_000),
    );
    check(
        &numbers(60_000).map(|it| it as i64).collect::<Vec<_>>(),
        &every(700, 60_000),
    );
    let mut floats: Vec<f64> = numbers(50_000).map(f64::from_bits).collect();
    floats.extend([0.0, -0.0, f64::NAN, -f64::NAN, f64::INFINITY]);
    check(&floats, &every(10, floats.len()));
    check(&vec![3_u16; 100_000], &every(33, 100_000));
}

#[test]
fn pinned_arrays_with_a_long_segment() {
    let mut streamer = streamer();
    let data = words(200_000);
    let mut pinned = [
        streamer.pinned(800_000).expect("pinned"),
        streamer.pinned(800_000).expect("pinned"),
    ];
    pinned[0].copy_from_slice(bytemuck::cast_slice(&data));
    let [from, to] = &mut pinned;
    let (from, to) = (Source::pinned::<u32>(from), Sink::pinned::<u32>(to));
    streamer
        .segmented_sort(from, &[0, 10, 150_000, 200_000], to)
        .expect("sorted");
    let mut expected = data;
    for range in [0..10, 10..150_000, 150_000..200_000] {
        expected[range].sort_unstable();
    }
    assert!(pinned[1][..] == *bytemuck::cast_slice::<u32, u8>(&expected));
}

#[test]
fn offsets_that_are_none_are_told_and_nothing_is_written() {
    let data = words(10);
    for (offsets, words) in [
        (vec![], "the offsets: 0 elements; expected from 0 to 10"),
        (vec![1, 10], "1 in the first place"),
        (vec![0, 9], "9 in the last place"),
        (vec![0, 7, 6, 10], "6 at place 2 behind 7"),
        (vec![0, 11], "11 in the last place"),
    ] {
        let mut out = [7_u32; 10];
        let refused =
            streamer().segmented_sort(Source::slice(&data), &offsets, Sink::slice(&mut out));
        let refused = refused.expect_err("no offsets");
        assert!(matches!(refused, StreamError::Shape { .. }));
        assert!(refused.to_string().contains(words), "{refused}");
        assert_eq!(out, [7; 10]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    #[test]
    fn whatever_the_segments(
        lengths in proptest::collection::vec(prop_oneof![0_u64..20, 0_u64..3000, 0_u64..60_000], 1..40),
    ) {
        let offsets: Vec<u64> = std::iter::once(0).chain(lengths.iter().scan(0, |end, it| {
            *end += it;
            Some(*end)
        })).collect();
        let length = usize::try_from(offsets[offsets.len() - 1]).expect("small");
        check(&words(length), &offsets);
    }
}
