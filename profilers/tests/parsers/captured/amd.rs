//! rocprofv3, rocprof, rocprofiler-compute.

use kerncast_profilers::{Error, Format, join};

use super::{assert_counters, flat, good, kernels, notes, read, shaped, times};

#[test]
fn rocprofv3_counter_collection() {
    let profile = good("rocprofiler-sdk_docs_counter_collection.csv");
    assert_eq!(profile.format, Format::Rocprofv3Counters);
    assert_eq!(
        kernels(&profile)[0],
        "void addition_kernel<float>(float*, float const*, float const*, int, int)"
    );
    assert_eq!(
        times(&profile),
        [52_151e-9, 49_780e-9, 46_818e-9, 48_151e-9].map(Some)
    );
    for launch in &profile.launches {
        assert_counters(launch, "rocprofv3", 1, &[("SQ_WAVES", 16_384.0)]);
        assert_eq!(launch.geometry, flat(1_048_576, 64));
    }
}

#[test]
fn rocprofv3_counter_collection_of_an_older_schema() {
    let profile = good("rocprofv3_jacobi_counter_collection_olderschema.csv");
    assert_eq!(kernels(&profile), ["NormKernel1", "NormKernel2"]);
    assert_eq!(times(&profile), [Some(400_962e-9), Some(4_960e-9)]);
    assert_counters(
        &profile.launches[0],
        "rocprofv3",
        1,
        &[("OccupancyPercent", 7.341_689)],
    );
    assert_counters(
        &profile.launches[1],
        "rocprofv3",
        1,
        &[("OccupancyPercent", 0.023_631_671_8)],
    );
    assert_eq!(
        notes(&profile),
        ["2: `__amd_rocclr_fillBufferAligned` left out: the runtime's own kernel"]
    );
}

#[test]
fn rocprofv3_counters_that_are_all_zero_are_refused() {
    let error = read("rocprofv3_issue57_gfx1100_zero_counters.csv");
    assert!(
        matches!(&error, Err(Error::NothingCounted { line: 3, .. })),
        "{error:?}"
    );
}

#[test]
fn rocprofv3_kernel_trace() {
    let profile = good("rocprofiler-sdk_docs_kernel_trace.csv");
    assert_eq!(profile.format, Format::Rocprofv3Trace);
    let dispatches = profile
        .launches
        .iter()
        .map(|launch| launch.dispatch)
        .collect::<Vec<_>>();
    assert_eq!(dispatches, [1, 4, 3, 2, 5, 6, 13, 12, 11].map(Some));
    assert_eq!(times(&profile)[..2], [Some(12_800e-9), Some(11_200e-9)]);
    assert_eq!(
        profile.launches[8].geometry,
        shaped([1024, 1024, 1], [64, 1, 1])
    );
    assert_eq!(
        kernels(&profile)[8],
        "multiply_kernel(float*, float const*, float const*, int, int)"
    );
}

#[test]
fn rocprofv3_kernel_trace_with_truncated_kernel_names() {
    let profile = good("rocprofiler-sdk_docs_kernel_trace_truncated.csv");
    let names = [
        "addition_kernel",
        "divide_kernel",
        "multiply_kernel",
        "subtract_kernel",
    ];
    assert_eq!(kernels(&profile), names);
    assert_eq!(
        times(&profile),
        [11_640e-9, 13_080e-9, 11_440e-9, 8_680e-9].map(Some)
    );
}

#[test]
fn rocprof_counters_without_times() {
    let profile = good("amd_HPCTrainingExamples_finite-difference_data_movement.csv");
    assert_eq!(profile.format, Format::Rocprof);
    assert_eq!(
        kernels(&profile),
        ["test_function_kernel", "laplacian_kernel", "check_kernel"]
    );
    assert_eq!(times(&profile), [None; 3]);
    let expected = [
        ("FETCH_SIZE", 1_979_347.875),
        ("WRITE_SIZE", 1_043_147.625),
        ("TCP_TOTAL_CACHE_ACCESSES_sum", 265_822_200.0),
        ("TCP_TCC_READ_REQ_sum", 83_752_868.0),
        ("TCP_TCC_WRITE_REQ_sum", 16_646_400.0),
    ];
    assert_counters(&profile.launches[1], "rocprof", 5, &expected);
    assert_eq!(profile.launches[1].geometry, flat(134_217_728, 256));
}

