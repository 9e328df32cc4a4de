//! Runs of equal keys: unique elements, and reductions by key.

use kerncast_primitives::{Number, Operation, Sink, Source, StreamError, Type};
use proptest::prelude::*;

use crate::{numbers, streamer};

/// Tile ± 1, chunk ± 1 and more; and none.
const LENGTHS: [usize; 9] = [0, 1, 2, 4095, 4096, 4097, 40_960, 65_537, 300_001];

fn bits<T: Number>(data: &[T]) -> &[u8] {
    bytemuck::cast_slice(data)
}

fn check_unique<T: Number>(data: &[T]) -> u64 {
    let mut out = Vec::new();
    let made = &mut out;
    let (count, report) = streamer()
        .unique(Source::slice(data), move |count| {
            made.resize(usize::try_from(count).expect("small"), T::zeroed());
            Ok(Sink::slice(made))
        })
        .expect("done");
    let mut expected = data.to_vec();
    expected.dedup_by_key(|it| it.order());
    assert_eq!(count, expected.len() as u64);
    assert!(bits(&out) == bits(&expected), "{} elements", data.len());
    assert_eq!(report.elements, data.len() as u64);
    count
}

#[test]
fn one_of_each_run() {
    for length in LENGTHS {
        check_unique(
            &numbers(length)
                .map(|it| (it >> 62) as u32)
                .collect::<Vec<_>>(),
        );
    }
    assert_eq!(check_unique(&vec![5_u64; 200_000]), 1);
    assert_eq!(check_unique(&(0..200_000).collect::<Vec<u32>>()), 200_000);
    // Long runs, whose ends are where chunks end, and elsewhere.
    check_unique(&(0..300_000).map(|it| it / 32_768).collect::<Vec<i32>>());
    check_unique(
        &(0..300_000)
            .map(|it| (it / 70_001) as i8)
            .collect::<Vec<_>>(),
    );
    let mut floats = vec![0.0_f32, -0.0, -0.0, f32::NAN, f32::NAN, -f32::NAN, 1.0, 1.0];
    assert_eq!(check_unique(&floats), 5);
    floats = numbers(100_000).map(|it| (it >> 63) as f32).collect();
    check_unique(&floats);
}

#[test]
fn who_makes_no_output_gets_none() {
    let data = [1_u32, 1, 2];
    let refused = streamer().unique(Source::slice(&data), |count| {
        Err(StreamError::Format(format!("{count} are too many")))
    });
    assert_eq!(refused.expect_err("refused").to_string(), "2 are too many");
    let mut short = [7_u32];
    let to = Sink::slice(&mut short);
    let refused = streamer().unique(Source::slice(&data), move |_| Ok(to));
    let told = refused.expect_err("too short").to_string();
    assert_eq!(told, "the output: 1 elements; expected 2");
    assert_eq!(short, [7]);
}

/// First `a`, then `b`, of functions x -> (upper half) · x + (lower half) modulo 2¹⁶: not commutative.
fn composed(a: u32, b: u32) -> u32 {
    let (m, c) = (b >> 16, b & 0xffff);
    let lower = m.wrapping_mul(a & 0xffff).wrapping_add(c) & 0xffff;
    (m.wrapping_mul(a >> 16) << 16) | lower
}

