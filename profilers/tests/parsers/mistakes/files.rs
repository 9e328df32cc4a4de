//! Whatever the format: files, headers, rows, cells.

use kerncast_profilers::{Error, Format, detect, parse, parse_bytes};

use super::{ROCPROFV3, TIDY, assert_refused, refusal};

#[test]
fn empty_files() {
    for text in ["", "\n", " \r\n\t\n", "\u{feff}"] {
        assert_eq!(parse(text), Err(Error::Empty), "{text:?}");
    }
}

#[test]
fn unknown_formats() {
    assert_refused(
        "hello\nworld\n",
        "unknown format, first line `hello`: expected ncu --csv --page raw,",
    );
    assert_refused(".version 8.0\n.target sm_80\n", "unknown format");
    assert_refused(&"x".repeat(100_000), "unknown format, first line `xxx");
}

#[test]
fn bytes_that_are_no_utf8() {
    assert_eq!(
        parse_bytes(b"device,kernel\na,\xe9\n"),
        Err(Error::NotUtf8 { line: 2 })
    );
    assert_eq!(parse_bytes(b"\xff\xfed\0e\0"), Err(Error::Utf16));
    assert_eq!(parse_bytes(b"\xfe\xff\0d"), Err(Error::Utf16));
}

#[test]
fn binary_files_say_what_they_are_and_how_to_print_them() {
    for (bytes, says) in [
        (
            &b"NVR\0\n\0"[..],
            "this is a report of Nsight Compute (.ncu-rep): print it: ncu --import FILE --csv --page raw",
        ),
        (b"SQLite format 3\0\x10", "rocpd convert -i FILE -f csv"),
        (b"\x1f\x8b\x08", "compressed by gzip: gunzip FILE"),
        (b"PK\x03\x04", "a zip archive or a spreadsheet"),
        (
            b"any\0thing",
            "a binary file: print it as text: ncu --import FILE --csv --page raw (.ncu-rep), nsys stats",
        ),
    ] {
        let error = parse_bytes(bytes).expect_err("no text").to_string();
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn print_outs_that_are_no_tables_say_what_to_print() {
    let summary = "\"Process ID\",\"Kernel Name\",\"Invocations\",\"Metric Name\",\"Metric Unit\",\"Average\"\n";
    for (text, says) in [
        (
            "==PROF== Connected\n  Metric Name   Metric Unit Metric Value\n",
            "line 2: this is ncu's page as text: print it as a table: ncu --import REPORT --csv --page raw",
        ),
        (
            summary,
            "line 1: this is ncu's summary of several launches: print each launch: --csv --page raw",
        ),
        (
            "==7== NVPROF is profiling process 7\n  Start  Duration  Grid Size  Name\n",
            "line 2: this is nvprof's trace as text: profile with nvprof --csv --print-gpu-trace",
        ),
    ] {
        assert_refused(text, says);
    }
}

#[test]
fn known_files_without_launches_or_counters() {
    for (text, what) in [
        (
            "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\"\n",
            "AMD's summary of times",
        ),
        (
            "==1== Profiling result:\n\"Type\",\"Time(%)\",\"Time\",\"Calls\"\n",
            "nvprof's summary or API trace",
        ),
        (
            "\"Start\",\"Duration\",\"Name\",\"Correlation_ID\"\n",
            "nvprof's summary or API trace",
        ),
        ("Start (ns),Duration (ns),CorrId,GrdX\n", "an nsys report"),
    ] {
        assert!(refusal(text).contains(what), "{}", refusal(text));
    }
}

#[test]
fn headers_without_rows() {
    assert_refused(TIDY, "no kernel launches in this tidy file");
    assert_refused(ROCPROFV3, "no kernel launches in this rocprofv3 file");
    assert_refused(
        "Index,KernelName,gpu-id,grd,wgr\n",
        "no kernel launches in this rocprof file",
    );
    assert_refused(
        "\"ID\",\"Process ID\",\"Kernel Name\",\"a__b\"\n",
        "no kernel launches in this ncu file",
    );
    assert_refused(
        "\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Avg\"\n",
        "no kernel launches in this nvprof file",
    );
    assert_refused(
        "Kernel,SubDeviceId,GpuTime[ns]\n",
        "no kernel launches in this oneprof file",
    );
    assert_refused(
        "Instructions executed for kernel 'a':\n",
        "no kernel launches in this oclgrind file",
    );
}

#[test]
fn missing_columns() {
    assert_refused(
        "device,kernel,variant\n",
        "line 1: column `time_s` is missing from the header",
    );
    assert_refused(
        "log\nDispatch_Id,Kernel_Name,Counter_Name\n",
        "line 2: column `Counter_Value` is missing",
    );
    assert_refused(
        "Dispatch_Id,Kernel_Name,Start_Timestamp\n",
        "line 1: column `End_Timestamp` is missing",
    );
    assert_refused(
        "Index,KernelName,gpu-id,wgr\n",
        "line 1: column `grd` is missing",
    );
    assert_refused(
        "Dispatch_ID,Kernel_Name,GPU_ID,Grid_Size\n",
        "line 1: column `Workgroup_Size` is missing",
    );
    assert_refused(
        "Kernel,SubDeviceId,EuActive[%]\n",
        "line 1: column `GpuTime[ns]` is missing",
    );
    assert_refused(
        "\"Device\",\"Kernel\",\"Invocations\",\"Min\"\n",
        "line 1: column `Avg` is missing",
    );
    assert_refused(
        "\"Start\",\"Duration\",\"Grid X\"\n",
        "line 1: column `Name` is missing",
    );
}

#[test]
fn columns_there_twice() {
    assert_refused(
        "device,kernel,variant,time_s,ncu:a,ncu:a\n",
        "line 1: column `ncu:a` is there twice",
    );
}

#[test]
fn rows_of_another_length() {
    let text = format!("{TIDY}a,k,global,1,2\nb,k,global,1,2,3\n");
    assert_refused(&text, "line 2: 5 cells, expected 6 as in the header");
    let text = format!("{TIDY}a,k,global,1,2,3,4\n");
    assert_refused(&text, "line 2: 7 cells, expected 6 as in the header");
}

#[test]
fn a_last_row_cut_short() {
    let text = format!("{ROCPROFV3}1,a,64,64,SQ_WAVES,1,10,20\n2,a,64,64,SQ_WA");
    assert_refused(
        &text,
        "line 3: the file ends in the middle of a row (5 of 8 cells)",
    );
    let text = format!("{ROCPROFV3}1,a,64,64,SQ_WAVES,1,10,20\n2,a,64,64,SQ_WAVES,1,110,12");
    let profile = parse(&text).expect("the first launch");
    let cut = "launch left out: column `End_Timestamp`: `12`, expected a time after the start";
    assert_eq!(profile.notes[0].text, cut);
}

#[test]
fn quotes_that_never_close() {
    let text = format!("{TIDY}a,\"k,global,1,2,3\nb,k,global,1,2,3\n");
    assert_refused(&text, "line 2: a quotation mark is opened and not closed");
}

#[test]
fn enormous_cells() {
    let text = format!("{TIDY}a,{},global,1,2,3\n", "k".repeat(70_000));
    assert_refused(
        &text,
        "line 2: a cell of 70000 bytes, expected at most 65536",
    );
    let text = format!("device,kernel,variant,time_s,ncu:{}\n", "x".repeat(300));
    assert_refused(&text, "line 1: a cell of 304 bytes, expected at most 256");
}

#[test]
fn lines_are_counted_over_quoted_breaks_blank_lines_and_crlf() {
    let text =
        "device,kernel,variant,time_s\r\n\r\na,\"k\r\nl\",global,1\r\n\r\n,,,\r\nb,k,global,x\r\n";
    assert_refused(
        text,
        "line 7, column `time_s`: `x`, expected seconds above 0",
    );
}

#[test]
fn formats_are_told_by_content_below_a_program_s_output() {
    assert_eq!(
        detect(&format!("loading…\n\n{ROCPROFV3}")),
        Ok(Format::Rocprofv3Counters)
    );
    assert_eq!(
        detect("a, b\nInstructions executed for kernel 'k':\n"),
        Ok(Format::Oclgrind)
    );
    assert_eq!(detect("\u{feff}\"kernel\";\"device\"\n"), Ok(Format::Tidy));
    assert_eq!(detect("sep=;\nkernel;variant;time_s\n"), Ok(Format::Tidy));
    assert_eq!(detect("kernel\tvariant\ttime_s\n"), Ok(Format::Tidy));
}
