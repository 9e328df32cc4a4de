//! What fails says why, and leaves nothing behind.

use std::{fs::File, io::Write, sync::atomic::Ordering::Relaxed, thread};

use kerncast_primitives::{
    Cancel, ElementType, Operation, Options, Sink, Source, StreamError, Streamer,
};

use crate::{all, device, numbers, streamer};

#[test]
fn too_little_memory_is_refused_with_what_is_missing() {
    let options = Options {
        map: false,
        ..Options::new(50_000)
    };
    let mut streamer = Streamer::new(device(), options).expect("a streamer");
    let data = [1_u64; 5000];
    let refused = streamer.reduce::<u64>(&Operation::new("return a + b;"), Source::slice(&data));
    let refused = refused.expect_err("three chunks of a tile are 98304 bytes and their sums");
    let message = refused.to_string();
    assert!(
        matches!(refused, StreamError::Memory { budget: 50_000, .. })
            && message.starts_with("a reduction needs 65544 bytes of device memory, 15544 more"),
        "{message}"
    );
    let mut out = [7_u64; 5000];
    let refused = streamer.sort(Source::slice(&data), Sink::slice(&mut out));
    assert!(matches!(refused, Err(StreamError::Memory { .. })));
    assert_eq!(out, [7; 5000], "as it was");
}

#[test]
fn a_file_that_ends_early_is_told_and_the_next_call_works() {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(&[1; 100_000]).expect("written");
    let mut streamer = streamer();
    let add = Operation::new("return a + b;");
    for _ in 0..3 {
        let short = Source::file(&file, 0, ElementType::U32, 30_000);
        let refused = streamer
            .reduce::<u32>(&add, short)
            .expect_err("20000 bytes are missing");
        assert!(matches!(refused, StreamError::File { .. }), "{refused}");
        let whole = Source::file(&file, 0, ElementType::U32, 25_000);
        let (sum, _) = streamer.reduce::<u32>(&add, whole).expect("reduced");
        assert_eq!(sum, Some(0x0101_0101_u32.wrapping_mul(25_000)));
    }
}

#[test]
fn a_sort_whose_output_is_full_says_so_in_one_trip_and_in_two() {
    // A full device: what is written to /dev/full is not stored.
    let full = File::options()
        .write(true)
        .open("/dev/full")
        .expect("Linux has it");
    let mut streamer = streamer();
    for length in [10_000, 200_000] {
        let data: Vec<u32> = numbers(length).map(|it| it as u32).collect();
        let to = Sink::file(&full, 0, ElementType::U32, length as u64);
        let refused = streamer.sort(Source::slice(&data), to);
        let refused = refused.expect_err("the output is full");
        assert!(refused.to_string().contains("writing"), "{refused}");
    }
}

#[test]
fn a_sort_is_cancelled_in_its_second_trip_and_the_next_one_works() {
    let data: Vec<u32> = numbers(400_000).map(|it| it as u32).collect();
    let mut expected = data.clone();
    expected.sort_unstable();
    let mut streamer = streamer();
    for _ in 0..40 {
        let cancel = Cancel::default();
        streamer.cancel_with(cancel.clone());
        let moved = streamer.moved_bytes();
        // Four times the array: there and back twice.
        let second = moved.load(Relaxed) + 5 * size_of_val(&data[..]) as u64 / 2;
        let mut sorted = vec![0; data.len()];
        let result = thread::scope(|scope| {
            scope.spawn(|| {
                while moved.load(Relaxed) < second {
                    thread::yield_now();
                }
                cancel.cancel();
            });
            streamer.sort(Source::slice(&data), Sink::slice(&mut sorted))
        });
        streamer.cancel_with(Cancel::default());
        if matches!(result, Err(StreamError::Cancelled)) {
            assert!(
                sorted.iter().any(|it| *it != 0),
                "the second trip had begun"
            );
            let result = streamer.sort(Source::slice(&data), Sink::slice(&mut sorted));
            assert!(result.is_ok() && sorted == expected);
            return;
        }
    }
    panic!("no sort was ended in time");
}

#[test]
fn pinned_memory_is_the_callers_again_after_a_failure() {
    let mut streamer = streamer();
    let mut pinned = streamer.pinned(400_000).expect("pinned");
    let full = File::options()
        .write(true)
        .open("/dev/full")
        .expect("Linux has it");
    let identity = Operation::new("return x;");
    let to = Sink::file(&full, 0, ElementType::U32, 100_000);
    let refused = streamer.transform(&identity, vec![Source::pinned::<u32>(&mut pinned)], to);
    assert!(refused.is_err());
    // It panics where a part is still on its way.
    assert!(pinned.iter().all(|it| *it == 0));
}

#[test]
fn what_is_cancelled_ends_soon_and_the_next_call_works() {
    let data: Vec<u32> = numbers(2_000_000).map(|it| it as u32).collect();
    let slow = Operation::new("for (int k = 0; k < 1000; ++k) x = x * x + 1;\nreturn x;");
    let mut out = vec![0_u32; data.len()];
    for mut streamer in all() {
        let cancel = Cancel::default();
        streamer.cancel_with(cancel.clone());
        let moved = streamer.moved_bytes();
        let cancelled = thread::scope(|scope| {
            scope.spawn(move || {
                while moved.load(Relaxed) == 0 {
                    thread::yield_now();
                }
                cancel.cancel();
            });
            streamer.transform(&slow, vec![Source::slice(&data)], Sink::slice(&mut out))
        });
        assert!(
            matches!(cancelled, Err(StreamError::Cancelled)),
            "{cancelled:?}"
        );
        let refused = streamer.sort(Source::slice(&data), Sink::slice(&mut out));
        assert!(matches!(refused, Err(StreamError::Cancelled)), "for good");
        streamer.cancel_with(Cancel::default());
        let add = Operation::new("return a + b;");
        let (sum, _) = streamer
            .reduce(&add, Source::slice(&data))
            .expect("reduced");
        assert_eq!(sum, data.iter().copied().reduce(u32::wrapping_add));
    }
}
