//! What the whole suite promises: its kernels, sizes and inputs, and variants that agree.

use kerncast_collector::PreparedLaunch;
use kerncast_opencl::devices;
use kerncast_suite::{Launch, Size, Variant};
use kerncast_wire::DeviceKind;

use crate::{numbers, run_once, suite};

#[test]
fn the_suite_holds_the_ten_programs_of_the_paper_and_at_least_a_hundred_kernels() {
    let names: Vec<String> = suite().into_iter().map(|kernel| kernel.name).collect();
    assert!(names.len() >= 100, "{names:?}");
    for program in [
        "aes_encrypt",
        "binomial_option",
        "dct8x8",
        "dwt_haar_1d",
        "fdtd3d",
        "matmul_float",
        "matmul_float4",
        "median_filter",
        "n_body",
        "sobel_filter",
    ] {
        assert!(names.iter().any(|name| name == program), "{program}");
    }
}

#[test]
fn every_kernel_has_a_global_variant_a_family_and_sizes_for_small_and_large_devices() {
    for kernel in suite() {
        let name = &kernel.name;
        assert_eq!(kernel.variants[0].name, "global", "{name}");
        assert!(kernel.family.is_some(), "{name}");

        for kind in [DeviceKind::Cpu, DeviceKind::Gpu] {
            let runs = |size: &&Size| size.on.is_empty() || size.on.contains(&kind);
            assert!(
                kernel.sizes.iter().filter(runs).count() >= 5,
                "{name} on {kind:?}"
            );
        }
        let large = kernel
            .sizes
            .iter()
            .filter(|size| size.on == [DeviceKind::Gpu]);
        assert!(large.count() >= 2, "{name}");
    }
}

#[test]
fn every_launch_fits_a_gpu_with_4_gb_and_groups_of_32_to_256() {
    for kernel in suite() {
        for variant in &kernel.variants {
            for size in &kernel.sizes {
                let launch = Launch::new(&kernel, variant, &size.parameters).expect("a launch");
                let at = format!("{}, {}, {:?}", kernel.name, variant.name, size.parameters);
                assert!(launch.global_bytes() < 4_000_000_000, "{at}");
                assert!((32..=256).contains(&launch.work_group_size()), "{at}");
            }
        }
    }
}

#[test]
fn a_second_launch_repeats_the_first_and_only_local_variants_use_local_memory() {
    let device = &devices().expect("an OpenCL device")[0];
    for kernel in suite() {
        for Variant { name, .. } in &kernel.variants {
            let at = format!("{}, {name}", kernel.name);
            let size = &kernel.sizes[0].parameters;
            let prepared = PreparedLaunch::new(device, &kernel, name, size).expect("it builds");
            assert_eq!(prepared.local_bytes > 0, name == "local", "{at}");
            let launch = || {
                prepared.refill().expect("filled anew");
                prepared.launch().expect("it runs");
                prepared.outputs().expect("outputs")
            };
            assert_eq!(launch(), launch(), "{at}");
        }
    }
}

#[test]
fn variants_have_the_same_random_inputs_and_agree() {
    for kernel in suite() {
        let (name, size) = (&kernel.name, &kernel.sizes[0].parameters);
        let run = |variant: &str| run_once(&kernel, variant, size).expect("it runs");
        let first = run("global");
        for (input, data) in &first.inputs {
            let data = numbers(data);
            assert!(
                data.iter().any(|number| number.total_cmp(&data[0]).is_ne()),
                "{name}: {input} is one number throughout"
            );
        }
        for variant in &kernel.variants[1..] {
            let other = run(&variant.name);
            assert_eq!(first.inputs, other.inputs, "{name}");
            for (output, data) in &other.outputs {
                // What only some variants have is their scratch memory.
                let Some(expected) = first.outputs.get(output) else {
                    continue;
                };
                for (index, (a, b)) in numbers(data).iter().zip(numbers(expected)).enumerate() {
                    let agrees = (a - b).abs()
                        <= kernel.tolerance.absolute + kernel.tolerance.relative * b.abs();
                    assert!(
                        agrees,
                        "{name}, {}: {output}[{index}] is {a} and {b}",
                        variant.name
                    );
                }
            }
        }
    }
}
