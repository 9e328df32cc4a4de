//! A folder of one's own, from launch file to outputs, on a real OpenCL device.

use std::path::Path;

use kerncast_suite as suite;

use crate::common::run_once::run_once;

#[test]
fn every_kind_of_argument_reaches_the_kernel() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels/scale");
    let kernel = &suite::load(&folder).expect("loads")[0];
    assert_eq!(kernel.reference().name, "global");
    for size in &kernel.sizes {
        let n = size.parameters["n"];
        for variant in ["global", "local"] {
            let run = run_once(kernel, variant, &size.parameters).expect("runs");
            let (a, bytes) = (run.inputs["a"].as_f32(), run.inputs["bytes"].as_u8());
            let (before, after) = (run.inputs["steps"].as_i32(), run.outputs["steps"].as_i32());
            let b = run.outputs["b"].as_f32();
            assert_eq!(b.len(), 4 * usize::try_from(n).expect("positive"));
            for (i, b) in b.iter().enumerate() {
                let expected = 0.5 * a[i] + f32::from(bytes[i / 4]);
                assert_eq!(b.to_bits(), expected.to_bits(), "{variant} component {i}");
            }
            for (i, before) in before.iter().enumerate() {
                assert_eq!(i64::from(*before), i as i64 % 7 - n);
                let added = if (i as i64) < n { n } else { 1 };
                assert_eq!(i64::from(after[i]), i64::from(*before) + added);
            }
        }
    }
}

#[test]
fn fills_are_the_same_every_time_and_differ_by_argument() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels/scale");
    let kernel = &suite::load(&folder).expect("loads")[0];
    let run = || {
        run_once(kernel, "global", &kernel.sizes[0].parameters)
            .expect("runs")
            .inputs
    };
    let (first, second) = (run(), run());
    assert_eq!(first, second);
    // Written down when fills were last changed: stored samples were measured with these inputs.
    assert_eq!(
        first["bytes"].as_u8()[..8],
        [81, 111, 252, 142, 217, 132, 72, 213]
    );
    let a = first["a"].as_f32();
    assert!(a.iter().all(|a| (-1.0..1.0).contains(a)));
    let mean = a.iter().sum::<f32>() / a.len() as f32;
    assert!(mean.abs() < 0.1, "{mean}");
}
