//! AMD's tools, Oclgrind, and files that do not belong together.

use kerncast_profilers::{Error, Format, join, parse};

use super::{ROCPROFV3, assert_refused};

#[test]
fn rocprofv3_rows_that_contradict() {
    let twice = format!("{ROCPROFV3}1,a,64,64,SQ_WAVES,1,10,20\n1,a,64,64,SQ_WAVES,2,10,20\n");
    assert_refused(
        &twice,
        "line 3, column `Counter_Name`: `SQ_WAVES`, expected each counter once a dispatch",
    );
    let other = format!("{ROCPROFV3}1,a,64,64,SQ_WAVES,1,10,20\n1,b,64,64,SQ_INSTS,2,10,20\n");
    assert_refused(
        &other,
        "line 3, column `Kernel_Name`: `b`, expected the kernel of this dispatch's first row",
    );
    let text = format!("{ROCPROFV3}1,a,64,64,SQ_WAVES,many,10,20\n");
    assert_refused(
        &text,
        "line 2, column `Counter_Value`: `many`, expected a number",
    );
    let text = format!("{ROCPROFV3}x,a,64,64,SQ_WAVES,1,10,20\n");
    assert_refused(
        &text,
        "line 2, column `Dispatch_Id`: `x`, expected a whole number",
    );
}

#[test]
fn timestamps_that_excel_rounded() {
    let text = format!("{ROCPROFV3}1,a,64,64,SQ_WAVES,1,8.1097E+14,8.1097E+14\n");
    let message = "line 2, column `Start_Timestamp`: `8.1097E+14`, expected nanoseconds in full";
    assert_refused(&text, message);
}

#[test]
fn a_launch_that_counted_nothing_is_left_out() {
    let text = format!("{ROCPROFV3}1,a,64,64,SQ_INSTS,0,10,20\n2,b,64,64,SQ_INSTS,5,30,40\n");
    let profile = parse(&text).expect("one launch counted");
    assert_eq!(profile.launches.len(), 1);
    assert_eq!(
        profile.notes[0].text,
        "launch left out: `a`: every counter is 0, so nothing was counted"
    );
}

#[test]
fn oclgrind_lines_that_are_no_counts() {
    let text = "Instructions executed for kernel 'k':\n      64 - add\nsegmentation fault\n";
    assert_refused(
        text,
        "line 3, column `instructions`: `segmentation fault`, expected COUNT - INSTRUCTION, or a blank line",
    );
    let text = "Instructions executed for kernel 'k':\n      many - add\n";
    assert_refused(
        text,
        "line 2, column `instructions`: `many - add`, expected a whole number",
    );
}

#[test]
fn oclgrind_counts_begin_behind_what_a_kernel_printed() {
    let text = "result: 7Instructions executed for kernel 'k':\n      64 - add\n";
    let launches = parse(text).expect("counts").launches;
    assert_eq!(launches[0].kernel, "k");
    assert_eq!(launches[0].counters["oclgrind"].get("add"), Some(&64.0));
}

#[test]
fn a_time_that_cannot_be_refuses_its_launch_alone() {
    let text = format!(
        "{ROCPROFV3}1,a,64,64,SQ_WAVES,1,20,10\n2,a,64,64,SQ_WAVES,1,30,35\n3,a,64,64,SQ_WAVES,1,9,8\n"
    );
    let profile = parse(&text).expect("one launch");
    assert_eq!(profile.launches.len(), 1);
    let note = "launch left out: column `End_Timestamp`: `10`, expected a time after the start; so are 1 more";
    assert_eq!((profile.notes.len(), &*profile.notes[0].text), (1, note));
    let wide = "Index,KernelName,gpu-id,pid,grd,wgr,BeginNs,EndNs,SQ_WAVES\n0,a,1,7,64,64,20,10,1\n1,a,1,7,64,64,20,30,1\n";
    assert_eq!(parse(wide).expect("one launch").launches.len(), 1);
}

#[test]
fn timestamps_of_0_are_no_times() {
    for times in ["0,5329321973325703", "5329321973325703,0", "0,0", "7,7"] {
        let text = format!("{ROCPROFV3}1,a,64,64,SQ_WAVES,1,{times}\n");
        let profile = parse(&text).expect("a launch");
        assert_eq!(profile.launches[0].time_s, None, "{times}");
        assert_eq!(
            profile.notes[0].text,
            "launches without a time: none was taken"
        );
    }
}

