//! Elements that are structures.

use bytemuck::{Pod, Zeroable};
use kerncast_primitives::{
    Element, Field, Kind, Operation, Record, Scan, Sink, Source, StreamError, Streamer, Type,
    Unnamed, record,
};
use proptest::prelude::*;

use crate::{all, alone, numbers, streamer};

/// Tile ± 1, chunk ± 1 (a mebibyte has three chunks of 8 to 12 bytes in 32,768 elements at most), and none.
const LENGTHS: [usize; 11] = [
    0, 1, 4095, 4096, 4097, 16_383, 16_385, 32_767, 32_768, 32_769, 100_001,
];

#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Complex {
    re: f32,
    im: f32,
}
record!(Complex { re: f32, im: f32 });

/// Twelve bytes, in words of two.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Sample {
    of: u16,
    bytes: [i8; 6],
    last: [u16; 2],
}
record!(Sample {
    of: u16,
    bytes: [i8; 6],
    last: [u16; 2]
});

/// Of numbers modulo 2³², by rows.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Matrix {
    of: [u32; 4],
}
record!(Matrix { of: [u32; 4] });

/// With a record in it, and more bytes than other elements have.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Wide {
    key: u64,
    points: [Complex; 5],
}
record!(Wide {
    key: u64,
    points: [Complex; 5]
});

/// x -> by · x + plus modulo 2³².
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Affine {
    by: u32,
    plus: u32,
}
record!(Affine { by: u32, plus: u32 });

impl Affine {
    fn before(self, next: Self) -> Self {
        Self {
            by: next.by.wrapping_mul(self.by),
            plus: next.by.wrapping_mul(self.plus).wrapping_add(next.plus),
        }
    }
}

fn after() -> Operation {
    Operation::new("Affine both = { b.by * a.by, b.by * a.plus + b.plus };\nreturn both;")
}

impl Matrix {
    fn times(self, other: Self) -> Self {
        let (a, b) = (self.of, other.of);
        let at = |row: usize, column: usize| {
            let [one, other] = [0, 1].map(|k| a[2 * row + k].wrapping_mul(b[2 * k + column]));
            one.wrapping_add(other)
        };
        Self {
            of: [at(0, 0), at(0, 1), at(1, 0), at(1, 1)],
        }
    }
}

fn product() -> Operation {
    Operation::new(
        "Matrix both;\n\
         for (int i = 0; i < 4; ++i)\n\
         both.of[i] = a.of[i / 2 * 2] * b.of[i % 2] + a.of[i / 2 * 2 + 1] * b.of[i % 2 + 2];\n\
         return both;",
    )
}

fn complex(length: usize) -> Vec<Complex> {
    // Products of whole numbers so small are exact.
    let small = |number: u64| (number % 1000) as f32 - 500.0;
    let each = numbers(length).map(|it| Complex {
        re: small(it >> 20),
        im: small(it >> 40),
    });
    each.collect()
}

fn samples(length: usize) -> Vec<Sample> {
    let words = numbers(2 * length).collect::<Vec<u64>>();
    let bytes = bytemuck::cast_slice::<u64, u8>(&words);
    bytemuck::cast_slice(&bytes[..12 * length]).to_vec()
}

fn matrices(length: usize) -> Vec<Matrix> {
    let words: Vec<u32> = numbers(4 * length).map(|it| (it >> 20) as u32).collect();
    bytemuck::cast_slice(&words).to_vec()
}

