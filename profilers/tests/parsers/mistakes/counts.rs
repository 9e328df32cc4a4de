//! AMD's tools, Oclgrind, and files that do not belong together.

use kerncast_profilers::{Error, join, parse};

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
        "`a` left out: every counter is 0, so nothing was counted"
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
fn files_of_other_launches_do_not_join() {
    let file = |rows: &str| parse(&format!("{ROCPROFV3}{rows}")).expect("a file");
    let one = file("1,a,64,64,SQ_WAVES,1,10,20\n");
    let two = file("1,a,64,64,SQ_WAVES,1,10,20\n2,a,64,64,SQ_WAVES,1,30,40\n");
    let message = join(one.clone(), two)
        .expect_err("another number")
        .to_string();
    assert_eq!(
        message,
        "the files do not belong together: 1 launches and 2"
    );
    let other = file("1,b,64,64,SQ_WAVES,1,10,20\n");
    let message = join(one.clone(), other)
        .expect_err("another kernel")
        .to_string();
    assert_eq!(
        message,
        "the files do not belong together: launch 1 is `a` in one and `b` in the other"
    );
    let larger = file("1,a,128,64,SQ_WAVES,2,10,20\n");
    assert!(matches!(join(one.clone(), larger), Err(Error::Mismatch(_))));
    let pass = join(one, file("1,a,64,64,SQ_INSTS,7,10,30\n")).expect("two passes");
    assert_eq!(pass.launches[0].time_s, Some(10e-9));
    assert_eq!(pass.launches[0].counters["rocprofv3"].len(), 2);
}
