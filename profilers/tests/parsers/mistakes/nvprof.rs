//! Faults in files of nvprof and nsys.

use kerncast_profilers::parse;

use super::assert_refused;

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

#[test]
fn nvprof_tells_gpus_of_one_name_apart() {
    let head = "\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Min\",\"Max\",\"Avg\"\n";
    let row =
        |gpu: u32| format!("\"Tesla V100 ({gpu})\",\"k(int)\",3,\"inst_executed\",1,1,{gpu}\n");
    let profile = parse(&format!("{head}{}{}", row(0), row(1))).expect("two means");
    let launches = profile.launches.iter();
    let gpus = launches.map(|launch| (launch.device.as_deref(), launch.gpu.as_deref()));
    assert!(gpus.eq([
        (Some("Tesla V100"), Some("0")),
        (Some("Tesla V100"), Some("1"))
    ]));
}

#[test]
fn nsys_summaries_are_means() {
    let old = "Processing [r.sqlite] with [gpukernsum.py]...\n\
        Time(%),Total Time (ns),Instances,Average,Minimum,Maximum,Name\n\
        100.0,36600,3,12200.0,12100,12300,\"void scale<float>(float*, int)\"\n";
    let new = "Time (%),Total Time (us),Instances,Avg (us),Med (us),Min (us),Max (us),StdDev (us),Name\n\
        100.0,36.6,3,12.2,12.2,12.1,12.3,0.1,scale\n";
    for text in [old, new] {
        let launch = &parse(text).expect("a mean").launches[0];
        assert!((launch.time_s.expect("a time") - 12.2e-6).abs() < 1e-15);
        assert_eq!((launch.invocations, launch.geometry), (3, None));
    }
}

#[test]
fn nsys_summaries_say_what_they_are_means_of() {
    let note = |columns: &str, cells: &str| {
        let text = format!(
            "Time(%),Total Time (nsec),Instances,{columns}Name\n100.0,36600,3,{cells}scale\n"
        );
        let mut profile = parse(&text).expect("a mean");
        assert_eq!(profile.launches[0].time_s, Some(36_600e-9 / 3.0));
        profile.notes.remove(0).text
    };
    let all = "times are means over all launches of a kernel";
    assert_eq!(note("", ""), format!("{all}, whatever their sizes"));
    let shaped = note("GridXYZ,BlockXYZ,", "  64    1    1,  32    1    1,");
    assert_eq!(shaped, format!("{all} that have a row's shape"));
}

#[test]
fn nsys_traces_are_launches() {
    let text = "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,Bytes (MB),Device,Ctx,Strm,Name\n\
        100,500,11,,,,,,,,4.1,NVIDIA H100 (1),1,7,[CUDA memcpy HtoD]\n\
        900,12500,12,64,1,1,32,1,1,16,,NVIDIA H100 (1),1,7,\"scale(float *, int)\"\n";
    let profile = parse(text).expect("a launch");
    let launch = &profile.launches[0];
    assert_eq!(
        (launch.time_s, launch.dispatch),
        (Some(12_500e-9), Some(12))
    );
    assert_eq!(launch.geometry.map(|it| it.work_items), Some(2048));
    assert_eq!(
        (launch.device.as_deref(), launch.gpu.as_deref()),
        (Some("NVIDIA H100"), Some("1"))
    );
    assert_refused(
        "Time (%),Total Time (ns),Num Calls,Name\n",
        "line 1: this is an nsys report",
    );
    let unit = "Start (h),Duration (h),CorrId,GrdX,Name\n1,2,3,4,k\n";
    assert_refused(
        unit,
        "line 1, column `Duration`: `Duration (h)`, expected a unit of time behind it",
    );
}