#[test]
fn transforms_of_records() {
    let times = "Complex out = { x.re * by.re - x.im * by.im, x.re * by.im + x.im * by.re };\n\
                 out.im += y.bytes[1] + (float)(i % 8);\nreturn out;";
    let by = Complex { re: 3.0, im: -2.0 };
    let times = Operation::new(times).with("by", by).expect("a name");
    for mut streamer in all() {
        for length in LENGTHS {
            let (x, y) = (complex(length), samples(length));
            let mut out = vec![Complex::zeroed(); length];
            let inputs = vec![Source::slice(&x), Source::slice(&y)];
            let report = streamer.transform(&times, inputs, Sink::slice(&mut out));
            assert_eq!(report.expect("transformed").element, Complex::KIND);
            let expected = x.iter().zip(&y).zip(0_u64..).map(|((x, y), i)| Complex {
                re: x.re * by.re - x.im * by.im,
                im: x.re * by.im + x.im * by.re + f32::from(y.bytes[1]) + (i % 8) as f32,
            });
            assert!(out.iter().copied().eq(expected), "{length} elements");
        }
    }
    // To a number, from a file.
    let data = samples(50_000);
    let mut file = tempfile::tempfile().expect("a file");
    std::io::Write::write_all(&mut file, bytemuck::cast_slice(&data)).expect("written");
    let mut out = vec![0_u16; data.len()];
    let from = Source::file(&file, 0, Sample::KIND, 50_000);
    let last = Operation::new("return x.last[1];");
    let done = streamer().transform(&last, vec![from], Sink::slice(&mut out));
    done.expect("transformed");
    assert!(out.into_iter().eq(data.iter().map(|it| it.last[1])));
}

#[test]
fn reductions_and_scans_of_records_keep_their_order() {
    for mut streamer in all() {
        for length in LENGTHS {
            check_products(&mut streamer, length);
        }
    }
}

/// Of sixteen bytes, and of eight, which go through local memory as numbers do.
fn check_products(streamer: &mut Streamer, length: usize) {
    let first = Matrix { of: [1, 2, 3, 4] };
    check_product(
        streamer,
        &product(),
        &matrices(length),
        first,
        Matrix::times,
    );
    let data: Vec<u64> = numbers(length).collect();
    let first = Affine { by: 7, plus: 9 };
    check_product(
        streamer,
        &after(),
        bytemuck::cast_slice(&data),
        first,
        Affine::before,
    );
}

fn check_product<T: Element + PartialEq + std::fmt::Debug>(
    streamer: &mut Streamer,
    operation: &Operation,
    data: &[T],
    first: T,
    both: fn(T, T) -> T,
) {
    let length = data.len();
    let (all, _) = streamer
        .reduce(operation, Source::slice(data))
        .expect("reduced");
    assert_eq!(all, data.iter().copied().reduce(both), "{length} elements");

    let mut out = vec![T::zeroed(); length];
    let to = Sink::slice(&mut out);
    let inclusive = Scan::<T>::Inclusive;
    streamer
        .scan(operation, inclusive, Source::slice(data), to)
        .expect("scanned");
    let mut before = None;
    let expected = data.iter().map(|&it| {
        let next = before.map_or(it, |before| both(before, it));
        before = Some(next);
        next
    });
    assert!(out.iter().copied().eq(expected), "{length} elements");

    let to = Sink::slice(&mut out);
    streamer
        .scan(operation, Scan::Exclusive(first), Source::slice(data), to)
        .expect("scanned");
    let mut before = first;
    let expected = data.iter().map(|&it| {
        let here = before;
        before = both(here, it);
        here
    });
    assert!(out.iter().copied().eq(expected), "{length} elements");
}

#[test]
fn chains_of_records_and_a_share_of_the_host() {
    let data: Vec<u32> = numbers(150_000).map(|it| (it >> 30) as u32).collect();
    let shear = Operation::new("Matrix it = { { 1, x, (uint)i, 1 } };\nreturn it;");
    let sheared = data
        .iter()
        .zip(0_u32..)
        .map(|(&x, i)| Matrix { of: [1, x, i, 1] });
    let expected = sheared.clone().reduce(Matrix::times);
    let mut streamer = streamer();
    let chain = streamer.from(Source::slice(&data));
    let (all, _) = chain
        .transform::<Matrix>(&shear)
        .reduce::<Matrix>(&product())
        .expect("reduced");
    assert_eq!(all, expected);
    let mut out = vec![Matrix::zeroed(); data.len()];
    let chain = streamer.from(Source::slice(&data));
    chain
        .transform::<Matrix>(&shear)
        .scan(&product(), Scan::<Matrix>::Inclusive)
        .into(Sink::slice(&mut out))
        .expect("scanned");
    assert_eq!(out.last().copied(), expected);

    streamer.share_with_host(true);
    let mut pinned = streamer.pinned(16 * data.len()).expect("pinned");
    let matrices: Vec<Matrix> = sheared.collect();
    pinned.copy_from_slice(bytemuck::cast_slice(&matrices));
    let product = product().fold_on_host(Matrix::times);
    let (all, _) = streamer
        .reduce::<Matrix>(&product, Source::pinned::<Matrix>(&mut pinned))
        .expect("reduced");
    assert_eq!(all, expected);
}

