//! The tidy table.

use kerncast_profilers::parse;

use super::{TIDY, assert_refused};

#[test]
fn tidy_values_that_are_no_measurements() {
    for (row, message) in [
        (
            "a,,global,1,2,3",
            "line 2, column `kernel`: ``, expected a name",
        ),
        (
            "a,k,global,0,2,3",
            "line 2, column `time_s`: `0`, expected seconds above 0",
        ),
        (
            "a,k,global,-1,2,3",
            "line 2, column `time_s`: `-1`, expected seconds above 0",
        ),
        (
            "a,k,global,NaN,2,3",
            "line 2, column `time_s`: `NaN`, expected seconds above 0",
        ),
        (
            "a,k,global,inf,2,3",
            "line 2, column `time_s`: `inf`, expected seconds above 0",
        ),
        (
            "a,k,global,1e999,2,3",
            "line 2, column `time_s`: `1e999`, expected seconds above 0",
        ),
        (
            "a,k,global,1,2.5,3",
            "line 2, column `param:n`: `2.5`, expected a whole number",
        ),
        (
            "a,k,global,1,99999999999999999999,3",
            "line 2, column `param:n`: `99999999999999999999`, expected",
        ),
        (
            "a,k,global,1,2,-3",
            "line 2, column `ncu:inst`: `-3`, expected a number from 0",
        ),
        (
            "a,k,global,1,2,nan",
            "line 2, column `ncu:inst`: `nan`, expected a number from 0",
        ),
        (
            "a,k,global,1,2,n/a",
            "line 2, column `ncu:inst`: `n/a`, expected a number from 0",
        ),
        (
            "a,k,global,1,2,\"1,632\"",
            "line 2, column `ncu:inst`: `1,632`, expected a number from 0 without thousands",
        ),
        (
            "==PROF== x",
            "line 2, column `device`: `==PROF== x`, expected a row of the table",
        ),
    ] {
        assert_refused(&format!("{TIDY}{row}\n"), message);
    }
}

#[test]
fn tidy_columns_that_nobody_knows() {
    for column in ["inst", "param:", ":inst", "Time", "ncu:"] {
        let text = format!("device,kernel,variant,time_s,{column}\n");
        let message = format!(
            "line 1: unknown column `{column}`: expected device, kernel, variant, time_s, family,"
        );
        assert_refused(&text, &message);
    }
}

#[test]
fn tidy_columns_of_an_export_are_passed_over() {
    let text = "device,kernel,variant,time_s,id,measured_at,agent,min_s,n,cv,launches_per_repetition,settled,flags,origin\n\
                d,k,global,2,0198-x,2026-11-01T12:00:00Z,lab-3,1.5,3,,1,true,throttled shared,measured\n";
    let profile = parse(text).expect("an export");
    let launch = &profile.launches[0];
    assert_eq!((launch.time_s, launch.counters.len()), (Some(2.0), 0));
}

#[test]
fn tidy_rows_that_the_server_has_set_aside_are_left_out() {
    let text = "device,kernel,variant,time_s,standing\n\
                d,k,global,1,sound\nd,k,global,2,quarantined\nd,k,global,3,rejected\n\
                d,k,global,4,accepted\nd,k,global,5,unjudged\n";
    let profile = parse(text).expect("an export");
    let times: Vec<Option<f64>> = profile.launches.iter().map(|it| it.time_s).collect();
    assert_eq!(times, [Some(1.0), Some(4.0), Some(5.0)]);
    assert_eq!(profile.notes.len(), 1);
    assert_eq!(profile.notes[0].line, 3);
    assert!(
        profile.notes[0]
            .text
            .starts_with("2 samples are quarantined or rejected")
    );
}

#[test]
fn tidy_decimal_commas_are_read_between_semicolons_and_not_mixed() {
    let header = TIDY.replace(',', ";");
    let profile = parse(&format!(
        "\u{feff}{header}a;k;global;0,5;2;1234,75\n;k;;;;\n"
    ))
    .expect("European Excel");
    let launch = &profile.launches[0];
    assert_eq!(
        (launch.time_s, launch.counters["ncu"]["inst"]),
        (Some(0.5), 1234.75)
    );
    assert_eq!(
        (
            profile.launches[1].time_s,
            profile.launches[1].counters.len()
        ),
        (None, 0)
    );

    let mixed = format!("{header}a;k;global;0,5;2;3\nb;k;global;0.5;2;3\n");
    assert_refused(
        &mixed,
        "line 3, column `time_s`: `0.5` uses another decimal mark than line 2",
    );
    let grouped = format!("{header}a;k;global;0,5;2;1.234,5\n");
    assert_refused(
        &grouped,
        "line 2, column `ncu:inst`: `1.234,5`, expected a number from 0 without thousands",
    );
    let either = format!("{header}a;k;global;1.234;2;3\n");
    assert_refused(
        &either,
        "line 2, column `time_s`: `1.234` can mean two numbers, a thousand times apart",
    );
}
