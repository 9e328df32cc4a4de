//! Sorts, of what fits the device and of what does not.

use kerncast_primitives::{Number, Sink, Source};
use proptest::prelude::*;

use crate::{numbers, streamer};

/// Sorts `data` here and by `order`, and compares bits.
fn check<T: Number>(data: &[T]) -> usize {
    let mut expected = data.to_vec();
    expected.sort_by_key(|it| it.order());
    let expected: &[u8] = bytemuck::cast_slice(&expected);
    let mut sorted = vec![T::zeroed(); data.len()];
    let report = streamer().sort(Source::slice(data), Sink::slice(&mut sorted));
    let report = report.expect("sorted");
    let sorted: &[u8] = bytemuck::cast_slice(&sorted);
    let length = data.len();
    assert!(sorted == expected, "{length} elements of {:?}", T::TYPE);
    report.trips.last().map_or(0, |trip| trip.plan.chunks)
}

fn words(count: usize) -> impl Iterator<Item = u32> {
    numbers(count).map(|it| (it >> 32) as u32)
}

#[test]
fn lengths_around_tiles_and_chunks() {
    for length in [
        0, 1, 2, 4095, 4096, 4097, 32_767, 32_768, 32_769, 65_536, 200_001,
    ] {
        let data: Vec<u32> = words(length).collect();
        check(&data);
    }
}

#[test]
fn any_skew() {
    const MANY: usize = 250_000;
    let equal = vec![7_u32; MANY];
    assert!(check(&equal) > 4, "it takes many chunks");
    let sorted: Vec<u32> = (0..MANY as u32).collect();
    check(&sorted);
    let backwards: Vec<u32> = sorted.iter().rev().copied().collect();
    check(&backwards);
    let skewed: Vec<u32> = words(MANY)
        .map(|it| if it % 10 > 0 { 5 } else { it })
        .collect();
    check(&skewed);
    let few: Vec<u32> = words(MANY).map(|it| it % 3).collect();
    check(&few);
    // Keys of which only some bits differ, below and above 0.
    let near: Vec<i64> = words(MANY)
        .map(|it| i64::from(it % 70_000) - 35_000)
        .collect();
    check(&near);
    let near: Vec<u64> = words(MANY).map(|it| (1 << 50) + u64::from(it)).collect();
    check(&near);
}

#[test]
fn every_type() {
    const MANY: usize = 150_000;
    check(&numbers(MANY).map(|it| (it >> 50) as i8).collect::<Vec<_>>());
    check(
        &numbers(MANY)
            .map(|it| (it >> 50) as i16)
            .collect::<Vec<_>>(),
    );
    check(
        &numbers(MANY)
            .map(|it| (it >> 30) as i64)
            .collect::<Vec<_>>(),
    );
    check(&numbers(MANY).collect::<Vec<u64>>());
    // Any bits: NaN of both signs, infinities, -0.
    let mut floats: Vec<f32> = words(MANY).map(f32::from_bits).collect();
    floats.extend([0.0, -0.0, f32::NAN, -f32::NAN, f32::INFINITY]);
    check(&floats);
    let mut floats: Vec<f64> = numbers(MANY).map(f64::from_bits).collect();
    floats.extend([0.0, -0.0, f64::NAN, -f64::NAN, f64::NEG_INFINITY]);
    check(&floats);
}

#[test]
fn pinned_arrays_and_files_too() {
    const MANY: usize = 200_000;
    let data: Vec<u32> = words(MANY).collect();
    let mut expected = data.clone();
    expected.sort_unstable();
    let bytes: &[u8] = bytemuck::cast_slice(&expected);

    let mut streamer = streamer();
    let mut pinned = [
        streamer.pinned(4 * MANY).expect("it"),
        streamer.pinned(4 * MANY).expect("it"),
    ];
    pinned[0].copy_from_slice(bytemuck::cast_slice(&data));
    let [from, to] = &mut pinned;
    let (from, to) = (Source::pinned::<u32>(from), Sink::pinned::<u32>(to));
    streamer.sort(from, to).expect("sorted");
    assert!(
        pinned[0][..] == *bytemuck::cast_slice::<u32, u8>(&data),
        "as it was"
    );
    assert!(pinned[1][..] == *bytes);

    let files = [(); 2].map(|()| tempfile::tempfile().expect("a file"));
    let u32s = kerncast_primitives::ElementType::U32;
    let identity = kerncast_primitives::Operation::new("return x;");
    let to = Sink::file(&files[0], 128, u32s, MANY as u64);
    streamer
        .transform(&identity, vec![Source::slice(&data)], to)
        .expect("written");
    let from = Source::file(&files[0], 128, u32s, MANY as u64);
    let to = Sink::file(&files[1], 64, u32s, MANY as u64);
    streamer.sort(from, to).expect("sorted");
    let mut back = vec![0_u32; MANY];
    let from = Source::file(&files[1], 64, u32s, MANY as u64);
    streamer
        .transform(&identity, vec![from], Sink::slice(&mut back))
        .expect("read");
    assert!(back == expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn whatever_the_lengths_and_values(
        length in 0_usize..120_000,
        distinct in 1_u32..u32::MAX,
    ) {
        check(&words(length).map(|it| it % distinct).collect::<Vec<_>>());
    }
}
