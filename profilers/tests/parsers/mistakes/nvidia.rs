//! ncu and nvprof.

use kerncast_profilers::{Error, parse};

use super::{assert_refused, refusal};

#[test]
fn ncu_says_that_the_user_may_not_read_counters() {
    let text = "==PROF== Connected to process 7 (/usr/bin/app)\n\
        ==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters on \
        the target device 0. For instructions see https://developer.nvidia.com/ERR_NVGPUCTRPERM\n\
        ==PROF== Disconnected from process 7\n==WARNING== No kernels were profiled.\n";
    assert_refused(
        text,
        "line 2: this user may not read the GPU's counters (ERR_NVGPUCTRPERM): profile as root, or put `options nvidia NVreg_RestrictProfilingToAdminUsers=0`",
    );
}

#[test]
fn ncu_saw_no_kernels() {
    let text = "==PROF== Connected to process 7 (/usr/bin/app)\n==PROF== Disconnected from process 7\n==WARNING== No kernels were profiled.\n";
    assert_eq!(parse(text), Err(Error::NothingProfiled { line: 3 }));
    assert_eq!(
        parse("==7== NVPROF is profiling process 7, command: a\nNo kernels were profiled.\n"),
        Err(Error::NothingProfiled { line: 2 })
    );
}

#[test]
fn ncu_failed() {
    let text =
        "==PROF== Connected to process 7 (/usr/bin/app)\n==ERROR== Unknown Error on device 0.\n";
    assert_eq!(
        refusal(text),
        "line 2: the profiler failed: Unknown Error on device 0."
    );
}

#[test]
fn ncu_details_page() {
    let text = "\"ID\",\"Process ID\",\"Kernel Name\",\"Block Size\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n";
    assert_refused(
        text,
        "line 1: this is ncu's details page: print the raw page: ncu --import REPORT --csv --page raw",
    );
}

/// An ncu table with one metric.
fn ncu(metric: &str, unit: &str, values: &[&str]) -> String {
    let header = format!(
        "\"ID\",\"Process ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"{metric}\"\n\"\",\"\",\"\",\"\",\"\",\"{unit}\"\n"
    );
    let rows = (0..).zip(values).map(|(id, value): (u32, _)| {
        format!("\"{id}\",\"7\",\"k\",\"(32, 1, 1)\",\"(2, 1, 1)\",\"{value}\"\n")
    });
    header + &rows.collect::<String>()
}

#[test]
fn ncu_without_its_units() {
    let text = ncu("a__b", "", &["1"])
        .lines()
        .filter(|line| !line.starts_with("\"\""))
        .collect::<Vec<_>>()
        .join("\n");
    assert_refused(
        &text,
        "line 2: expected the row of units that ncu prints below the header",
    );
}

#[test]
fn ncu_scaled_units_come_back_to_their_base() {
    let time = parse(&ncu("gpu__time_duration.sum", "usecond", &["211.94"])).expect("microseconds");
    assert!((time.launches[0].time_s.expect("a time") - 211.94e-6).abs() < 1e-12);
    let bytes = parse(&ncu("dram__bytes_read.sum", "Mbyte", &["1.50"])).expect("megabytes");
    assert_eq!(
        bytes.launches[0].counters["ncu"]["dram__bytes_read.sum"],
        1_500_000.0
    );
    let rate = parse(&ncu("a__rate.pct", "%", &["97.03"])).expect("per cent");
    assert_eq!(rate.launches[0].counters["ncu"]["a__rate.pct"], 97.03);
}

#[test]
fn ncu_values_that_are_missing_say_so() {
    let profile =
        parse(&ncu("a__b", "inst", &["n/a", "nan", "", "-1", "5"])).expect("one good value");
    let has = profile
        .launches
        .iter()
        .map(|launch| launch.counters.contains_key("ncu"));
    assert_eq!(has.collect::<Vec<_>>(), [false, false, false, false, true]);
    let notes = profile
        .notes
        .iter()
        .map(|note| format!("{} {}", note.line, note.text))
        .collect::<Vec<_>>();
    let expected = [
        "3 `a__b` left out: `n/a` is not a number",
        "6 `a__b` left out: `-1` is not a count",
    ];
    assert_eq!(notes, expected);
}

#[test]
fn ncu_in_other_locales() {
    let german = parse(&ncu("a__b", "", &["270.087,76", "1.632"])).expect("de_DE");
    assert_eq!(german.launches[1].counters["ncu"]["a__b"], 1632.0);
    let french = parse(&ncu("a__b", "", &["270\u{202f}087,76", "1\u{202f}632"])).expect("fr_FR");
    assert_eq!(french.launches[0].counters["ncu"]["a__b"], 270_087.76);
    let unknown = ncu("a__b", "", &["1.632"]);
    assert_refused(
        &unknown,
        "line 3, column `a__b`: `1.632` can mean two numbers, a thousand times apart",
    );
    let mixed = ncu("a__b", "", &["0.5", "0,5"]);
    assert_refused(
        &mixed,
        "line 4, column `a__b`: `0,5` uses another decimal mark than line 3",
    );
}

