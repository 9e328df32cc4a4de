//! Transform, reduce, scan.

use std::os::unix::fs::FileExt;

use kerncast_opencl::DeviceKind;
use kerncast_primitives::{
    ElementType, Operation, Options, Sink, Source, StreamError, StreamWay, Streamer,
};

use crate::{all, device, mapped, numbers, streamer};

/// Tile ± 1, chunk ± 1 (of `u32` in a mebibyte), and none.
const LENGTHS: [usize; 10] = [
    0, 1, 4095, 4096, 4097, 40_959, 40_960, 40_961, 81_920, 300_001,
];

#[test]
fn transforms_are_those_of_std() {
    for mut streamer in all() {
        check_transforms(&mut streamer);
    }
}

fn check_transforms(streamer: &mut Streamer) {
    let operation = Operation::new("return 7 * x + (y ^ (uint)i);");
    for length in LENGTHS {
        let x: Vec<u32> = numbers(length).map(|it| it as u32).collect();
        let y: Vec<u8> = x.iter().map(|it| (it >> 9) as u8).collect();
        let mut out = vec![0_u32; length];
        let inputs = vec![Source::slice(&x), Source::slice(&y)];
        let report = streamer.transform(&operation, inputs, Sink::slice(&mut out));
        let report = report.expect("transformed");
        let expected = x.iter().zip(&y).zip(0_u32..);
        let expected =
            expected.map(|((x, y), i)| x.wrapping_mul(7).wrapping_add(u32::from(*y) ^ i));
        assert!(out.iter().copied().eq(expected), "{length} elements");
        let trip = &report.trips[0];
        assert_eq!(
            (trip.bytes_in, trip.bytes_out),
            (5 * length as u64, 4 * length as u64)
        );
        assert_eq!(
            trip.plan.chunks as u64,
            (length as u64).div_ceil(trip.plan.chunk_elements)
        );
    }
    assert_eq!(streamer.compiled_programs(), 1);
}

#[test]
fn mistakes_are_told_with_their_place() {
    let mut streamer = streamer();
    let x = [1.0_f64, -0.0, f64::NAN];
    let mut out = [0.0; 3];
    let twice = Operation::new("return 2 * x;");
    streamer
        .transform(&twice, vec![Source::slice(&x)], Sink::slice(&mut out))
        .expect("transformed");
    let bits = [2.0_f64, -0.0].map(f64::to_bits);
    assert_eq!(out.map(f64::to_bits)[..2], bits);
    assert!(out[2].is_nan());

    let mut out = [7.0; 3];
    let wrong = Operation::new("double twice = 2 * x;\nreturn twise;");
    let refused = streamer.transform(&wrong, vec![Source::slice(&x)], Sink::slice(&mut out));
    let refused = refused.expect_err("no such name");
    assert!(matches!(refused, StreamError::Operation(_)));
    assert!(refused.to_string().contains("operation:2:8"), "{refused}");
    let short = streamer.transform(&wrong, vec![Source::slice(&x[..2])], Sink::slice(&mut out));
    assert_eq!(
        short.expect_err("shorter").to_string(),
        "the input x: 2 elements; expected 3"
    );
    assert_eq!(out.map(f64::to_bits), [7.0_f64.to_bits(); 3]);
}

#[test]
fn reductions_are_those_of_std_and_repeat_their_bits() {
    for mut streamer in all() {
        check_reductions(&mut streamer);
    }
}

fn check_reductions(streamer: &mut Streamer) {
    let add = Operation::new("return a + b;");
    for length in LENGTHS {
        let data: Vec<u64> = numbers(length).collect();
        let (sum, _) = streamer
            .reduce(&add, Source::slice(&data))
            .expect("reduced");
        let expected = data.iter().copied().reduce(u64::wrapping_add);
        assert_eq!(sum, expected, "{length} elements");
    }
    // Not commutative: composition of x -> m x + c, m in the upper half.
    let data: Vec<u32> = numbers(100_000).map(|it| it as u32 | 0x1_0000).collect();
    let (all, _) = streamer
        .reduce(&compose(), Source::slice(&data))
        .expect("reduced");
    assert_eq!(all, data.iter().copied().reduce(composed));

    let floats: Vec<f32> = numbers(200_000).map(|it| it as f32 * 1e-9 - 5e9).collect();
    let (one, _) = streamer
        .reduce::<f32>(&add, Source::slice(&floats))
        .expect("reduced");
    let mut roomy = Streamer::new(device(), Options::new(64 << 20)).expect("a streamer");
    let (other, _) = roomy
        .reduce::<f32>(&add, Source::slice(&floats))
        .expect("reduced");
    assert_eq!(one.map(f32::to_bits), other.map(f32::to_bits));
}

