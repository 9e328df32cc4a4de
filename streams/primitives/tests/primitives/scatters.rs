//! Scatters, into windows of the output.

use kerncast_primitives::{Sink, Source, StreamError};

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
        let report = streamer.scatter(index_, values_, Sink::slice(&mut out));
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
fn other_places_become_zero() {
    let mut streamer = streamer();
    let length = 400_000;
    let index: Vec<u64> = (0..length as u64).step_by(3).collect();
    let values: Vec<u16> = index.iter().map(|it| *it as u16).collect();
    let mut out = streamer.pinned(2 * length).expect("pinned");
    bytemuck::cast_slice_mut::<u8, u16>(&mut out).fill(7);
    let (index, values) = (Source::slice(&index), Source::slice(&values));
    streamer
        .scatter(index, values, Sink::pinned::<u16>(&mut out))
        .expect("scattered");
    let out: &[u16] = bytemuck::cast_slice(&out);
    let expected = (0..length).map(|at| if at % 3 == 0 { at as u16 } else { 0 });
    assert!(out.iter().copied().eq(expected));
}

#[test]
fn an_index_beyond_the_output_is_told_and_nothing_is_written() {
    let mut streamer = streamer();
    let mut index = shuffled(500_000);
    index[499_000] = 500_000;
    let values = vec![1_u8; index.len()];
    let mut out = vec![9_u8; index.len()];
    let (index, values) = (Source::slice(&index), Source::slice(&values));
    let refused = streamer.scatter(index, values, Sink::slice(&mut out));
    let refused = refused.expect_err("beyond");
    assert!(
        matches!(
            refused,
            StreamError::Index {
                place: 499_000,
                length: 500_000
            }
        ),
        "{refused}"
    );
    assert!(out.iter().all(|it| *it == 9));
}

#[test]
fn many_windows_each_read_all_of_the_input() {
    let mut streamer = streamer();
    const MANY: usize = 700_000;
    let index: Vec<u64> = shuffled(MANY).into_iter().map(u64::from).collect();
    let values: Vec<u64> = numbers(MANY).collect();
    let mut out = vec![0_u64; MANY];
    let (index_, values_) = (Source::slice(&index), Source::slice(&values));
    let report = streamer.scatter(index_, values_, Sink::slice(&mut out));
    let report = report.expect("scattered");
    let reads = report.trips.iter().map(|it| it.bytes_in);
    let reads: Vec<u64> = reads.filter(|it| *it > 0).collect();
    assert!(reads.len() > 4, "many windows");
    assert!(reads.iter().all(|it| *it == 16 * MANY as u64));
    let mut pairs = index.iter().zip(&values);
    assert!(pairs.all(|(&at, &value)| out[at as usize] == value));

    // All to one window, and other places become 0.
    let index: Vec<u64> = (0..MANY as u64).map(|it| 300_000 + it % 10).collect();
    let values: Vec<u64> = index.iter().map(|it| 2 * it).collect();
    let (index_, values_) = (Source::slice(&index), Source::slice(&values));
    streamer
        .scatter(index_, values_, Sink::slice(&mut out))
        .expect("scattered");
    for (at, now) in out.iter().enumerate() {
        let named = (300_000..300_010).contains(&at);
        assert_eq!(*now, if named { 2 * at as u64 } else { 0 }, "place {at}");
    }

    // A wrong index is told by its place in the input, and nothing is written.
    let mut index = index;
    index[650_000] = MANY as u64;
    let before = out.clone();
    let (index, values) = (Source::slice(&index), Source::slice(&values));
    let refused = streamer.scatter(index, values, Sink::slice(&mut out));
    let refused = refused.expect_err("beyond");
    assert!(
        matches!(refused, StreamError::Index { place: 650_000, .. }),
        "{refused}"
    );
    assert!(out == before);
}
