//! Faults in files of ncu.

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

/// Rows of a details page: metric, unit and value of launches.
fn details(rows: &[(u32, &str, &str, &str)]) -> String {
    let head = r#""ID","Process ID","Kernel Name","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value""#;
    let row = |(id, name, unit, value): &(u32, &str, &str, &str)| {
        format!(
            r#""{id}","7","k(int *)","(32, 1, 1)","(2, 1, 1)","0","9.0","Section","{name}","{unit}","{value}""#
        )
    };
    let rows: Vec<String> = rows.iter().map(row).collect();
    format!("{head}\n{}\n", rows.join("\n"))
}

#[test]
fn ncu_details_page() {
    let text = details(&[
        (0, "Duration", "us", "12.50"),
        (0, "DRAM Throughput", "%", "40.1"),
        (0, "dram__bytes_read.sum", "Mbyte", "4.50"),
        (
            0,
            "Warps Launched (smsp__warps_launched.sum)",
            "warp",
            "1,024",
        ),
        (0, "", "", ""),
        (1, "gpu__time_duration.sum", "ns", "9,000"),
        (1, "dram__bytes_read.sum", "Kbyte", "2.00"),
    ]);
    let profile = parse(&text).expect("two launches");
    let times = profile.launches.iter().map(|launch| launch.time_s);
    assert!(times.eq([Some(12.5e-6), Some(9e-6)]));
    let counters = &profile.launches[0].counters["ncu"];
    assert_eq!(counters["dram__bytes_read.sum"], 4_500_000.0);
    assert_eq!(counters["smsp__warps_launched.sum"], 1024.0);
    assert_eq!(counters.len(), 2);
    assert_eq!(
        profile.launches[0].geometry.map(|it| it.work_items),
        Some(64)
    );
    assert!(
        profile.notes[0]
            .text
            .starts_with("metrics without their own names left out")
    );
}

/// ncu 2025.3's page, where only rules have the cells of a rule.
#[test]
fn ncu_details_page_with_rules() {
    let rules = r#","Rule Name","Rule Type","Rule Description","Estimated Speedup Type","Estimated Speedup""#;
    let mut text = details(&[(0, "dram__bytes_read.sum", "byte", "4500")]);
    text = text.replace(r#""Metric Value""#, &format!(r#""Metric Value"{rules}"#));
    text = text.replace(r#""4500""#, r#""4500","#);
    text += r#""0","7","k(int *)","(32, 1, 1)","(2, 1, 1)","0","9.0","Section","","","","Rule","OPT","Use
more warps.","global","27.5"
"#;
    let profile = parse(&text).expect("a launch");
    assert_eq!(profile.launches.len(), 1);
    let counters = &profile.launches[0].counters["ncu"];
    assert_eq!(counters.get("dram__bytes_read.sum"), Some(&4500.0));
    // A row of another length is cut short.
    let short = text.replace(r#""4500","#, r#""4500""#);
    assert_refused(&short, "line 2: 11 cells, expected 16 as in the header");
}

#[test]
fn ncu_details_page_of_labels_alone_is_refused() {
    let text = details(&[(0, "Duration", "us", "12.50"), (0, "Registers", "", "16")]);
    let message = "line 1: this is ncu's details page without the metrics' own names: print the raw page: ncu --import \
                   REPORT --csv --page raw";
    assert_refused(&text, message);
}

#[test]
fn ncu_units_that_nobody_knows() {
    let minutes = ncu("gpu__time_duration.sum", "minute", &["1.25"]);
    let message = "line 2, column `gpu__time_duration.sum`: `minute`, expected a unit of time: ns, us, ms or s";
    assert_refused(&minutes, message);
    let profile = parse(&ncu("a__b", "widget", &["1", "2"])).expect("launches");
    assert!(profile.launches[0].counters.is_empty());
    let note = "`a__b` left out: its unit `widget` is not known";
    assert_eq!(profile.notes[0].text, note);
}

#[test]
fn ncu_ranges_are_no_launches() {
    let range = ncu("a__b", "", &["1", "2"]).replacen("(2, 1, 1)", "(0, 0, 0)", 1);
    let profile = parse(&range).expect("the other row is a launch");
    let note = "launch left out: column `Grid Size`: `(0, 0, 0)`, expected a launch's grid;";
    assert!(profile.notes[0].text.starts_with(note));
    assert_eq!(profile.launches.len(), 1);
}

#[test]
fn ncu_columns_of_nvtx_ranges_are_no_metrics() {
    let domain = "thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg";
    let text = ncu(domain, "", &["3"]);
    assert!(
        parse(&text).expect("a launch").launches[0]
            .counters
            .is_empty()
    );
}

#[test]
fn ncu_print_outs_one_after_another_and_other_output() {
    let one = ncu("a__b", "inst", &["1", "2"]);
    let two = ncu("c__d", "Kbyte", &["3.5"]);
    let text = format!("step 1 ... {one}==PROF== Connected to process 8\n{two}\nreal\t0m1.2s\n");
    let profile = parse(&text).expect("three launches");
    let lines = profile.launches.iter().map(|launch| launch.line);
    assert!(lines.eq([3, 4, 8]));
    assert_eq!(profile.launches[2].counters["ncu"]["c__d"], 3500.0);
    let note = &profile.notes[0];
    assert_eq!(
        (note.line, &*note.text),
        (10, "a program's output below the table: not read")
    );
}

#[test]
fn launches_on_two_gpus_are_noted() {
    let one = details(&[(0, "a__b", "", "1"), (1, "a__b", "", "2")]);
    let two = one.replacen(
        r#""1","7","k(int *)","(32, 1, 1)","(2, 1, 1)","0""#,
        r#""1","7","k(int *)","(32, 1, 1)","(2, 1, 1)","3""#,
        1,
    );
    let profile = parse(&two).expect("two launches");
    let gpus = profile.launches.iter().map(|launch| launch.gpu.as_deref());
    assert!(gpus.eq([Some("0"), Some("3")]));
    let note = profile.notes.last().expect("a note");
    assert_eq!(note.text, "launches on 2 GPUs: 0 (line 2), 3 (line 3)");
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
    let profile = parse(&text).expect("the other launch");
    assert_eq!(profile.launches.len(), 1);
    let note = "launch left out: column `Kernel Name`: ``, expected a name";
    assert_eq!((profile.notes[0].line, &*profile.notes[0].text), (3, note));
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
