//! Merges of two sorted arrays.

use kerncast_primitives::{Number, Sink, Source, StreamError, Type};
use proptest::prelude::*;

use crate::{numbers, streamer};

fn check<T: Number>(mut a: Vec<T>, mut b: Vec<T>) -> usize {
    a.sort_by_key(|it| it.order());
    b.sort_by_key(|it| it.order());
    let mut out = vec![T::zeroed(); a.len() + b.len()];
    let (from, with) = (Source::slice(&a), Source::slice(&b));
    let report = streamer()
        .merge(from, with, Sink::slice(&mut out))
        .expect("merged");
    let mut expected = [a, b].concat();
    expected.sort_by_key(|it| it.order());
    let (out, expected): (&[u8], &[u8]) =
        (bytemuck::cast_slice(&out), bytemuck::cast_slice(&expected));
    assert!(out == expected, "{} bytes", expected.len());
    report.trips[0].plan.chunks
}

fn words(count: usize) -> Vec<u32> {
    numbers(count).map(|it| (it >> 32) as u32).collect()
}

#[test]
fn lengths_around_tiles_and_chunks() {
    for a in [0, 1, 4095, 4097, 40_961] {
        for b in [0, 1, 4096, 40_960, 130_001] {
            check(words(a), words(a + b)[a..].to_vec());
        }
    }
    assert!(check(words(200_000), words(150_000)) > 4, "many chunks");
}

#[test]
fn any_skew_and_type() {
    check(vec![7_u32; 150_000], vec![7; 100_000]);
    check(
        (0..150_000).collect::<Vec<u32>>(),
        (150_000..300_000).collect(),
    );
    check(
        (150_000..300_000).collect::<Vec<u32>>(),
        (0..150_000).collect(),
    );
    check(
        words(200_000).into_iter().map(|it| it % 3).collect(),
        vec![1_u32; 60_000],
    );
    check(
        numbers(100_000)
            .map(|it| (it >> 50) as i8)
            .collect::<Vec<_>>(),
        numbers(150_000).map(|it| (it >> 40) as i8).collect(),
    );
    check(
        numbers(100_000).map(|it| it as i64).collect::<Vec<_>>(),
        numbers(70_001).map(|it| (it >> 1) as i64).collect(),
    );
    let mut floats: Vec<f32> = words(150_000).into_iter().map(f32::from_bits).collect();
    floats.extend([0.0, -0.0, f32::NAN, -f32::NAN, f32::INFINITY]);
    check(floats, vec![-0.0, 0.0, f32::NAN]);
    check(
        numbers(90_000).map(f64::from_bits).collect::<Vec<_>>(),
        vec![f64::NAN; 40_000],
    );
}

#[test]
fn pinned_and_file_and_what_is_wrong() {
    let mut a = words(100_000);
    a.sort_unstable();
    let mut streamer = streamer();
    let mut pinned = streamer.pinned(400_000).expect("pinned");
    pinned.copy_from_slice(bytemuck::cast_slice(&a));
    let file = tempfile::tempfile().expect("a file");
    let to = Sink::file(&file, 16, Type::U32, 200_000);
    let from = Source::pinned::<u32>(&mut pinned);
    streamer.merge(from, Source::slice(&a), to).expect("merged");
    let mut again = vec![0_u32; 300_000];
    let from = Source::file(&file, 16, Type::U32, 200_000);
    streamer
        .merge(from, Source::slice(&a), Sink::slice(&mut again))
        .expect("merged");
    assert!(
        again
            .chunks(3)
            .zip(&a)
            .all(|(three, it)| three.iter().all(|one| one == it))
    );

    let refused = streamer.merge(
        Source::slice(&a),
        Source::slice(&[1_u64]),
        Sink::slice(&mut again),
    );
    let told = refused.expect_err("another type").to_string();
    assert_eq!(told, "the second input: elements of type u64; expected u32");
    let refused = streamer.merge(
        Source::slice(&a),
        Source::slice(&a),
        Sink::slice(&mut again),
    );
    assert!(matches!(refused, Err(StreamError::Shape { .. })));
    // What is not sorted makes no sense, and no harm.
    let unsorted = words(150_000);
    streamer
        .merge(
            Source::slice(&unsorted),
            Source::slice(&unsorted),
            Sink::slice(&mut again),
        )
        .expect("done");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn whatever_the_lengths_and_values(
        a in 0_usize..90_000,
        b in 0_usize..90_000,
        distinct in 1_u32..u32::MAX,
    ) {
        let all: Vec<u32> = words(a + b).into_iter().map(|it| it % distinct).collect();
        check(all[..a].to_vec(), all[a..].to_vec());
    }
}
