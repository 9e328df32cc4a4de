//! The greatest elements.

use kerncast_primitives::{Number, Sink, Source, StreamError, Type};
use proptest::prelude::*;

use crate::{numbers, streamer};

fn check<T: Number>(data: &[T], k: usize) {
    let mut out = vec![T::zeroed(); k];
    streamer()
        .top_k(Source::slice(data), Sink::slice(&mut out))
        .expect("done");
    let mut expected = data.to_vec();
    expected.sort_by_key(|it| std::cmp::Reverse(it.order()));
    expected.truncate(k);
    let (out, expected): (&[u8], &[u8]) =
        (bytemuck::cast_slice(&out), bytemuck::cast_slice(&expected));
    assert!(out == expected, "{k} of {}", data.len());
}

fn words(count: usize) -> Vec<u32> {
    numbers(count).map(|it| (it >> 32) as u32).collect()
}

#[test]
fn as_many_as_are_asked_for() {
    for length in [0, 1, 4095, 4096, 4097, 40_961, 300_001] {
        for k in [0, 1, 2, 100, 4096, 30_000] {
            if k <= length {
                check(&words(length), k);
            }
        }
    }
    check(&words(50_000), 50_000);
}

#[test]
fn any_order_and_type() {
    let ascending: Vec<u32> = (0..250_000).collect();
    check(&ascending, 1000);
    let descending: Vec<u32> = ascending.iter().rev().copied().collect();
    check(&descending, 1000);
    check(&vec![7_u64; 200_000], 999);
    check(
        &words(200_000).iter().map(|it| it % 3).collect::<Vec<_>>(),
        150_000 / 2,
    );
    check(
        &numbers(200_000)
            .map(|it| (it >> 56) as i8)
            .collect::<Vec<_>>(),
        5000,
    );
    check(
        &numbers(200_000)
            .map(|it| (it >> 48) as i16)
            .collect::<Vec<_>>(),
        5000,
    );
    check(
        &numbers(150_000).map(|it| it as i64).collect::<Vec<_>>(),
        777,
    );
    let mut floats: Vec<f32> = words(150_000).into_iter().map(f32::from_bits).collect();
    floats.extend([0.0, -0.0, f32::NAN, -f32::NAN, f32::INFINITY]);
    check(&floats, 2000);
    check(&[0.0_f64, -0.0, -1.0, f64::NAN, -f64::NAN], 5);
}

#[test]
fn what_cannot_be_is_told_and_the_output_is_as_it_was() {
    let data = words(1000);
    let mut out = vec![3_u32; 1001];
    let refused = streamer().top_k(Source::slice(&data), Sink::slice(&mut out));
    let told = refused.expect_err("more than there are").to_string();
    assert_eq!(told, "the output: 1001 elements; expected 1000 at most");
    let many = words(700_000);
    let mut out = vec![3_u32; 600_000];
    let refused = streamer().top_k(Source::slice(&many), Sink::slice(&mut out));
    assert!(matches!(refused, Err(StreamError::Memory { .. })));
    assert!(out.iter().all(|it| *it == 3));
    let refused = streamer().top_k(Source::slice(&many), Sink::slice::<i32>(&mut [1]));
    assert!(refused.is_err());

    let file = tempfile::tempfile().expect("a file");
    streamer()
        .top_k(Source::slice(&many), Sink::file(&file, 8, Type::U32, 10))
        .expect("done");
    let mut greatest = [0_u32];
    streamer()
        .top_k(
            Source::file(&file, 8, Type::U32, 10),
            Sink::slice(&mut greatest),
        )
        .expect("done");
    assert_eq!(greatest.first(), many.iter().max());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn whatever_the_lengths_and_values(
        length in 1_usize..120_000,
        share in 0_usize..50,
        distinct in 1_u32..u32::MAX,
    ) {
        let data: Vec<u32> = words(length).into_iter().map(|it| it % distinct).collect();
        check(&data, length * share / 100);
    }
}
