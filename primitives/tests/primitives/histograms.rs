//! Histograms, with bins in local memory and without.

use kerncast_primitives::{Number, Source, StreamError};

use crate::{alone, numbers, streamer};

/// By the definition, one element after the other.
fn expected<T: Number + PartialOrd>(data: &[T], edges: &[T]) -> Vec<u64> {
    let bins = edges.len() - 1;
    let mut counts = vec![0; bins];
    for x in data {
        let bin = (0..bins).find(|&bin| {
            let below = x < &edges[bin + 1] || (bin + 1 == bins && x == &edges[bins]);
            x >= &edges[bin] && below
        });
        if let Some(bin) = bin {
            counts[bin] += 1;
        }
    }
    counts
}

#[test]
fn histograms_count_what_lies_between_edges() {
    let edges: Vec<u32> = [0, 1, 17, 900, 901, 60_000].to_vec();
    for mut streamer in alone() {
        for length in [0, 1, 4095, 4096, 4097, 40_960, 40_961, 300_001] {
            let data: Vec<u32> = numbers(length).map(|it| it as u32 % 70_000).collect();
            let (counts, report) = streamer
                .histogram(Source::slice(&data), &edges)
                .expect("counted");
            assert_eq!(counts, expected(&data, &edges), "{length} elements");
            assert_eq!(report.trips[0].bytes_in, 4 * length as u64);
        }
        assert_eq!(streamer.compiled(), 1);
    }
}

#[test]
fn many_bins_and_all_in_one() {
    for mut streamer in alone() {
        // More than local memory has room for.
        let edges: Vec<u16> = (0..=5000).map(|it| it * 13).collect();
        let data: Vec<u16> = numbers(200_000).map(|it| it as u16).collect();
        let (counts, _) = streamer
            .histogram(Source::slice(&data), &edges)
            .expect("counted");
        let mut expected = vec![0_u64; 5000];
        for it in &data {
            // The last bin has its upper edge.
            let bin = if *it == 65_000 {
                4999
            } else {
                usize::from(it / 13)
            };
            if let Some(count) = expected.get_mut(bin) {
                *count += 1;
            }
        }
        assert!(counts == expected);

        let equal = vec![-7_i8; 300_000];
        let (counts, _) = streamer
            .histogram(Source::slice(&equal), &[-128_i8, -7, 0])
            .expect("counted");
        assert_eq!(counts, [0, 300_000]);
    }
}

/// The last bin has the last edge, so it may be all that it has.
#[test]
fn all_numbers_of_a_type_have_a_bin_each() {
    let mut edges: Vec<u8> = (0..=255).collect();
    edges.push(255);
    let data: Vec<u8> = numbers(100_000).map(|it| it as u8).collect();
    for mut streamer in alone() {
        for by_cores in [false, true] {
            streamer.leave_to_cores(by_cores);
            let (counts, report) = streamer
                .histogram(Source::slice(&data), &edges)
                .expect("counted");
            assert!(counts == expected(&data, &edges));
            assert_eq!(report.by_cores, by_cores);
            assert_eq!(counts.iter().sum::<u64>(), 100_000);
        }
    }
}

#[test]
fn floats_are_compared_as_numbers() {
    let mut data: Vec<f64> = numbers(100_000)
        .map(|it| (it % 4000) as f64 * 0.001 - 2.0)
        .collect();
    data.extend([-0.0, 0.0, f64::NAN, -f64::NAN, f64::INFINITY, 1.5]);
    let edges = [-1.0, 0.0, 0.25, 1.5];
    let (counts, _) = streamer()
        .histogram(Source::slice(&data), &edges)
        .expect("counted");
    assert_eq!(counts, expected(&data, &edges));
}

#[test]
fn edges_that_make_no_bins_are_told() {
    let data = [1.0_f32; 10];
    for (edges, words) in [
        (vec![], "the edges: 0 elements; expected two or more"),
        (vec![1.0], "1 elements"),
        (vec![0.0, f32::NAN, 2.0], "NaN at place 1"),
        (vec![0.0, 2.0, 2.0, 3.0], "at place 2 one that is not above"),
        (vec![0.0, 2.0, 1.0], "at place 2 one that is not above"),
    ] {
        let refused = streamer().histogram(Source::slice(&data), &edges);
        let refused = refused.expect_err("no bins");
        assert!(matches!(refused, StreamError::Shape { .. }));
        assert!(refused.to_string().contains(words), "{refused}");
    }
    assert!(
        streamer()
            .histogram(Source::slice(&data), &[1_u32, 2])
            .is_err()
    );
}
