//! Scatters, into windows of the output.

use kerncast_primitives::{Sink, Source, StreamError, Unnamed};

use crate::{numbers, streamer};

/// The places from 0 on, each once, in no order.
fn shuffled(length: usize) -> Vec<u32> {
    let mut places: Vec<u32> = (0..length as u32).collect();
    for (at, number) in numbers(length).enumerate().skip(1) {
        places.swap(at, (number >> 20) as usize % (at + 1));
    }
    places
}

#[test]
fn elements_go_where_indices_say() {
    let mut streamer = streamer();
    for length in [0, 1, 4097, 60_000, 500_000] {
        let index = shuffled(length);
        let values: Vec<f32> = numbers(length).map(|it| it as f32).collect();
        let mut out = vec![0.0_f32; length];
        let (index_, values_) = (Source::slice(&index), Source::slice(&values));
        let report = streamer.scatter(index_, values_, Sink::slice(&mut out), Unnamed::Zero);
        let report = report.expect("scattered");
        assert_eq!(
            report.trips.len() > 2,
            length == 500_000,
            "{length} elements"
        );
        assert!(
            index
                .iter()
                .zip(&values)
                .all(|(&at, &value)| out[at as usize].to_bits() == value.to_bits())
        );
    }
}

#[test]
fn other_places_keep_what_they_hold_or_become_zero() {
    let mut streamer = streamer();
    let length = 400_000;
    let index: Vec<u64> = (0..length as u64).step_by(3).collect();
    let values: Vec<u16> = index.iter().map(|it| *it as u16).collect();
    for (unnamed, other) in [(Unnamed::Keep, 7), (Unnamed::Zero, 0)] {
        let mut out = streamer.pinned(2 * length).expect("pinned");
        bytemuck::cast_slice_mut::<u8, u16>(&mut out).fill(7);
        let (index_, values_) = (Source::slice(&index), Source::slice(&values));
        streamer
            .scatter(index_, values_, Sink::pinned::<u16>(&mut out), unnamed)
            .expect("scattered");
        let out: &[u16] = bytemuck::cast_slice(&out);
        let expected = (0..length).map(|at| if at % 3 == 0 { at as u16 } else { other });
        assert!(out.iter().copied().eq(expected), "{unnamed:?}");
    }
}

#[test]
fn an_index_beyond_the_output_is_told_and_nothing_is_written() {
    let mut streamer = streamer();
    let mut index = shuffled(500_000);
    index[499_000] = 500_000;
    let values = vec![1_u8; index.len()];
    let mut out = vec![9_u8; index.len()];
    let (index, values) = (Source::slice(&index), Source::slice(&values));
    let refused = streamer.scatter(index, values, Sink::slice(&mut out), Unnamed::Zero);
    let refused = refused.expect_err("beyond");
    assert!(
        matches!(
            refused,
            StreamError::Index {
                place: 499_000,
                of: "output",
                length: 500_000
            }
        ),
        "{refused}"
    );
    assert!(out.iter().all(|it| *it == 9));
}
