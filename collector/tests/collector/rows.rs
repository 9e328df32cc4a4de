//! What goes wrong in one workload is a row that says why, and the others go on. Real kernels on PoCL.

use std::{fs, path::Path};

use crate::common::{Place, expect_exit, fixture, rows, text};

/// Kernels and variants that fail, and a part of the reason.
const FAULTS: [(&str, &str, &str); 14] = [
    ("crashes", "local", "crashed: SIGSEGV"),
    ("hangs", "local", "hung: killed after 15 s"),
    (
        "disagrees",
        "local",
        "outputs disagree: b[40] is 41; the reference has 40",
    ),
    ("unwritten", "global", "b[63] was not written"),
    (
        "unwritten",
        "local",
        "cannot be checked: the reference variant `global` failed",
    ),
    (
        "not_a_number",
        "global",
        "b[7] is NaN (1 of 64 components are no numbers): nothing can be compared with it",
    ),
    (
        "wrong_argument",
        "global",
        "argument `b` of function `plain`: the launch file gives a buffer of `int`; expected `int` by value",
    ),
    (
        "wrong_scalar",
        "global",
        "argument `factor` of function `plain`: the launch file gives a scalar of `float`; expected `int` by value",
    ),
    (
        "wrong_buffer",
        "global",
        "argument `a` of function `plain`: the launch file gives a buffer of `int`; expected a buffer of `double`",
    ),
    (
        "wrong_structure",
        "global",
        "argument `points` of function `plain`: the launch file gives a buffer of `point` (4 bytes); expected a \
         buffer of `Point` (8 bytes)",
    ),
    (
        "wrong_local",
        "global",
        "`local` of function `plain`: the launch file gives [16]; expected [32, 1, 1], as its reqd_work_group_size \
         says",
    ),
    ("does_not_build", "local", "undeclared"),
    (
        "no_function",
        "local",
        "no OpenCL function `absent` in the source; it has: plain",
    ),
    (
        "too_many_arguments",
        "local",
        "takes 3 arguments, and the launch file gives 2",
    ),
];

#[test]
fn each_fault_is_a_row_with_its_reason_and_the_rest_is_measured() {
    let place = Place::new();
    let output = expect_exit(
        place.times(
            &fixture("faulty"),
            &[
                "--kernels",
                &fixture("kernels/scale"),
                "--workload-limit",
                "15s",
            ],
        ),
        1,
    );
    let rows = rows(&output);
    let status = |kernel: &str, variant: &str| {
        let row = rows
            .iter()
            .find(|row| row["kernel"] == kernel && row["variant"] == variant)
            .unwrap_or_else(|| panic!("no row of {kernel} {variant}"));
        let reason = row["reason"].as_str().unwrap_or_default().to_owned();
        (row["status"].as_str().expect("status").to_owned(), reason)
    };
    for (kernel, variant, reason) in FAULTS {
        let (status, actual) = status(kernel, variant);
        assert_eq!(status, "failed", "{kernel}");
        assert!(actual.contains(reason), "{kernel} {variant}: {actual}");
    }
    for kernel in [
        "crashes",
        "hangs",
        "disagrees",
        "does_not_build",
        "no_function",
        "scale",
    ] {
        assert_eq!(
            status(kernel, "global").0,
            "measured",
            "{kernel}: {}",
            status(kernel, "global").1
        );
    }
    assert_eq!(status("scale", "local").0, "measured");

    // A failed row is not stored.
    let spooled = place.spooled();
    let measured = rows
        .iter()
        .filter(|row| row["status"] == "measured")
        .count();
    assert_eq!(spooled.len(), measured);
    assert!(spooled.iter().all(|sample| {
        sample["workload"]["variant"] == "global" || sample["workload"]["kernel"] == "scale"
    }));
}

#[test]
fn a_variant_alone_is_still_compared_with_the_reference() {
    let place = Place::new();
    let run = |kernel: &str, code: i32| {
        let kernels = fixture("faulty");
        let further = ["--kernel", kernel, "--variant", "local"];
        rows(&expect_exit(place.times(&kernels, &further), code))
    };
    let disagrees = run("disagrees", 1);
    assert_eq!(disagrees.len(), 1);
    let reason = disagrees[0]["reason"].as_str().expect("reason");
    assert!(
        reason.contains("b[40] is 41; the reference has 40"),
        "{reason}"
    );
}