#[test]
fn rocprof_times_without_counters() {
    let profile = good("amd_HPCTrainingExamples_finite-difference_results.csv");
    let kernel =
        "void test_function_kernel<double>(double*, int, int, int, double, double, double)";
    assert_eq!(kernels(&profile), [kernel]);
    assert_eq!(times(&profile), [Some(1_130_883e-9)]);
    assert!(profile.launches[0].counters.is_empty());
}

#[test]
fn rocprof_counters_of_things_the_kernel_does_not_do_are_refused() {
    let error = read("amd_HPCTrainingExamples_seismic_bankconflicts.csv");
    let kernel = "initialize_polynomial_kernel".to_owned();
    assert_eq!(error, Err(Error::NothingCounted { line: 2, kernel }));
}

#[test]
fn rocprofiler_compute_on_an_mi100() {
    let profile = good("rocprofiler-compute_tests_dispatch_0_MI100_pmc_perf.csv");
    assert_eq!(profile.format, Format::RocprofilerCompute);
    assert_eq!(
        kernels(&profile),
        ["vecCopy(double*, double*, double*, int, int)"]
    );
    assert_eq!(times(&profile), [Some(24_320e-9)]);
    let expected = [
        ("SQ_WAVES", 16_384.0),
        ("TCC_HIT_sum", 188.0),
        ("TCC_RW_REQ[31]", 8_192.0),
    ];
    assert_counters(&profile.launches[0], "rocprofiler_compute", 949, &expected);
}

#[test]
fn rocprofiler_compute_on_an_mi200() {
    let profile = good("rocprofiler-compute_tests_dispatch_0_MI200_pmc_perf.csv");
    assert_eq!(times(&profile), [Some(20_160e-9)]);
    let expected = [("SQ_WAVES", 16_384.0), ("TCC_HIT_sum", 73_037.0)];
    assert_counters(&profile.launches[0], "rocprofiler_compute", 972, &expected);
    assert_eq!(profile.launches[0].geometry, flat(1_048_576, 256));
}

#[test]
fn rocprofiler_compute_on_an_mi300x() {
    let profile = good("rocprofiler-compute_tests_dispatch_0_MI300X_A1_pmc_perf.csv");
    assert_eq!(times(&profile), [16_160e-9, 13_680e-9, 14_160e-9].map(Some));
    let hits = profile
        .launches
        .iter()
        .map(|launch| launch.counters["rocprofiler_compute"]["TCC_HIT_sum"]);
    assert_eq!(hits.collect::<Vec<_>>(), [66_160.0, 65_536.0, 65_536.0]);
    let expected = [
        ("SQC_DCACHE_INPUT_VALID_READYB", 2_748_750.0),
        ("SQC_DCACHE_REQ_READ_1", 32_768.0),
    ];
    assert_counters(&profile.launches[0], "rocprofiler_compute", 2665, &expected);
}

#[test]
fn rocprofiler_compute_timestamps_of_an_mi100() {
    let profile = good("rocprofiler-compute_tests_dispatch_0_MI100_timestamps.csv");
    assert_eq!(times(&profile), [Some(24_320e-9)]);
}

#[test]
fn rocprofiler_compute_timestamps_of_an_mi200() {
    let profile = good("rocprofiler-compute_tests_dispatch_0_MI200_timestamps.csv");
    assert_eq!(times(&profile), [Some(20_160e-9)]);
}

#[test]
fn rocprofiler_compute_timestamps_join_counters_that_are_numbered_from_0() {
    let timestamps = good("rocprofiler-compute_tests_dispatch_0_MI300X_A1_timestamps.csv");
    assert_eq!(timestamps.launches[0].dispatch, Some(1));
    assert_eq!(
        times(&timestamps),
        [16_160e-9, 13_680e-9, 14_160e-9].map(Some)
    );
    let counters = good("rocprofiler-compute_tests_dispatch_0_MI300X_A1_pmc_perf.csv");
    let joined = join(timestamps, counters).expect("files of one run");
    assert_eq!(times(&joined), [16_160e-9, 13_680e-9, 14_160e-9].map(Some));
    assert_counters(
        &joined.launches[2],
        "rocprofiler_compute",
        2665,
        &[("SQ_WAVES", 16_384.0)],
    );
}
