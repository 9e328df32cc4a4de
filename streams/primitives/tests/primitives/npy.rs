//! numpy's files.

use std::fs;

use kerncast_primitives::{
    ElementType, Npy, Operation, Sink, Source, StreamError, StreamJob, StreamWay, StreamWork,
};

use crate::{numbers, streamer};

/// The header that numpy 2.1 writes for `np.array([3, 1, 2], dtype)`.
fn header(dtype: &str, shape: &str) -> Vec<u8> {
    let text = format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}");
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    bytes.extend(format!("{text:<117}\n").bytes());
    bytes
}

#[test]
fn a_file_is_sorted_into_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let (from, to) = (folder.path().join("from.npy"), folder.path().join("to.npy"));
    let data: Vec<i32> = numbers(200_000).map(|it| it as i32).collect();
    let mut bytes = header("<i4", "(200000,)");
    bytes.extend(bytemuck::cast_slice(&data));
    fs::write(&from, bytes).expect("written");

    let mut streamer = streamer();
    let from = Npy::open(&from).expect("an array");
    assert_eq!((from.element(), from.length()), (ElementType::I32, 200_000));
    let out = Npy::create(&to, from.element(), from.length()).expect("a new file");
    let identity = Operation::new("return x;");
    let job = StreamJob::new(StreamWork::Sort, ElementType::I32, 200_000, StreamWay::File);
    let plan = streamer.plan(&job).expect("a plan").trips;
    let report = streamer.sort(from.source(), out.sink());
    let report = report.expect("sorted");
    let chunks: Vec<_> = report
        .trips
        .iter()
        .map(|it| it.plan.chunk_elements)
        .collect();
    assert_eq!(
        plan.iter()
            .map(|it| it.plan.chunk_elements)
            .collect::<Vec<_>>(),
        chunks
    );
    assert!(report.trips.len() == 2 && report.trips[0].plan.chunks == plan[0].plan.chunks);
    drop(out);

    let again = Npy::open(&to).expect("an array");
    assert_eq!(
        (again.element(), again.length()),
        (ElementType::I32, 200_000)
    );
    let mut back = vec![0_i32; data.len()];
    streamer
        .transform(&identity, vec![again.source()], Sink::slice(&mut back))
        .expect("read");
    let mut expected = data;
    expected.sort_unstable();
    assert!(back == expected);
    assert!(Npy::create(&to, ElementType::U8, 1).is_err(), "it is there");
    let read_only = Npy::open(&to).expect("an array");
    let refused = streamer.transform(&identity, vec![Source::slice(&back)], read_only.sink());
    assert!(matches!(refused, Err(StreamError::File { .. })));
}

#[test]
fn what_is_no_array_of_ours_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("it.npy");
    let message = |bytes: &[u8]| {
        fs::write(&path, bytes).expect("written");
        Npy::open(&path).expect_err("refused").to_string()
    };
    let with = |dtype, shape| [&header(dtype, shape)[..], &[0; 24]].concat();
    assert!(message(&with(">i4", "(3,)")).contains("'>i4'; expected |i1, |u1, <i2"));
    assert!(message(&with("<c16", "(1,)")).contains("'<c16'; expected"));
    assert!(message(&with("<i4", "(2, 3)")).ends_with("has 2 dimensions; expected 1"));
    assert!(
        message(&with("<i4", "(7,)"))
            .ends_with("has 24 bytes after its header; expected 7 elements of 4 bytes")
    );
    assert!(message(&with("<i4", "(18446744073709551615,)")).contains("has 24 bytes"));
    assert!(message(b"PK\x03\x04").contains("is no .npy file: "));
}