#[test]
fn scans_are_those_of_std_whatever_the_operation() {
    for mut streamer in all() {
        check_scans(&mut streamer);
    }
}

fn check_scans(streamer: &mut Streamer) {
    for length in LENGTHS {
        let data: Vec<u32> = numbers(length).map(|it| it as u32).collect();
        let mut out = vec![0_u32; length];
        let (from, to) = (Source::slice(&data), Sink::slice(&mut out));
        streamer.scan(&compose(), from, to).expect("scanned");
        let mut before = None;
        let inclusive = data.iter().map(|&it| {
            let next = before.map_or(it, |before| composed(before, it));
            before = Some(next);
            next
        });
        assert!(out.iter().copied().eq(inclusive), "{length} elements");
    }
    assert_eq!(streamer.compiled_programs(), 1);
}

#[test]
fn more_than_two_to_the_thirty_two_elements() {
    let length = (1_u64 << 32) + 4097;
    let file = tempfile::tempfile().expect("a file");
    // Elements that nobody wrote are 0 and take no room.
    file.set_len(length).expect("a hole");
    for (at, number) in [
        (0, 1),
        (4095, 2),
        ((1 << 32) - 1, 4),
        (1 << 32, 8),
        (length - 1, 16),
    ] {
        file.write_all_at(&[number], at).expect("written");
    }
    // Chunks and pieces as on a machine: a mebibyte would take thousands of launches.
    let mut roomy = Streamer::new(device(), Options::new(256 << 20)).expect("a streamer");
    let add = Operation::new("return a + b;");
    let source = Source::file(&file, 0, ElementType::U8, length);
    let (sum, report) = roomy.reduce::<u8>(&add, source).expect("reduced");
    assert_eq!((sum, report.elements), (Some(31), length));
    assert_eq!(report.trips[0].bytes_in, length);
}

/// First `a`, then `b`, of functions x -> (upper half) · x + (lower half) modulo 2¹⁶.
fn composed(a: u32, b: u32) -> u32 {
    let (m, c) = (b >> 16, b & 0xffff);
    let lower = m.wrapping_mul(a & 0xffff).wrapping_add(c) & 0xffff;
    (m.wrapping_mul(a >> 16) << 16) | lower
}

fn compose() -> Operation {
    Operation::new(
        "uint m = b >> 16, c = b & 0xffff;\n\
         return ((m * (a >> 16)) << 16) | ((m * (a & 0xffff) + c) & 0xffff);",
    )
}

#[test]
fn a_device_that_is_the_hosts_processor_works_on_memory_where_it_lies() {
    let mut streamer = mapped();
    if device().facts.kind != DeviceKind::Cpu {
        return;
    }
    let x: Vec<u16> = numbers(300_001).map(|it| it as u16).collect();
    let mut out = streamer.pinned(2 * x.len()).expect("pinned");
    let twice = Operation::new("return 2 * x;");
    let to = Sink::pinned::<u16>(&mut out);
    let report = streamer.transform(&twice, vec![Source::slice(&x)], to);
    let plan = &report.expect("transformed").trips[0].plan;
    assert_eq!(
        (plan.ways_in[0], plan.ways_out[0]),
        (StreamWay::Mapped, StreamWay::Mapped)
    );
    assert_eq!((plan.slots, plan.chunks), (0, 4));
    let out: &[u16] = bytemuck::cast_slice(&out);
    assert!(out.iter().zip(&x).all(|(out, x)| *out == x.wrapping_mul(2)));
    // Files are read by pieces.
    let file = tempfile::tempfile().expect("a file");
    let to = Sink::file(&file, 0, ElementType::U16, x.len() as u64);
    let report = streamer.transform(&twice, vec![Source::slice(&x)], to);
    assert_eq!(
        report.expect("transformed").trips[0].plan.ways_in[0],
        StreamWay::Staged
    );
}
