//! Every kernel of the suite, in every variant, against references that share no code with it.

mod aes_encrypt;
mod binomial_option;
mod ciphers;
mod codecs;
mod convolution;
mod counting;
mod dct8x8;
mod dense;
mod dwt_haar_1d;
mod dynamic;
mod fdtd3d;
mod finance;
mod fourier;
mod functions;
mod gathering;
mod geometry;
mod graphs;
mod grids;
mod hashes;
mod images;
mod matrices;
mod n_body;
mod networks;
mod particles;
mod photographs;
mod physics;
mod pictures;
mod records;
mod reductions;
mod row_sorting;
mod rows_and_columns;
#[path = "../collector/common/run_once.rs"]
mod run_once;
mod selections;
mod sequences;
mod signals;
mod solvers;
mod sorting;
mod sparse;
mod stencils;
mod streams;
mod structure;
mod tensors;
mod trees_and_tables;
mod updates;
mod vertices;

use std::path::{Path, PathBuf};

use kerncast_suite::{Data, Kernel, Parameters, load};

use run_once::{RunOnce, run_once};

/// The suite's kernels, as this checkout has them.
fn suite() -> Vec<Kernel> {
    load(&folder("")).expect("the suite loads")
}

/// A kernel's folder.
fn folder(kernel: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../kernels")
        .join(kernel)
}

fn parameters<const N: usize>(pairs: [(&str, usize); N]) -> Parameters {
    pairs
        .map(|(name, value)| (name.to_owned(), i64::try_from(value).expect("a small size")))
        .into()
}

/// Runs every variant of `kernel` on the first OpenCL device and hands each to `check`.
fn for_each_variant<const N: usize>(
    kernel: &str,
    sizes: [(&str, usize); N],
    check: impl Fn(&RunOnce),
) {
    let kernel = &load(&folder(kernel)).expect("the suite has the kernel")[0];
    for variant in &kernel.variants {
        eprintln!("{}, {}", kernel.name, variant.name); // shown when the check fails
        check(&run_once(kernel, &variant.name, &parameters(sizes)).expect("it runs"));
    }
}

/// Runs every variant of `kernel`: each number of `output` lies within `tolerance` of the reference's,
/// which is given the inputs and the number's index.
fn assert_each<const N: usize, const M: usize>(
    kernel: &str,
    sizes: [(&str, usize); N],
    (inputs, output): ([&str; M], &str),
    tolerance: f64,
    reference: impl Fn(&[Vec<f64>; M], usize) -> f64,
) {
    for_each_variant(kernel, sizes, |run| {
        let inputs = inputs.map(|name| numbers(&run.inputs[name]));
        for (index, actual) in numbers(&run.outputs[output]).into_iter().enumerate() {
            let expected = reference(&inputs, index);
            assert!(
                (actual - expected).abs() <= tolerance,
                "{output}[{index}] is {actual}, expected {expected}"
            );
        }
    });
}

/// A buffer's components; exact but for 64-bit numbers above 2⁵³.
fn numbers(data: &Data) -> Vec<f64> {
    match data {
        Data::Char(components) => components.iter().copied().map(f64::from).collect(),
        Data::Uchar(components) => components.iter().copied().map(f64::from).collect(),
        Data::Short(components) => components.iter().copied().map(f64::from).collect(),
        Data::Ushort(components) => components.iter().copied().map(f64::from).collect(),
        Data::Int(components) => components.iter().copied().map(f64::from).collect(),
        Data::Uint(components) => components.iter().copied().map(f64::from).collect(),
        Data::Long(components) => components.iter().map(|whole| *whole as f64).collect(),
        Data::Ulong(components) => components.iter().map(|whole| *whole as f64).collect(),
        Data::Half(components) => components.iter().map(|half| half.to_f64()).collect(),
        Data::Float(components) => to_f64(components),
        Data::Double(components) => components.clone(),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "an index or a count out of a whole-number buffer"
)]
fn whole(number: f64) -> usize {
    number as usize
}

/// Every number within `tolerance` of the reference's.
#[track_caller]
fn assert_close(actual: &[f32], expected: &[f64], tolerance: f64) {
    assert_eq!(actual.len(), expected.len());
    for (index, (actual, expected)) in actual.iter().zip(expected).enumerate() {
        let difference = (f64::from(*actual) - expected).abs();
        assert!(
            difference <= tolerance,
            "element {index} is {actual}, expected {expected}"
        );
    }
}

fn to_f64(data: &[f32]) -> Vec<f64> {
    data.iter().copied().map(f64::from).collect()
}
