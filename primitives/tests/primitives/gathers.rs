//! Gathers, of values that stay on the device and of values that stream by.

use kerncast_primitives::{Sink, Source, StreamError, Type};

use crate::{alone, numbers, streamer};

#[test]
fn elements_come_from_where_indices_say() {
    for mut streamer in alone() {
        for values in [1, 4097, 150_000, 300_001] {
            for length in [0, 1, 4095, 4097, 40_961, 250_000] {
                let table: Vec<f32> = numbers(values).map(|it| it as f32).collect();
                let index: Vec<u32> = numbers(length)
                    .map(|it| (it >> 20) as u32 % values as u32)
                    .collect();
                let mut out = vec![0.0_f32; length];
                let (from, to) = (Source::slice(&table), Sink::slice(&mut out));
                let report = streamer.gather(Source::slice(&index), from, to);
                let report = report.expect("gathered");
                assert!(
                    index
                        .iter()
                        .zip(&out)
                        .all(|(&at, out)| table[at as usize].to_bits() == out.to_bits()),
                    "{length} of {values}"
                );
                // Checked, values there, and by; or windows.
                let windows = values == 300_001 && length > 0;
                assert_eq!(
                    report.trips.len() > 3 || length == 0,
                    windows || length == 0
                );
            }
        }
    }
}

#[test]
fn any_width_pinned_and_long_indices() {
    let mut streamer = streamer();
    let table: Vec<i64> = numbers(200_000).map(|it| it as i64).collect();
    let index: Vec<u64> = numbers(130_000).map(|it| it % 200_000).collect();
    let mut pinned = streamer.pinned(8 * index.len()).expect("pinned");
    let to = Sink::pinned::<i64>(&mut pinned);
    streamer
        .gather(Source::slice(&index), Source::slice(&table), to)
        .expect("gathered");
    let out: &[i64] = bytemuck::cast_slice(&pinned);
    assert!(
        index
            .iter()
            .zip(out)
            .all(|(&at, out)| table[at as usize] == *out)
    );

    let bytes: Vec<u8> = table.iter().map(|it| *it as u8).collect();
    let mut out = vec![0_u8; index.len()];
    let to = Sink::slice(&mut out);
    streamer
        .gather(Source::slice(&index), Source::slice(&bytes), to)
        .expect("gathered");
    assert!(
        index
            .iter()
            .zip(&out)
            .all(|(&at, out)| bytes[at as usize] == *out)
    );
}

#[test]
fn an_index_beyond_the_values_is_told_and_nothing_is_written() {
    for values in [100_usize, 400_000] {
        let table = vec![1_u32; values];
        let mut index = vec![0_u32; 300_000];
        index[299_000] = values as u32;
        let mut out = vec![9_u32; index.len()];
        let (from, to) = (Source::slice(&table), Sink::slice(&mut out));
        let refused = streamer().gather(Source::slice(&index), from, to);
        let refused = refused.expect_err("beyond");
        assert!(
            matches!(refused, StreamError::Index { place: 299_000, of: "values", length } if length == values as u64),
            "{refused}"
        );
        assert!(out.iter().all(|it| *it == 9));
    }
    // Of no values every index is beyond.
    let mut out = [9_u32];
    let refused = streamer().gather(
        Source::slice(&[0_u32]),
        Source::slice::<u32>(&[]),
        Sink::slice(&mut out),
    );
    assert!(matches!(refused, Err(StreamError::Index { length: 0, .. })));
    let mut out = [9_u16; 2];
    let refused = streamer().gather(
        Source::slice(&[0_u32]),
        Source::slice(&[7_u16]),
        Sink::slice(&mut out),
    );
    let told = refused.expect_err("longer").to_string();
    assert_eq!(told, "the output: 2 elements; expected 1");
    let file = tempfile::tempfile().expect("a file");
    let signed = Source::file(&file, 0, Type::I32, 0);
    let refused = streamer().gather(signed, Source::slice(&[7_u16]), Sink::slice::<u16>(&mut []));
    assert!(refused.is_err());
}
