//! Every kernel of the suite, both variants, against references that share no code with it.

mod aes_encrypt;
mod binomial_option;
mod dct8x8;
mod dwt_haar_1d;
mod fdtd3d;
mod images;
mod matrices;
mod n_body;
mod structure;

use std::path::Path;

use kerncast_collector::{
    RunOnce, run_once,
    suite::{Kernel, Parameters, load},
};

/// The suite's kernels, as this checkout has them.
fn suite() -> Vec<Kernel> {
    load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels")).expect("the suite loads")
}

fn parameters<const N: usize>(pairs: [(&str, usize); N]) -> Parameters {
    pairs
        .map(|(name, value)| (name.to_owned(), i64::try_from(value).expect("a small size")))
        .into()
}

/// Runs both variants of `kernel` on the first OpenCL device and hands each to `check`.
fn for_each_variant<const N: usize>(
    kernel: &str,
    sizes: [(&str, usize); N],
    check: impl Fn(&RunOnce),
) {
    let suite = suite();
    let kernel = suite
        .iter()
        .find(|known| known.name == kernel)
        .expect("the suite has the kernel");
    for variant in ["global", "local"] {
        eprintln!("{}, {variant}", kernel.name); // shown when the check fails
        check(&run_once(kernel, variant, &parameters(sizes)).expect("it runs"));
    }
}

/// Every number within `tolerance` of the reference's.
#[track_caller]
fn assert_close(actual: &[f32], expected: &[f64], tolerance: f64) {
    assert_eq!(actual.len(), expected.len());
    for (index, (actual, expected)) in actual.iter().zip(expected).enumerate() {
        let apart = (f64::from(*actual) - expected).abs();
        assert!(
            apart <= tolerance,
            "element {index} is {actual}, expected {expected}"
        );
    }
}

fn to_f64(data: &[f32]) -> Vec<f64> {
    data.iter().copied().map(f64::from).collect()
}
