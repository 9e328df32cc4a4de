//! Several primitives in one trip.

use kerncast_primitives::{Operation, Scan, Sink, Source, StreamError};
use proptest::prelude::*;

use crate::{all, numbers, streamer};

#[test]
fn steps_in_one_trip_are_those_of_std() {
    let wide = Operation::new("return k * (ulong)x + i;");
    let wide = wide.with("k", 3_u64).expect("a name");
    let add = Operation::new("return a + b;");
    let narrow = Operation::new("return (ushort)(x >> 7);");
    for mut streamer in all() {
        for length in [0, 1, 4095, 4097, 16_383, 16_384, 16_385, 200_001] {
            let data: Vec<u32> = numbers(length).map(|it| it as u32).collect();
            let mut sum = 11_u64;
            let expected: Vec<u16> = (0..)
                .zip(&data)
                .map(|(i, &x)| {
                    let before = sum;
                    sum = sum.wrapping_add(u64::from(x).wrapping_mul(3).wrapping_add(i));
                    (before >> 7) as u16
                })
                .collect();
            let mut out = vec![0_u16; length];
            let report = streamer
                .from(Source::slice(&data))
                .transform::<u64>(&wide)
                .scan(&add, Scan::Exclusive(11_u64))
                .transform::<u16>(&narrow)
                .into(Sink::slice(&mut out));
            let report = report.expect("done");
            assert!(out == expected, "{length} elements");
            assert_eq!(report.trips.len(), 1);
            let moved = (report.trips[0].bytes_in, report.trips[0].bytes_out);
            assert_eq!(moved, (4 * length as u64, 2 * length as u64));

            let (most, report) = streamer
                .from(Source::slice(&data))
                .transform::<u64>(&wide)
                .scan(&add, Scan::Exclusive(11_u64))
                .transform::<u16>(&narrow)
                .reduce::<u16>(&Operation::new("return max(a, b);"))
                .expect("reduced");
            assert_eq!(most, expected.iter().copied().max());
            let back = report.trips.first().map(|it| it.bytes_out);
            let tiles = length.div_ceil(4096) as u64;
            assert_eq!(back, (length > 0).then_some(2 * tiles));
        }
    }
}

#[test]
fn steps_that_do_not_fit_are_told() {
    let mut streamer = streamer();
    let (data, mut out) = ([1_u32; 10], [7_u32; 10]);
    let same = Operation::new("return x;");
    let add = Operation::new("return a + b;");
    let chain = streamer.from(Source::slice(&data)).transform::<f32>(&same);
    let refused = chain.scan(&add, Scan::<u32>::Inclusive);
    let refused = refused.into(Sink::slice(&mut out)).expect_err("floats");
    assert_eq!(
        refused.to_string(),
        "what step 2 of the chain gets: elements of type f32; expected u32"
    );
    let chain = streamer.from(Source::slice(&data)).transform::<f32>(&same);
    let refused = chain.into(Sink::slice(&mut out)).expect_err("floats");
    assert!(matches!(refused, StreamError::Shape { .. }), "{refused}");
    let refused = streamer.from(Source::slice(&data));
    let refused = refused.into(Sink::slice(&mut out)).expect_err("no steps");
    assert!(matches!(refused, StreamError::Shape { .. }), "{refused}");
    assert_eq!(out, [7; 10]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn a_chain_is_its_steps_one_after_the_other(length in 0_usize..60_000, k in any::<i32>()) {
        let data: Vec<i32> = numbers(length).map(|it| it as i32).collect();
        let scale = Operation::new("return k * x;").with("k", k).expect("a name");
        let most = Operation::new("return max(a, b);");
        let mut streamer = streamer();
        let (mut scaled, mut apart, mut at_once) =
            (vec![0; length], vec![0; length], vec![0; length]);
        let to = Sink::slice(&mut scaled);
        streamer.transform(&scale, vec![Source::slice(&data)], to).expect("transformed");
        let (from, to) = (Source::slice(&scaled), Sink::slice(&mut apart));
        streamer.scan(&most, Scan::<i32>::Inclusive, from, to).expect("scanned");
        streamer
            .from(Source::slice(&data))
            .transform::<i32>(&scale)
            .scan(&most, Scan::<i32>::Inclusive)
            .into(Sink::slice(&mut at_once))
            .expect("done");
        prop_assert!(apart == at_once);
    }
}