#[test]
fn records_go_where_indices_say_and_come_from_there() {
    for mut streamer in alone() {
        for length in LENGTHS {
            let data = samples(length);
            // Odd factors modulo a power of two: each place once.
            let places = length.next_power_of_two() as u64;
            let index: Vec<u64> = (0..length as u64).map(|it| it * 40_503 % places).collect();
            let mut out = vec![samples(1)[0]; places as usize];
            let (from, to) = (Source::slice(&data), Sink::slice(&mut out));
            streamer
                .scatter(Source::slice(&index), from, to, Unnamed::Zero)
                .expect("scattered");
            let mut expected = vec![Sample::zeroed(); places as usize];
            for (&at, &it) in index.iter().zip(&data) {
                expected[at as usize] = it;
            }
            assert!(out == expected || length == 0, "{length} elements");

            let mut back = vec![Sample::zeroed(); length];
            let to = Sink::slice(&mut back);
            streamer
                .gather(Source::slice(&index), Source::slice(&out), to)
                .expect("gathered");
            assert!(back == data, "{length} elements");
        }
    }
}

#[test]
fn records_are_sorted_by_keys_and_reduced_by_them() {
    for length in LENGTHS {
        let keys: Vec<i16> = numbers(length).map(|it| (it >> 30) as i16 % 300).collect();
        check_sort(&keys, &samples(length));
        check_sort(&keys, &wide(length));
    }
    let mut keys: Vec<u32> = numbers(70_000).map(|it| (it >> 30) as u32 % 9000).collect();
    keys.sort_unstable();
    let data = matrices(keys.len());
    let (mut keys_out, mut out) = (Vec::new(), Vec::new());
    let (keys_to, to) = (&mut keys_out, &mut out);
    streamer()
        .reduce_by_key(
            &product(),
            Source::slice(&keys),
            Source::slice(&data),
            |runs| {
                keys_to.resize(runs as usize, 0_u32);
                to.resize(runs as usize, Matrix::zeroed());
                Ok((Sink::slice(keys_to), Sink::slice(to)))
            },
        )
        .expect("reduced");
    let mut place = 0;
    let mut expected = Vec::new();
    for run in keys.chunk_by(|a, b| a == b) {
        let values = data[place..place + run.len()].iter().copied();
        place += run.len();
        expected.push((run[0], values.reduce(Matrix::times).expect("a run")));
    }
    assert_eq!(
        (keys_out.len(), out.len()),
        (expected.len(), expected.len())
    );
    for (at, (found, right)) in keys_out.into_iter().zip(out).zip(expected).enumerate() {
        assert_eq!(found, right, "run {at}");
    }
}

/// Named as what a kernel might have of its own.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Pair {
    runs: u32,
    value: i32,
}
record!(Pair {
    runs: u32,
    value: i32
});

