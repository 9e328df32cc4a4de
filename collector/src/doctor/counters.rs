//! Permission to read a GPU's counters, and other programs that hold them.

use std::fs;

use super::Check;

const PARAMETERS: &str = "/proc/driver/nvidia/params";
const STATUS: &str = "/proc/self/status";
const PARANOID: &str = "/proc/sys/kernel/perf_event_paranoid";
/// The capability's number in capabilities(7).
const CAP_SYS_ADMIN: u32 = 21;
const CAP_PERFMON: u32 = 38;
/// Names of processes of NVIDIA's Data Center GPU Manager that read counters, as /proc/PID/comm has them.
const DCGM: [&str; 2] = ["nv-hostengine", "dcgm-exporter"];

/// Whether NVIDIA's driver lets this user read counters.
pub(super) fn permission() -> Check {
    check_permission(&text_of(PARAMETERS), &text_of(STATUS))
}

/// The text of a file; empty where it can't be read.
fn text_of(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn check_permission(parameters: &str, status: &str) -> Check {
    const WHAT: &str = "permission";
    let is_admin = has(CAP_SYS_ADMIN, status);
    match for_admins_only(parameters) {
        Some(false) => Check::good(WHAT, "every user may read counters"),
        Some(true) if is_admin => Check::good(
            WHAT,
            "only administrators may read counters, and this user is one",
        ),
        Some(true) => Check::problem(
            WHAT,
            "only administrators may read counters (ERR_NVGPUCTRPERM): run as root, or put `options \
             nvidia NVreg_RestrictProfilingToAdminUsers=0` into a file of /etc/modprobe.d and \
             restart; in a container, start it with --cap-add=SYS_ADMIN",
        ),
        None => Check::warning(
            WHAT,
            format!("{PARAMETERS} does not say who may read counters; ncu will"),
        ),
    }
}

/// Whether the driver's parameters restrict counters to admins: the line `RmProfilingAdminOnly: 1`.
fn for_admins_only(parameters: &str) -> Option<bool> {
    let value = |line: &str| {
        line.strip_prefix("RmProfilingAdminOnly:")
            .map(|v| v.trim() != "0")
    };
    parameters.lines().find_map(value)
}

/// Whether a process's status has the capability in `CapEff: 000001ffffffffff`, hexadecimal.
fn has(capability: u32, status: &str) -> bool {
    let line = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    let capabilities = line.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
    capabilities.is_some_and(|capabilities| capabilities >> capability & 1 == 1)
}

/// Whether AMD's driver lets this user fix a device's clocks and hold its counters.
pub(super) fn performance() -> Check {
    check_performance(&text_of(PARANOID), &text_of(STATUS))
}

fn check_performance(paranoid: &str, status: &str) -> Check {
    const WHAT: &str = "permission";
    let open = paranoid.trim().parse::<i32>().is_ok_and(|level| level <= 2);
    if open || has(CAP_PERFMON, status) || has(CAP_SYS_ADMIN, status) {
        return Check::good(WHAT, "this user may monitor performance");
    }
    let level = match paranoid.trim() {
        "" => "can't be read",
        level => &format!("is {level}"),
    };
    Check::warning(
        WHAT,
        format!(
            "{PARANOID} {level} and this user has no CAP_PERFMON: counters may be inaccurate; `sysctl \
             kernel.perf_event_paranoid=2` as root, or in a container --cap-add=PERFMON"
        ),
    )
}

/// Whether DCGM runs here: ncu can't read counters while DCGM does.
pub(super) fn other_profilers() -> Check {
    const WHAT: &str = "DCGM";
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let names =
        processes.filter_map(|process| fs::read_to_string(process.path().join("comm")).ok());
    let running = names
        .map(|name| name.trim().to_owned())
        .find(|name| DCGM.contains(&name.as_str()));
    match running {
        Some(name) => Check::warning(
            WHAT,
            format!(
                "{name} runs and may hold the counters: `dcgmi profile --pause` before collecting, \
                 `dcgmi profile --resume` after it"
            ),
        ),
        None => Check::good(WHAT, "does not run here"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Severity;

    // /proc/driver/nvidia/params of driver 580.159.04, shortened, and /proc/self/status.
    const OPEN: &str =
        "ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 0\nGpuBlacklist: \"\"\n";
    const CLOSED: &str = "ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 1\n";
    const ROOT: &str = "Name:\tcat\nCapPrm:\t000001ffffffffff\nCapEff:\t000001ffffffffff\n";
    const USER: &str = "Name:\tcat\nCapPrm:\t0000000000000000\nCapEff:\t0000000000000000\n";
    // Docker's default set has no CAP_SYS_ADMIN, also for root.
    const DOCKER: &str = "CapEff:\t00000000a80425fb\n";

    #[test]
    fn permission_is_as_the_driver_and_the_user_are() {
        for (parameters, status, severity) in [
            (OPEN, USER, Severity::Good),
            (CLOSED, ROOT, Severity::Good),
            (CLOSED, USER, Severity::Problem),
            (CLOSED, DOCKER, Severity::Problem),
            ("", ROOT, Severity::Warning),
        ] {
            assert_eq!(check_permission(parameters, status).severity, severity);
        }
        for (paranoid, status, severity) in [
            ("2\n", USER, Severity::Good),
            ("4\n", ROOT, Severity::Good),
            ("4\n", DOCKER, Severity::Warning),
            ("", USER, Severity::Warning),
        ] {
            assert_eq!(check_performance(paranoid, status).severity, severity);
        }
        assert!(
            check_permission(CLOSED, USER)
                .finding
                .contains("NVreg_RestrictProfiling")
        );
    }
}