#[test]
fn what_hung_once_is_not_waited_for_again() {
    let place = Place::new();
    let kernels = fixture("kernels/reference_hangs");
    let further = ["--workload-limit", "5s"];
    let rows = rows(&expect_exit(place.times(&kernels, &further), 1));
    let ends: Vec<_> = rows
        .iter()
        .map(|row| (&row["status"], &row["reason"]))
        .collect();
    assert_eq!(ends[0].0, "failed");
    assert!(
        ends[0]
            .1
            .as_str()
            .expect("reason")
            .starts_with("hung: killed after 5 s"),
        "{ends:?}"
    );
    for later in &ends[1..] {
        assert_eq!(
            later,
            &(
                &"skipped".into(),
                &"not run: variant `global` hung at n=64".into()
            )
        );
    }
    assert_eq!(ends.len(), 4);
}

#[test]
fn sizes_can_be_given_and_a_device_that_is_too_small_is_no_failure() {
    let place = Place::new();
    let kernels = fixture("kernels/scale");
    let run = |size: &str, code: i32| {
        let further = ["--size", size, "--variant", "global"];
        expect_exit(place.times(&kernels, &further), code)
    };
    let measured = &rows(&run("n=128", 0))[0];
    assert_eq!(measured["parameters"]["n"], 128);
    let launch = &measured["sample"]["readings"]["launch"]["counters"];
    assert_eq!(
        (&launch["work_items"], &launch["work_groups"]),
        (&128.0.into(), &2.0.into())
    );
    // a and b: float4; bytes: uchar; steps: two ints an item.
    assert_eq!(launch["global_bytes"], 128.0 * (16.0 + 16.0 + 1.0 + 8.0));

    let huge = &rows(&run("n=2147483584", 0))[0];
    assert_eq!(huge["status"], "skipped");
    assert!(
        huge["reason"]
            .as_str()
            .expect("reason")
            .contains("the device has"),
        "{huge}"
    );

    let wrong = run("m=128", 2);
    let message = crate::common::text(&wrong.stderr);
    assert!(
        message.contains("kernel scale has the parameters n"),
        "{message}"
    );
    // Before anything is measured.
    let wrong = crate::common::text(&run("n=100", 2).stderr);
    assert!(
        wrong.contains("variants.global.local = \"64\" is 64 where n=100; expected a divisor"),
        "{wrong}"
    );
    assert!(wrong.contains("give `ceil_div(n, 64) * 64`"), "{wrong}");
}

#[test]
fn a_device_without_an_images_format_is_no_failure() {
    let place = Place::new();
    let kernels = fixture("kernels/no_such_image");
    let rows = rows(&expect_exit(place.times(&kernels, &[]), 0));
    let reasons = [
        "the device has no image of bgra_float that is read; it has ",
        "cannot be checked: the reference variant `global` is beyond this device",
    ];
    assert_eq!(rows.len(), reasons.len());
    for (row, reason) in rows.iter().zip(reasons) {
        assert_eq!(row["status"], "skipped", "{row}");
        let actual = row["reason"].as_str().expect("a reason");
        assert!(actual.contains(reason), "{actual}");
    }
}

/// From another folder than the kernel's, where `#include` would look first.
#[test]
fn a_header_beside_the_source_is_found() {
    let place = Place::new();
    let kernels = fixture("kernels/with_header");
    let rows = rows(&expect_exit(place.times(&kernels, &[]), 0));
    assert_eq!(rows[0]["status"], "measured", "{}", rows[0]);
}

#[test]
fn a_kernel_that_is_wrong_keeps_no_other_from_being_measured() {
    let place = Place::new();
    let folder = place.path("mine");
    for kernel in ["broken", "whole"] {
        fs::create_dir_all(folder.join(kernel)).expect("folder");
        let source = format!("{kernel}.cl");
        for (file, to) in [
            ("launch.toml", "launch.toml"),
            ("with_header.cl", &source),
            ("factor.h", "factor.h"),
        ] {
            let from = Path::new(&fixture("kernels/with_header")).join(file);
            fs::copy(from, folder.join(kernel).join(to)).expect("copied");
        }
    }
    fs::write(folder.join("broken/launch.toml"), "title = 3\n").expect("written");
    let kernels = folder.to_str().expect("UTF-8");
    let output = expect_exit(place.times(kernels, &[]), 1);
    let rows = rows(&output);
    assert_eq!(
        (&rows[0]["kernel"], &rows[0]["status"]),
        (&"whole".into(), &"measured".into())
    );
    let stderr = text(&output.stderr);
    assert!(
        stderr.contains("broken/launch.toml:1") && stderr.contains("the other kernels go on"),
        "{stderr}"
    );
    // Where all are wrong, there is nothing to do.
    let broken = folder.join("broken");
    let broken = broken.to_str().expect("UTF-8");
    let arguments = ["run", "--no-upload", "--kernels", broken];
    let stderr = text(&expect_exit(place.kerncast(&arguments), 2).stderr);
    assert!(stderr.contains("broken/launch.toml:1"), "{stderr}");
}
