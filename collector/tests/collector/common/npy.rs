//! numpy's files, through the first device.

use std::path::Path;

use kerncast_opencl::devices;
use kerncast_primitives::{Npy, Number, Operation, Options, Sink, Source, Streamer};

/// A new file of these numbers.
pub(crate) fn write<T: Number>(path: &Path, data: &[T]) {
    let file = Npy::create(path, T::TYPE, data.len() as u64).expect("a file");
    same(Source::slice(data), file.sink());
}

/// The numbers of a file.
pub(crate) fn read<T: Number>(path: &Path) -> Vec<T> {
    let file = Npy::open(path).expect("an array");
    assert_eq!(file.element(), T::TYPE);
    let mut data = vec![T::zeroed(); usize::try_from(file.length()).expect("small")];
    same(file.source(), Sink::slice(&mut data));
    data
}

fn same(from: Source<'_>, to: Sink<'_>) {
    let device = devices().expect("an OpenCL device").remove(0);
    let mut streamer = Streamer::new(device, Options::new(64 << 20)).expect("a streamer");
    let same = Operation::new("return x;");
    streamer
        .transform(&same, vec![from], to)
        .expect("read and written");
}