#[test]
fn counters_that_wrapped_are_missing() {
    let text = format!(
        "{ROCPROFV3}1,a,64,64,SQ_WAVES,8,1,2\n1,a,64,64,SQ_INSTS,18446744073709551615.0,1,2\n"
    );
    let profile = parse(&text).expect("a launch");
    assert_eq!(profile.launches[0].counters["rocprofv3"].len(), 1);
    assert!(
        profile.notes[0]
            .text
            .ends_with("is a counter that wrapped around")
    );
}

const TRACE: &str = "Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp,Workgroup_Size_X,\
                     Workgroup_Size_Y,Workgroup_Size_Z,Grid_Size_X,Grid_Size_Y,Grid_Size_Z\n";

#[test]
fn a_trace_of_rocm_6_2_numbers_no_dispatches() {
    let text = format!(
        "{TRACE}KERNEL_DISPATCH,1,\"scale(float*, int)\",4,1000000,1012500,256,1,1,262144,1,1\n"
    );
    let launch = &parse(&text).expect("a trace").launches[0];
    assert_eq!((launch.time_s, launch.dispatch), (Some(12_500e-9), Some(4)));
    assert_eq!(launch.geometry.map(|it| it.work_items), Some(262_144));
}

/// The fields of `rocprofv3 --output-format json` that are read.
fn json(records: &str) -> String {
    let info = r#"{"kernel_id": 16, "dispatch_id": 2, "agent_id": {"handle": 5}, "grid_size": {"x": 64, "y": 2, "z": 1}, "workgroup_size": {"x": 32, "y": 1, "z": 1}}"#;
    let dispatch =
        format!(r#"{{"start_timestamp": 1000, "end_timestamp": 13500, "dispatch_info": {info}}}"#);
    let counted = match records {
        "" => String::new(),
        records => format!(r#"{{"dispatch_data": {dispatch}, "records": [{records}]}}"#),
    };
    format!(
        r#"{{ "rocprofiler-sdk-tool": [{{"metadata": {{"pid": 900}},
            "counters": [{{"id": {{"handle": 1}}, "name": "SQ_WAVES", "block": "SQ"}}],
            "kernel_symbols": [{{"kernel_id": 16, "formatted_kernel_name": "scale(float*, \"int\").kd"}}],
            "callback_records": {{"counter_collection": [{counted}]}},
            "buffer_records": {{"kernel_dispatch": [{dispatch}]}}}}] }}"#
    )
}

#[test]
fn rocprofv3_json_is_its_tables() {
    let waves = r#"{"counter_id": {"handle": 1}, "value": 3.0}"#;
    let counted = parse(&json(&[waves, waves].join(", "))).expect("counters");
    let traced = parse(&json("")).expect("a trace");
    for launch in [&counted.launches[0], &traced.launches[0]] {
        assert_eq!(launch.kernel, "scale(float*, \"int\")");
        assert_eq!((launch.time_s, launch.dispatch), (Some(12_500e-9), Some(2)));
        assert_eq!(
            (launch.gpu.as_deref(), launch.process.as_deref()),
            (Some("5"), Some("900"))
        );
        assert_eq!(
            launch
                .geometry
                .map(|it| (it.work_items, it.work_group_items)),
            Some((128, 32))
        );
    }
    assert_eq!(counted.launches[0].counters["rocprofv3"]["SQ_WAVES"], 6.0);
    assert_refused(
        r#"{"rocprofiler-sdk-tool":[{"metadata":{"pid":900}}]}"#,
        "line 1: this is rocprofv3's JSON without kernel launches: profile with --kernel-trace or --pmc",
    );
    assert_refused(
        r#"{"rocprofiler-sdk-tool":[{"metadata":"#,
        "rocprofv3's JSON: EOF while parsing",
    );
}

