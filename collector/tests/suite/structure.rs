//! What the whole suite promises: its kernels, sizes and inputs, and variants that agree.

use kerncast_collector::{
    Data, Prepared,
    opencl::devices,
    run_once,
    suite::{Launch, Size},
};
use kerncast_wire::DeviceKind;

use crate::suite;

#[test]
fn the_suite_is_the_ten_programs_of_the_paper() {
    let names: Vec<String> = suite().into_iter().map(|kernel| kernel.name).collect();
    assert_eq!(
        names,
        [
            "aes_encrypt",
            "binomial_option",
            "dct8x8",
            "dwt_haar_1d",
            "fdtd3d",
            "matrix_mul",
            "matrix_multiplication",
            "median_filter",
            "n_body",
            "sobel_filter",
        ]
    );
}

#[test]
fn every_kernel_has_both_variants_a_family_and_sizes_for_small_and_large_devices() {
    for kernel in suite() {
        let name = &kernel.name;
        let variants: Vec<&str> = kernel
            .variants
            .iter()
            .map(|variant| &*variant.name)
            .collect();
        assert_eq!(variants, ["global", "local"], "{name}");
        assert!(kernel.family.is_some(), "{name}");

        let (everywhere, gpu): (Vec<&Size>, Vec<_>) =
            kernel.sizes.iter().partition(|size| size.on.is_empty());
        assert!(everywhere.len() >= 5, "{name}");
        assert!(
            gpu.len() >= 2 && gpu.iter().all(|size| size.on == [DeviceKind::Gpu]),
            "{name}"
        );
    }
}

#[test]
fn every_launch_fits_a_gpu_with_4_gb_and_groups_of_64_to_256() {
    for kernel in suite() {
        for variant in &kernel.variants {
            for size in &kernel.sizes {
                let launch = Launch::new(&kernel, variant, &size.parameters).expect("a launch");
                let at = format!("{}, {}, {:?}", kernel.name, variant.name, size.parameters);
                assert!(launch.global_bytes() < 4_000_000_000, "{at}");
                assert!((64..=256).contains(&launch.work_group_size()), "{at}");
            }
        }
    }
}

#[test]
fn only_the_local_variants_use_local_memory() {
    let device = &devices().expect("an OpenCL device")[0];
    for kernel in suite() {
        for (variant, uses) in [("global", false), ("local", true)] {
            let size = &kernel.sizes[0].parameters;
            let prepared = Prepared::new(device, &kernel, variant, size).expect("it builds");
            assert_eq!(prepared.local_bytes > 0, uses, "{}, {variant}", kernel.name);
        }
    }
}

#[test]
fn a_second_launch_repeats_the_first() {
    let device = &devices().expect("an OpenCL device")[0];
    for kernel in suite() {
        for variant in ["global", "local"] {
            let size = &kernel.sizes[0].parameters;
            let mut prepared = Prepared::new(device, &kernel, variant, size).expect("it builds");
            let mut launch = || {
                prepared.refill().expect("filled anew");
                prepared.launch().expect("it runs");
                prepared.outputs().expect("outputs")
            };
            assert_eq!(launch(), launch(), "{}, {variant}", kernel.name);
        }
    }
}

#[test]
fn variants_have_the_same_random_inputs_and_agree() {
    for kernel in suite() {
        let (name, size) = (&kernel.name, &kernel.sizes[0].parameters);
        let run = |variant: &str| run_once(&kernel, variant, size).expect("it runs");
        let (global, local) = (run("global"), run("local"));
        assert_eq!(global.inputs, local.inputs, "{name}");
        for (input, data) in &global.inputs {
            assert!(!constant(data), "{name}: {input} is one number throughout");
        }
        for (output, data) in &local.outputs {
            let pairs = numbers(data).zip(numbers(&global.outputs[output]));
            for (index, (a, b)) in pairs.enumerate() {
                let agrees = (a - b).abs()
                    <= kernel.tolerance.absolute + kernel.tolerance.relative * b.abs();
                assert!(agrees, "{name}: {output}[{index}] is {a} and {b}");
            }
        }
    }
}

fn constant(data: &Data) -> bool {
    let mut numbers = numbers(data);
    let first = numbers.next();
    numbers.all(|number| Some(number) == first)
}

/// The components of the two types that the suite's outputs and inputs have.
fn numbers(data: &Data) -> Box<dyn Iterator<Item = f64> + '_> {
    match data {
        Data::Uchar(components) => Box::new(components.iter().copied().map(f64::from)),
        _ => Box::new(data.as_f32().iter().copied().map(f64::from)),
    }
}
