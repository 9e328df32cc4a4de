//! Updates of scattered places, numbers off a queue, and half precision.

use std::iter;

use crate::{assert_each, for_each_variant, whole};

#[test]
fn sparse_update_adds_where_it_is_told() {
    let updated = |[places, values, dense]: &[Vec<f64>; 3], i: usize| {
        let told = places.iter().position(|place| whole(*place) == i);
        dense[i] + 0.75 * values[told.expect("every place comes once")]
    };
    assert_each(
        "sparse_update",
        [("items", 64), ("per_item", 8)],
        (["places", "values", "dense"], "dense"),
        1e-6,
        updated,
    );
}

#[test]
fn collatz_queue_counts_the_steps_of_every_number() {
    const NUMBERS: u64 = 1000;
    for_each_variant(
        "collatz_queue",
        [("items", 64), ("numbers", 1000), ("queues", 2)],
        |run| {
            let steps = |first: u64| {
                let path = iter::successors(Some(first), |n| {
                    Some(if n % 2 == 0 { n / 2 } else { 3 * n + 1 })
                });
                path.take_while(|n| *n != 1).count()
            };
            let expected: Vec<usize> = (1..=NUMBERS).map(steps).collect();
            let lengths = run.outputs["lengths"].as_u16();
            let lengths: Vec<usize> = lengths.iter().map(|l| usize::from(*l)).collect();
            assert_eq!(lengths, expected);
            // Each of a queue's 32 work-items has asked once in vain.
            assert_eq!(run.outputs["next"].as_u32(), [1064, 1065]);
        },
    );
}

/// Half precision: 10 bits behind the point, and 2⁻²⁴ at least.
#[test]
fn scale_halves_rounds_to_the_nearest_half() {
    let number = |bits: f64| {
        let bits = whole(bits);
        let sign = if bits >= 0x8000 { -1.0 } else { 1.0 };
        let (exponent, fraction) = (bits / 0x400 % 0x20, (bits % 0x400) as f64 / 1024.0);
        match i32::try_from(exponent).expect("5 bits") {
            0 => sign * fraction * 2_f64.powi(-14),
            exponent => sign * (1.0 + fraction) * 2_f64.powi(exponent - 15),
        }
    };
    for_each_variant("scale_halves", [("items", 128), ("per_item", 8)], |run| {
        let [before, after] = [&run.inputs["numbers"], &run.outputs["scaled"]]
            .map(|halves| crate::numbers(halves).into_iter().map(number));
        for (before, after) in before.zip(after) {
            let exact = 1.5 * before - 0.25;
            let half_a_bit = exact.abs() * 2_f64.powi(-11) + 2_f64.powi(-25);
            assert!((after - exact).abs() <= half_a_bit, "{after} for {exact}");
        }
    });
}