#[test]
fn long_names_in_rocprofv3_json_are_refused_and_many_counters_are_quick() {
    let long = json("").replace("scale(", &"x".repeat(1 << 20));
    assert_refused(&long, "rocprofv3's JSON: a name of 1048593 bytes");
    let long = json("").replace("SQ_WAVES", &"x".repeat(300));
    assert_refused(&long, "rocprofv3's JSON: a name of 300 bytes");
    let all = |one: fn(usize) -> String| (1..=20_000).map(one).collect::<Vec<_>>().join(",");
    let counters = all(|at| format!(r#"{{"id": {{"handle": {at}}}, "name": "C{at}"}}"#));
    let records = all(|at| format!(r#"{{"counter_id": {{"handle": {at}}}, "value": {at}}}"#));
    let text = json(&records).replace(r#""counters": ["#, &format!(r#""counters": [{counters}, "#));
    let profile = parse(&text).expect("counters");
    assert_eq!(
        profile.launches[0].counters["rocprofv3"]["C20000"],
        20_000.0
    );
}

#[test]
fn names_without_quotes_keep_their_commas() {
    let text =
        "Index,KernelName,gpu-id,grd,wgr,SQ_WAVES\n0,scale(float*, int) [clone .kd],2,64,64,1\n";
    let launch = &parse(text).expect("a launch").launches[0];
    assert_eq!(launch.kernel, "scale(float*, int)");
    assert_eq!(launch.counters["rocprof"]["SQ_WAVES"], 1.0);
}

const INTEL: &str = "GpuTime[ns],GpuCoreClocks[cycles],EuActive[%],QueryBeginTime[ns]";

#[test]
fn samples_over_time_and_tiles_are_no_launches() {
    let slices = format!(
        "== Kernel Metrics ==\n\nKernel,SubDeviceId,{INTEL},ReportReason,\nk,0,5,7,70.5,1,1,\nk,0,10,9,70.5,6,1,\n"
    );
    assert_refused(
        &slices,
        "line 3: this is a series of samples over time (column ReportReason)",
    );
    let query = format!(
        "== Query Kernel Metrics ==\n\nKernel,SubDeviceId,{INTEL},ReportReason,\nc == Query x,0,5,7,70.5,1,1,\n"
    );
    assert_eq!(parse(&query).expect("a launch").launches.len(), 1);
    assert_refused(
        &format!("{query}\n{query}\n{slices}"),
        "line 13: this is a series",
    );
    let named = slices.replace("\nk,", "\nc == Query x,");
    assert_refused(&named, "line 3: this is a series");
    let tiles = format!(
        "== Query Kernel Metrics ==\n\nKernel,SubDeviceId,{INTEL},\nk,0,5,7,70.5,1,\nk,1,5,7,70.5,1,\n"
    );
    assert_refused(
        &tiles,
        "line 5, column `SubDeviceId`: `1`, expected the tile of the rows above",
    );
}

#[test]
fn aggregated_metrics_have_the_kernel_s_time() {
    let text = format!(
        "== Aggregated Kernel Metrics ==\n\nKernel,SubDeviceId,KernelTime[ns],{INTEL},ReportReason,\nk,0,2710,3000,7,70.5,1,1,\n"
    );
    let launch = &parse(&text).expect("a launch").launches[0];
    assert_eq!(launch.time_s, Some(2710e-9));
    let names = launch.counters["oneprof"].keys().map(String::as_str);
    assert!(names.eq(["EuActive", "GpuCoreClocks"]));
}

#[test]
fn unitrace_is_read_beside_oneprof() {
    let text = format!(
        "\n== Kernel Metrics ==\n\nKernel,Device,SubDeviceId,{INTEL},\n\"k[SIMD16 {{64; 2; 1}} {{16; 1; 1}}]\",1,0,2710,7,70.5,1,\n"
    );
    let profile = parse(&text).expect("a launch");
    let launch = &profile.launches[0];
    assert_eq!(
        (profile.format, launch.time_s),
        (Format::Unitrace, Some(2710e-9))
    );
    assert_eq!(
        (
            launch.gpu.as_deref(),
            launch.counters["unitrace"]["EuActive"]
        ),
        (Some("1"), 70.5)
    );
    assert_eq!(launch.geometry.map(|it| it.work_items), Some(2048));
}

#[test]
fn files_of_other_launches_do_not_join() {
    let file = |rows: &str| parse(&format!("{ROCPROFV3}{rows}")).expect("a file");
    let one = file("1,a,64,64,SQ_WAVES,1,10,20\n");
    let two = file("1,a,64,64,SQ_WAVES,1,10,20\n2,a,64,64,SQ_WAVES,1,30,40\n");
    let message = join(one.clone(), two)
        .expect_err("another number")
        .to_string();
    assert_eq!(
        message,
        "the files do not belong together: `a` (64 work-items) has 1 launches in one file and 2 in the other"
    );
    let other = file("1,b,64,64,SQ_WAVES,1,10,20\n");
    let message = join(one.clone(), other)
        .expect_err("another kernel")
        .to_string();
    assert_eq!(
        message,
        "the files do not belong together: `a` (64 work-items) is in one file only"
    );
    let larger = file("1,a,128,64,SQ_WAVES,2,10,20\n");
    assert!(matches!(join(one.clone(), larger), Err(Error::Mismatch(_))));
    let pass = join(one, file("1,a,64,64,SQ_INSTS,7,10,30\n")).expect("two passes");
    assert_eq!(pass.launches[0].time_s, Some(10e-9));
    assert_eq!(pass.launches[0].counters["rocprofv3"].len(), 2);
}

#[test]
fn what_belongs_together_joins_and_the_rest_is_named() {
    let counters = format!(
        "{ROCPROFV3}1,a,64,64,SQ_WAVES,1,10,11\n2,a,64,64,SQ_WAVES,2,12,13\n3,b,64,64,SQ_WAVES,3,14,15\n"
    );
    let row = |number: u32, kernel: &str, times: &str| {
        format!("KERNEL_DISPATCH,1,{kernel},{number},{times},64,1,1,64,1,1\n")
    };
    let trace = [
        TRACE,
        &row(1, "a", "0,0"),
        &row(2, "a", "1000,13500"),
        &row(3, "c", "20,30"),
    ]
    .concat();
    let joined = join(
        parse(&trace).expect("times"),
        parse(&counters).expect("counters"),
    );
    let joined = joined.expect("two launches of a");
    let launches = joined.launches.iter();
    let counts_and_times = launches.map(|it| (it.counters["rocprofv3"]["SQ_WAVES"], it.time_s));
    assert!(
        counts_and_times.eq([(1.0, None), (2.0, Some(12_500e-9))]),
        "a time that was not taken is missing"
    );
    let notes: Vec<&str> = joined.notes.iter().map(|note| &*note.text).collect();
    let unpaired = ["b", "c"]
        .map(|kernel| format!("not joined: `{kernel}` (64 work-items) is in one file only"));
    assert_eq!(notes[1..], unpaired);
}

#[test]
fn means_join_the_launches_that_they_are_of() {
    let mean = "\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Min\",\"Max\",\"Avg\"\n\"V100 (0)\",\"k(int)\",2,\"ipc\",1,3,2\n";
    let trace = |sizes: &[u32]| {
        let head = "\"Start\",\"Duration\",\"Grid X\",\"Grid Y\",\"Grid Z\",\"Block X\",\"Block Y\",\"Block Z\",\"Device\",\"Name\"\nms,us,,,,,,,,\n";
        let row =
            |size: &u32| format!("1,{size}.5,{size},1,1,32,1,1,\"V100 (0)\",\"k(int) [{size}]\"\n");
        parse(&(head.to_owned() + &sizes.iter().map(row).collect::<String>())).expect("a trace")
    };
    let mean = || parse(mean).expect("a mean");
    let joined = join(trace(&[8, 8]), mean()).expect("two launches of one size");
    let launches = joined.launches.iter();
    assert!(
        launches
            .map(|it| (it.counters["nvprof"]["ipc"], it.time_s))
            .eq([(2.0, Some(8.5e-6)); 2])
    );
    for (sizes, says) in [
        (&[8, 16][..], "launches of several sizes"),
        (
            &[8],
            "1 launches in one file and 2 in the other, one of them as a mean",
        ),
    ] {
        let error = join(trace(sizes), mean()).expect_err("no mean of these");
        let error = error.to_string();
        assert!(error.contains(says), "{error}");
        assert!(
            error.contains("print each launch: nvprof --csv --print-gpu-trace --metrics"),
            "{error}"
        );
    }
    let nsys = "Time (%),Total Time (ns),Instances,Avg (ns),Name\n100.0,36600,2,18300,k(int )\n";
    let ncu = "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n0,k(int),a__b,,1\n1,k(int),a__b,,2\n";
    let joined = join(parse(nsys).expect("times"), parse(ncu).expect("counters")).expect("a mean");
    let launch = &joined.launches[0];
    assert_eq!(
        (
            joined.launches.len(),
            launch.time_s,
            launch.counters["ncu"]["a__b"]
        ),
        (1, Some(18.3e-6), 1.5)
    );
}