#[test]
fn a_records_name_is_the_callers_own() {
    let keys: Vec<u8> = numbers(9000).map(|it| (it >> 62) as u8).collect();
    let pairs = numbers(9000).map(|it| Pair {
        runs: (it >> 40) as u32 % 1000,
        value: it as i32,
    });
    let pairs: Vec<Pair> = pairs.collect();
    let most = Operation::new("Pair most = a.runs < b.runs ? b : a;\nreturn most;");
    let (mut keys_out, mut out) = (Vec::new(), Vec::new());
    let (keys_to, to) = (&mut keys_out, &mut out);
    let (from, values) = (Source::slice(&keys), Source::slice(&pairs));
    streamer()
        .reduce_by_key(&most, from, values, |runs| {
            keys_to.resize(runs as usize, 0_u8);
            to.resize(runs as usize, Pair::zeroed());
            Ok((Sink::slice(keys_to), Sink::slice(to)))
        })
        .expect("reduced");
    let mut place = 0;
    for (at, run) in keys.chunk_by(|a, b| a == b).enumerate() {
        let values = pairs[place..place + run.len()].iter().copied();
        place += run.len();
        let most = values.reduce(|a, b| if a.runs < b.runs { b } else { a });
        assert_eq!((keys_out[at], Some(out[at])), (run[0], most));
    }
    assert_eq!(place, 9000);
}

fn wide(length: usize) -> Vec<Wide> {
    let points = complex(5 * length);
    let points = points.chunks_exact(5).zip(numbers(length));
    let of = |(points, key): (&[Complex], u64)| Wide {
        key,
        points: points.try_into().expect("five"),
    };
    points.map(of).collect()
}

fn check_sort<T: Element + PartialEq>(keys: &[i16], values: &[T]) {
    let mut pairs: Vec<(i16, T)> = keys.iter().copied().zip(values.iter().copied()).collect();
    let (mut keys, mut values) = (keys.to_vec(), values.to_vec());
    streamer()
        .sort_by_key(Sink::slice(&mut keys), Sink::slice(&mut values), None)
        .expect("sorted");
    pairs.sort_by_key(|it| it.0);
    assert!(keys.into_iter().zip(values).eq(pairs));
}

#[test]
fn what_makes_no_sense_of_records_is_refused() {
    let mut streamer = streamer();
    let mut data = complex(10);
    let refused = streamer.sort(Sink::slice(&mut data), None);
    let told = refused.expect_err("no order").to_string();
    assert_eq!(told, "the keys: elements of type Complex; expected numbers");
    let mut out = data.clone();
    let refused = [
        streamer.top_k(Source::slice(&data), Sink::slice(&mut out)),
        streamer.segmented_sort(Source::slice(&data), &[0, 10], Sink::slice(&mut out)),
        streamer.merge(
            Source::slice(&data[..4]),
            Source::slice(&data[4..]),
            Sink::slice(&mut out),
        ),
    ];
    for refused in refused {
        assert!(
            matches!(refused, Err(StreamError::Shape { .. })),
            "{refused:?}"
        );
    }
    let refused = streamer.unique(Source::slice(&data), |_| panic!("not asked"));
    assert!(matches!(refused, Err(StreamError::Shape { .. })));
    let wrong = Operation::new("return a + b;");
    let refused = streamer.reduce::<u64>(&wrong, Source::slice(&data));
    let told = refused.expect_err("another type").to_string();
    assert_eq!(told, "the input: elements of type Complex; expected u64");
}

/// As [`Complex`], with another declaration.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Swapped {
    re: f32,
    im: f32,
}

impl Element for Swapped {
    const KIND: Kind = {
        const FIELDS: &[Field] = &[Field::of::<f32>("im", 4), Field::of::<f32>("re", 0)];
        const RECORD: Record = Record::of::<Swapped>("Swapped", FIELDS);
        Kind::Record(&RECORD)
    };
}

#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Short {
    re: f32,
    im: f32,
}

impl Element for Short {
    const KIND: Kind = {
        const FIELDS: &[Field] = &[Field::of::<f32>("re", 0)];
        const RECORD: Record = Record::of::<Short>("Short", FIELDS);
        Kind::Record(&RECORD)
    };
}