#[test]
fn ncu_rows_without_a_kernel() {
    let text = ncu("a__b", "", &["1", "2"]).replacen("\"k\"", "\"\"", 1);
    assert_refused(&text, "line 3, column `Kernel Name`: ``, expected a name");
}

#[test]
fn ncu_warnings_below_the_table_are_notes() {
    let text = ncu("a__b", "", &["1"])
        + "==WARNING== Found outstanding GPU clock reset, trying to revert...Success.\n";
    let profile = parse(&text).expect("a table");
    assert_eq!(profile.notes[0].line, 4);
    assert!(
        profile.notes[0]
            .text
            .starts_with("the profiler says: ==WARNING== Found outstanding GPU")
    );
}

#[test]
fn ncu_block_sizes_that_are_none() {
    let text = ncu("a__b", "", &["1"]).replace("(32, 1, 1)", "32 x 1");
    assert_refused(
        &text,
        "line 3, column `Block Size`: `32 x 1`, expected three sizes, such as (16, 16, 1)",
    );
}

#[test]
fn nvprof_overflow_marks_are_missing_and_noted() {
    let text = "==7== NVPROF is profiling process 7, command: a\n==7== Event result:\n\
        \"Device\",\"Kernel\",\"Invocations\",\"Event Name\",\"Min\",\"Max\",\"Avg\",\"Total\"\n\
        \"Tesla K20c (0)\",\"k(int)\",3,\"warps_launched\",8,8,8,24\n\
        \"Tesla K20c (0)\",\"k(int)\",3,\"inst_executed\",<OVERFLOW>,<OVERFLOW>,<OVERFLOW>,<OVERFLOW>\n\
        ==7== Metric result:\n\
        \"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Metric Description\",\"Min\",\"Max\",\"Avg\"\n\
        \"Tesla K20c (0)\",\"k(int)\",3,\"ipc\",\"Executed IPC\",0.5,0.7,0.6\n\
        ==7== Warning: One or more events or metrics overflowed. Rerun with \"--print-gpu-trace\" for detail.\n";
    let profile = parse(text).expect("events and metrics");
    let launch = &profile.launches[0];
    assert_eq!(
        (profile.launches.len(), launch.line, launch.invocations),
        (1, 4, 3)
    );
    assert_eq!(launch.device.as_deref(), Some("Tesla K20c"));
    let counters = launch.counters["nvprof"]
        .iter()
        .map(|(name, value)| (name.as_str(), *value));
    assert_eq!(
        counters.collect::<Vec<_>>(),
        [("ipc", 0.6), ("warps_launched", 8.0)]
    );
    assert_eq!(profile.notes[0].line, 9);
    assert_eq!(profile.notes[1].line, 5);
    assert_eq!(
        profile.notes[1].text,
        "`inst_executed` left out: `<OVERFLOW>` marks a counter that overflowed"
    );
}

#[test]
fn nvprof_metrics_per_launch() {
    let text = "==7== Profiling result:\n\"Device\",\"Context\",\"Stream\",\"Kernel\",\"Correlation_ID\",\"inst_executed\",\"gld_throughput\"\n\
        ,,,,,,GB/s\n\"Tesla K20c (0)\",\"1\",\"7\",\"k(int) [107]\",107,64,2\n";
    let profile = parse(text).expect("metrics per launch");
    let launch = &profile.launches[0];
    assert_eq!(
        (launch.kernel.as_str(), launch.dispatch, launch.line),
        ("k(int)", Some(107), 4)
    );
    assert_eq!(
        launch.counters["nvprof"]["gld_throughput"],
        2.0 * 1_073_741_824.0
    );
    assert_eq!(launch.counters["nvprof"]["inst_executed"], 64.0);
}

#[test]
fn nvprof_failed() {
    let text = "======== Warning: No CUDA application was profiled, exiting\n";
    let message = "line 1: the profiler failed: Warning: No CUDA application was profiled, exiting";
    assert_refused(text, message);
}

#[test]
fn nvprof_traces_without_a_unit_of_time() {
    let text = "\"Start\",\"Duration\",\"Grid X\",\"Grid Y\",\"Grid Z\",\"Block X\",\"Block Y\",\"Block Z\",\"Device\",\"Name\"\n1,2,1,1,1,32,1,1,d,k\n";
    assert_refused(
        text,
        "line 2, column `Duration`: `2`, expected a unit of time: ns, us, ms or s",
    );
}
