//! Several devices take chunks of one stream.

use kerncast_primitives::{Operation, Options, Scan, Sink, Source, StreamError, Streamer, Type};
use std::io::Write;

use crate::{device, numbers, streamer, two};

#[test]
fn each_device_takes_chunks_and_reports_say_which() {
    let data: Vec<u64> = numbers(400_000).collect();
    // What takes longer than it takes a thread to start.
    let slow = Operation::new("for (int k = 0; k < 300; ++k) x = x * x + 1;\nreturn x;");
    let mut out = vec![0_u64; data.len()];
    let mut streamer = two();
    assert_eq!(streamer.devices(), 2);
    let report = streamer.transform(&slow, vec![Source::slice(&data)], Sink::slice(&mut out));
    let trip = &report.expect("transformed").trips[0];
    let chunks: Vec<usize> = trip.shares.iter().map(|it| it.plan.chunks).collect();
    assert_eq!(chunks.iter().sum::<usize>(), trip.plan.chunks);
    assert!(chunks.iter().all(|it| *it > 0), "{chunks:?}");
    let expected = data
        .iter()
        .map(|&it| (0..300).fold(it, |x, _| x.wrapping_mul(x).wrapping_add(1)));
    assert!(out.iter().copied().eq(expected));
}

#[test]
fn pinned_memory_of_one_device_serves_all() {
    let mut streamer = two();
    let mut data = streamer.pinned(4 * 300_001).expect("pinned");
    let numbers: Vec<u32> = numbers(300_001).map(|it| it as u32).collect();
    data.copy_from_slice(bytemuck::cast_slice(&numbers));
    let mut out = streamer.pinned(4 * 300_001).expect("pinned");
    let add = Operation::new("return a + b;");
    let (from, to) = (
        Source::pinned::<u32>(&mut data),
        Sink::pinned::<u32>(&mut out),
    );
    streamer
        .scan(&add, Scan::Exclusive(5_u32), from, to)
        .expect("scanned");
    let mut before = 5_u32;
    for (&got, &it) in bytemuck::cast_slice::<u8, u32>(&out).iter().zip(&numbers) {
        assert_eq!(got, before);
        before = before.wrapping_add(it);
    }
}

#[test]
fn the_least_memory_decides_how_long_chunks_are() {
    let mut streamer = streamer();
    let little = Options {
        map: false,
        ..Options::new(200_000)
    };
    streamer.join(Streamer::new(device(), little).expect("a streamer"));
    let data: Vec<u32> = numbers(100_000).map(|it| it as u32).collect();
    let add = Operation::new("return a + b;");
    let (sum, report) = streamer
        .reduce(&add, Source::slice(&data))
        .expect("reduced");
    assert_eq!(sum, data.iter().copied().reduce(u32::wrapping_add));
    assert_eq!(report.trips[0].plan.chunk_elements, 16_384);
}

#[test]
fn what_fails_on_one_device_ends_the_others_too() {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(&vec![1; 700_000]).expect("written");
    let mut streamer = two();
    let add = Operation::new("return a + b;");
    let mut out = vec![0_u32; 300_000];
    for _ in 0..3 {
        let short = Source::file(&file, 0, Type::U32, 300_000);
        let refused = streamer.scan(&add, Scan::<u32>::Inclusive, short, Sink::slice(&mut out));
        let refused = refused.expect_err("500000 bytes are missing");
        assert!(matches!(refused, StreamError::File { .. }), "{refused}");
        let whole = Source::file(&file, 0, Type::U32, 175_000);
        let (sum, _) = streamer.reduce::<u32>(&add, whole).expect("reduced");
        assert_eq!(sum, Some(0x0101_0101_u32.wrapping_mul(175_000)));
    }
}