#[test]
fn a_wrong_declaration_is_refused_with_both_layouts() {
    let mut streamer = streamer();
    let data = [Swapped { re: 1.0, im: 2.0 }; 3];
    let mut out = [0.0_f32; 3];
    let first = Operation::new("return x.re;");
    let refused = streamer.transform(&first, vec![Source::slice(&data)], Sink::slice(&mut out));
    let told = refused.expect_err("swapped").to_string();
    assert_eq!(
        told,
        "the record Swapped: its first byte of im is 0 on the device, and 4 in Rust"
    );
    let first = Operation::new("return k.re;").with("k", Short { re: 1.0, im: 2.0 });
    let first = first.expect("a name");
    let refused = streamer.transform(
        &first,
        vec![Source::slice(&out)],
        Sink::slice(&mut [0_u8; 3]),
    );
    let told = refused.expect_err("shorter").to_string();
    assert_eq!(
        told,
        "the record Short: its size is 4 on the device, and 8 in Rust"
    );
    assert_eq!(out.map(f32::to_bits), [0; 3]);
}

#[test]
fn mistakes_have_their_own_lines_beside_records() {
    let wrong = Operation::new("Complex twice = x;\ntwice.re *= 2;\nreturn twise;");
    let wrong = wrong.with("by", Wide::zeroed()).expect("a name");
    let data = complex(3);
    let mut out = data.clone();
    let refused = streamer().transform(&wrong, vec![Source::slice(&data)], Sink::slice(&mut out));
    let told = refused.expect_err("no such name").to_string();
    assert!(told.contains("operation:3:8"), "{told}");
    // No such field.
    let wrong = Operation::new("return x.lenght;");
    let from = vec![Source::slice(&data)];
    let refused = streamer().transform(&wrong, from, Sink::slice(&mut [0.0_f32; 3]));
    let told = refused.expect_err("no such field").to_string();
    assert!(told.contains("operation:1:10"), "{told}");
    assert_eq!(Kind::from(Type::U8).opencl(), "uchar");
}

/// So many that no work-group's sums of them have room in local memory.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Huge {
    of: [[u64; 4096]; 2],
}

impl Element for Huge {
    const KIND: Kind = {
        const FIELDS: &[Field] = &[Field::of::<[u64; 8192]>("of", 0)];
        const RECORD: Record = Record::of::<Huge>("Huge", FIELDS);
        Kind::Record(&RECORD)
    };
}

#[test]
fn records_too_wide_are_refused_with_what_there_is_room_for() {
    let data = vec![Huge::zeroed(); 2];
    let refused = streamer().reduce::<Huge>(&Operation::new("return a;"), Source::slice(&data));
    let told = refused.expect_err("too wide").to_string();
    assert!(
        told.starts_with("what becomes one: elements of 65536 bytes; expected at most "),
        "{told}"
    );
    let mut data = vec![Huge::zeroed(); 2];
    let refused =
        streamer().sort_by_key(Sink::slice(&mut [2_u32, 1]), Sink::slice(&mut data), None);
    let told = refused.expect_err("too wide").to_string();
    assert_eq!(
        told,
        "the values: elements of 65536 bytes; expected at most 106"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn products_whatever_the_length(length in 0_usize..120_000) {
        check_products(&mut streamer(), length);
    }
}

/// A keyword of Rust alone.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Kept {
    r#type: u32,
    uint: u32,
}
record!(Kept {
    r#type: u32,
    uint: u32
});

#[test]
fn names_that_opencl_c_keeps_for_itself_are_refused_and_others_are_not() {
    let data = [Kept { r#type: 1, uint: 2 }; 5];
    let mut out = [0_u32; 5];
    let operation = Operation::new("return x.type + 10 * x.uint;");
    streamer()
        .transform(
            &operation,
            vec![Source::slice(&data)],
            Sink::slice(&mut out),
        )
        .expect("transformed");
    assert_eq!(out, [21; 5]);
    for name in ["local", "half", "r#const"] {
        let field = std::panic::catch_unwind(|| Field::of::<u32>(name, 0));
        let why = field.expect_err("it is a keyword");
        let why = why.downcast_ref::<&str>().expect("a message");
        assert!(why.contains("a keyword of OpenCL C"), "{why}");
    }
}
