//! Searches in sorted arrays that stay on the device, and that stream by.

use kerncast_primitives::{Number, Side, Sink, Source, Type};
use proptest::prelude::*;

use crate::{alone, numbers, streamer};

fn check<T: Number>(
    streamer: &mut kerncast_primitives::Streamer,
    needles: &[T],
    mut sorted: Vec<T>,
) {
    sorted.sort_by_key(|it| it.order());
    for side in [Side::Lower, Side::Upper] {
        let mut out = vec![7_u64; needles.len()];
        let (from, of) = (Source::slice(needles), Source::slice(&sorted));
        streamer
            .sorted_search(from, of, side, Sink::slice(&mut out))
            .expect("searched");
        let expected = needles.iter().map(|needle| {
            let place = sorted.partition_point(|it| match side {
                Side::Lower => it.order() < needle.order(),
                Side::Upper => it.order() <= needle.order(),
            });
            place as u64
        });
        assert!(
            out.into_iter().eq(expected),
            "{} needles, {} sorted, {side:?}",
            needles.len(),
            sorted.len()
        );
    }
}

fn words(count: usize) -> Vec<u32> {
    numbers(count).map(|it| (it >> 32) as u32).collect()
}

#[test]
fn lengths_around_tiles_and_chunks() {
    for mut streamer in alone() {
        for needles in [0, 1, 4097, 120_000] {
            for sorted in [0, 1, 4096, 300_001] {
                check(&mut streamer, &words(needles), words(sorted));
            }
        }
    }
}

#[test]
fn any_skew_and_type() {
    let mut streamer = streamer();
    check(&mut streamer, &[6_u32, 7, 8], vec![7; 300_000]);
    let few: Vec<u32> = words(90_000).into_iter().map(|it| it % 5).collect();
    check(
        &mut streamer,
        &few,
        words(300_000).into_iter().map(|it| it % 4).collect(),
    );
    let bytes: Vec<i8> = numbers(60_000).map(|it| (it >> 40) as i8).collect();
    check(&mut streamer, &bytes, bytes.clone());
    let long: Vec<i64> = numbers(120_000).map(|it| it as i64).collect();
    check(&mut streamer, &long, long.clone());
    let mut floats: Vec<f32> = words(250_000).into_iter().map(f32::from_bits).collect();
    floats.extend([0.0, -0.0, f32::NAN, -f32::NAN, f32::INFINITY]);
    check(
        &mut streamer,
        &[0.0, -0.0, f32::NAN, -f32::NAN, 1.0, f32::NEG_INFINITY],
        floats,
    );
    let mut out = [0_u32];
    let refused = streamer.sorted_search(
        Source::slice(&[1_u32]),
        Source::slice(&[1_u32]),
        Side::Lower,
        Sink::slice(&mut out),
    );
    let told = refused.expect_err("places have 64 bits").to_string();
    assert_eq!(told, "the output: elements of type u32; expected u64");
}

#[test]
fn files_and_pinned_memory_too() {
    let mut streamer = streamer();
    let mut sorted = words(300_000);
    sorted.sort_unstable();
    let needles = words(50_000);
    let mut pinned = streamer.pinned(4 * sorted.len()).expect("pinned");
    pinned.copy_from_slice(bytemuck::cast_slice(&sorted));
    let file = tempfile::tempfile().expect("a file");
    let to = Sink::file(&file, 0, Type::U64, 50_000);
    let of = Source::pinned::<u32>(&mut pinned);
    streamer
        .sorted_search(Source::slice(&needles), of, Side::Upper, to)
        .expect("searched");
    let (mut out, same) = (
        vec![0_u64; 50_000],
        kerncast_primitives::Operation::new("return x;"),
    );
    let from = Source::file(&file, 0, Type::U64, 50_000);
    streamer
        .transform(&same, vec![from], Sink::slice(&mut out))
        .expect("read");
    let expected = needles
        .iter()
        .map(|it| sorted.partition_point(|other| other <= it) as u64);
    assert!(out.into_iter().eq(expected));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    #[test]
    fn whatever_the_lengths_and_values(
        needles in 0_usize..50_000,
        sorted in 0_usize..400_000,
        distinct in 1_u32..u32::MAX,
    ) {
        let all: Vec<u32> = words(needles + sorted).into_iter().map(|it| it % distinct).collect();
        check(&mut streamer(), &all[..needles], all[needles..].to_vec());
    }
}
