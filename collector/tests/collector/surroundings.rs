//! What may be missing around the collector: OpenCL, a cache, a server, its own parent.

use std::{
    fs,
    net::TcpListener,
    path::PathBuf,
    process::Stdio,
    thread::sleep,
    time::{Duration, Instant},
};

use crate::common::{Place, expect_exit, fixture, rows, text};

const SCALE: &str = "kernels/scale";

#[test]
fn without_a_loader_it_says_what_to_install() {
    let place = Place::new();
    // What the dynamic linker finds first is no library: as good as none.
    fs::create_dir(place.path("lib")).expect("folder");
    fs::write(place.path("lib/libOpenCL.so.1"), "no library").expect("writes");
    for arguments in [&["devices"][..], &["run", "--kernels", &fixture(SCALE)]] {
        let mut command = place.kerncast(arguments);
        command.env("LD_LIBRARY_PATH", place.path("lib"));
        let stderr = text(&expect_exit(command, 69).stderr);
        assert!(
            stderr.contains("Install Debian's ocl-icd-libopencl1"),
            "{stderr}"
        );

        let mut command = place.kerncast(arguments);
        command.env("OPENCL_DYLIB_PATH", "/nowhere/libOpenCL.so");
        let stderr = text(&expect_exit(command, 69).stderr);
        assert!(
            stderr.contains("OPENCL_DYLIB_PATH names /nowhere/libOpenCL.so"),
            "{stderr}"
        );
    }
}

#[test]
fn without_a_driver_or_a_device_it_says_what_to_install() {
    let place = Place::new();
    let mut command = place.kerncast(&["devices"]);
    command.env("OCL_ICD_VENDORS", place.path(""));
    let stderr = text(&expect_exit(command, 69).stderr);
    assert!(
        stderr.contains("found no driver") && stderr.contains("pocl-opencl-icd"),
        "{stderr}"
    );
    assert!(
        stderr.contains("/etc/OpenCL/vendors/nvidia.icd"),
        "{stderr}"
    );
}

#[test]
fn a_cache_that_cannot_be_written_is_a_warning() {
    let place = Place::new();
    let mut command =
        place.kerncast(&["run", "--json", "--no-upload", "--kernels", &fixture(SCALE)]);
    // Not even root can make folders there.
    command
        .env("XDG_CACHE_HOME", "/proc/nowhere")
        .env_remove("POCL_CACHE_DIR");
    let output = expect_exit(command, 0);
    let stderr = text(&output.stderr);
    assert_eq!(
        stderr
            .matches("counts can't be kept in /proc/nowhere/kerncast")
            .count(),
        1,
        "{stderr}"
    );
    let pocl = "PoCL's cache /proc/nowhere/pocl/kcache can't be written";
    assert_eq!(stderr.matches(pocl).count(), 1, "{stderr}");
    for row in rows(&output) {
        let counted = &row["sample"]["readings"]["oclgrind"]["counters"];
        assert!(counted["instructions"].as_f64() > Some(0.0), "{row}");
    }
}

#[test]
fn an_unreachable_server_leaves_the_samples_in_the_spool() {
    let place = Place::new();
    // A port that was free a moment ago: nobody listens.
    let closed = TcpListener::bind("127.0.0.1:0")
        .and_then(|l| l.local_addr())
        .expect("a port");
    let server = format!("http://{closed}");
    let kernels = fixture(SCALE);
    let run = [
        "run",
        "--provider",
        "launch",
        "--kernels",
        &kernels,
        "--server",
        &server,
    ];
    let output = expect_exit(place.kerncast(&run), 75);
    let stderr = text(&output.stderr);
    assert!(
        stderr.contains(&format!("no Kerncast server answers at {server}"))
            && stderr.contains("`make up` starts one; --server or KERNCAST_SERVER names another"),
        "{stderr}"
    );
    assert!(
        stderr.contains("4 samples stay in") && stderr.contains("`kerncast upload`"),
        "{stderr}"
    );
    assert!(
        text(&output.stdout).contains("scale"),
        "the table is there all the same"
    );
    assert_eq!(place.spooled().len(), 4);

    expect_exit(place.kerncast(&["upload", "--server", &server]), 75);
    assert_eq!(place.spooled().len(), 4);
}

#[test]
fn without_oclgrind_its_reading_is_a_refusal() {
    let place = Place::new();
    let mut command =
        place.kerncast(&["run", "--json", "--no-upload", "--kernels", &fixture(SCALE)]);
    command.env("KERNCAST_OCLGRIND", "/nowhere");
    for row in rows(&expect_exit(command, 0)) {
        let reading = &row["sample"]["readings"]["oclgrind"];
        assert_eq!(
            reading["refusal"], "KERNCAST_OCLGRIND: there is no file /nowhere",
            "{row}"
        );
        assert!(reading.get("counters").is_none(), "{row}");
    }
}

#[test]
fn a_killed_collector_takes_its_child_along() {
    let place = Place::new();
    let kernels = fixture("faulty");
    let mut command = place.kerncast(&[
        "run",
        "--no-upload",
        "--provider",
        "launch",
        "--kernels",
        &kernels,
        "--kernel",
        "hangs",
        "--variant",
        "local",
    ]);
    let mut collector = command.stderr(Stdio::null()).spawn().expect("starts");
    let child = wait_for("a child that hangs", || {
        let path = format!("/proc/{0}/task/{0}/children", collector.id());
        let child = fs::read_to_string(path)
            .ok()?
            .split_whitespace()
            .next()?
            .to_owned();
        // It asked to die with its parent before it loaded OpenCL.
        let maps = fs::read_to_string(format!("/proc/{child}/maps")).ok()?;
        maps.contains("libOpenCL")
            .then(|| PathBuf::from("/proc").join(child))
    });
    collector.kill().expect("SIGKILL");
    collector.wait().expect("wait");
    wait_for("the child's end", || {
        let status = fs::read_to_string(child.join("status")).unwrap_or_default();
        (status.is_empty() || status.contains("State:\tZ")).then_some(())
    });
}

fn wait_for<T>(what: &str, mut there: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = there() {
            return found;
        }
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "waited in vain for {what}"
        );
        sleep(Duration::from_millis(10));
    }
}