fn check_by_key<K: Number>(keys: &[K]) {
    let operation = Operation::new(
        "uint m = b >> 16, c = b & 0xffff;\n\
         return ((m * (a >> 16)) << 16) | ((m * (a & 0xffff) + c) & 0xffff);",
    );
    let values: Vec<u32> = numbers(keys.len()).map(|it| it as u32 | 0x1_0000).collect();
    let (mut keys_out, mut values_out) = (Vec::new(), Vec::new());
    let (to_keys, to_values) = (&mut keys_out, &mut values_out);
    let (from, with) = (Source::slice(keys), Source::slice(&values));
    let (count, _) = streamer()
        .reduce_by_key(&operation, from, with, move |count| {
            let count = usize::try_from(count).expect("small");
            to_keys.resize(count, K::zeroed());
            to_values.resize(count, 0_u32);
            Ok((Sink::slice(to_keys), Sink::slice(to_values)))
        })
        .expect("reduced");
    let mut expected: Vec<(K, u32)> = Vec::new();
    for (key, value) in keys.iter().zip(&values) {
        match expected.last_mut() {
            Some((last, sum)) if last.order() == key.order() => *sum = composed(*sum, *value),
            _ => expected.push((*key, *value)),
        }
    }
    let (expected_keys, expected_values): (Vec<K>, Vec<u32>) = expected.into_iter().unzip();
    assert_eq!(count, expected_keys.len() as u64, "{} elements", keys.len());
    assert!(
        bits(&keys_out) == bits(&expected_keys),
        "{} elements",
        keys.len()
    );
    assert!(values_out == expected_values, "{} elements", keys.len());
}

#[test]
fn values_of_a_run_become_one() {
    for length in LENGTHS {
        check_by_key(
            &numbers(length)
                .map(|it| (it >> 62) as u32)
                .collect::<Vec<_>>(),
        );
    }
    check_by_key(&vec![5_u8; 200_000]);
    check_by_key(&(0..200_000).collect::<Vec<u32>>());
    check_by_key(&(0..300_000).map(|it| it / 4096).collect::<Vec<u64>>());
    check_by_key(
        &(0..300_000)
            .map(|it| (it / 70_001) as i16)
            .collect::<Vec<_>>(),
    );
    check_by_key(&[0.0_f64, -0.0, -0.0, f64::NAN, f64::NAN, 1.0]);
}

#[test]
fn values_of_other_types_and_captured_ones() {
    let keys: Vec<u16> = (0..150_000).map(|it| (it / 7) as u16).collect();
    let operation = Operation::new("return min(a, b) + 0 * none;")
        .with("none", 1.0_f64)
        .expect("a name");
    let values: Vec<f64> = numbers(keys.len()).map(|it| it as f64).collect();
    let file = tempfile::tempfile().expect("a file");
    let mut keys_out = vec![0_u16; 150_000_usize.div_ceil(7)];
    let to_keys = Sink::slice(&mut keys_out);
    let (from, with) = (Source::slice(&keys), Source::slice(&values));
    streamer()
        .reduce_by_key(&operation, from, with, |count| {
            Ok((to_keys, Sink::file(&file, 0, Type::F64, count)))
        })
        .expect("reduced");
    let mut least = vec![0.0_f64; keys_out.len()];
    let from = Source::file(&file, 0, Type::F64, least.len() as u64);
    streamer()
        .transform(
            &Operation::new("return x;"),
            vec![from],
            Sink::slice(&mut least),
        )
        .expect("read");
    let expected = values
        .chunks(7)
        .map(|of| of.iter().copied().fold(f64::INFINITY, f64::min));
    assert!(expected.eq(least));
    assert!(
        keys_out
            .iter()
            .enumerate()
            .all(|(at, key)| at as u16 == *key)
    );

    let (from, with) = (Source::slice(&keys), Source::slice(&values[1..]));
    let refused = streamer().reduce_by_key(&operation, from, with, |_| unreachable!("refused"));
    let told = refused.expect_err("shorter").to_string();
    assert_eq!(told, "the values: 149999 elements; expected 150000");
    let wrong = Operation::new("return a + c;");
    let (from, with) = (Source::slice(&keys), Source::slice(&values));
    let refused = streamer().reduce_by_key(&wrong, from, with, |_| unreachable!("refused"));
    let told = refused.expect_err("no c").to_string();
    assert!(told.contains("operation:1:"), "{told}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn whatever_the_lengths_and_runs(length in 0_usize..120_000, run in 1_u64..50_000) {
        let keys: Vec<u64> = numbers(length).zip(0..).map(|(it, at)| {
            if run < 5 { it % run } else { at / run }
        }).collect();
        check_by_key(&keys);
        check_unique(&keys);
    }
}
