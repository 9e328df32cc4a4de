//! AMD's devices: HSA, and rocprofv3. None of this has run on AMD's hardware.

use std::{fs::File, io, time::Duration};

use super::{Check, counters, trial};
use crate::{
    child::Children,
    providers::{Profiler, probe, rocprofv3::Rocprof},
    replay::Batch,
};

/// The device file that HSA opens.
const KFD: &str = "/dev/kfd";
/// Time limit of a pass, for the start of the driver and of rocprofv3.
const LIMIT: Duration = Duration::from_secs(60);

pub(super) fn examine(children: &Children, device: usize) -> Vec<Check> {
    let opened = File::options().read(true).write(true).open(KFD);
    let mut checks = vec![kfd(opened.map(drop)), counters::performance()];
    let counted = Rocprof::find().and_then(|rocprof| {
        let workload = trial(children).map_err(|error| error.to_string())?;
        let version = rocprof.version().to_owned();
        let batch = Batch {
            children,
            device,
            workloads: &[workload],
            limit: LIMIT,
        };
        let counters = probe(rocprof, batch)?;
        Ok(format!("{version}, gave {counters} counters"))
    });
    checks.push(match counted {
        Ok(finding) => Check::good("rocprofv3", finding),
        Err(reason) => Check::problem("rocprofv3", reason),
    });
    checks
}

fn kfd(opened: io::Result<()>) -> Check {
    match opened {
        Ok(()) => Check::good(KFD, "this user may open it"),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Check::warning(
            KFD,
            "is not there: this OpenCL driver does not go through HSA, and rocprofv3 sees nothing \
             else; in a container, start it with --device=/dev/kfd --device=/dev/dri",
        ),
        Err(error) => Check::problem(
            KFD,
            format!(
                "this user may not open it ({error}): `usermod -a -G render,video USER` as root, and \
                 log in again; in a container, start it with --group-add render --group-add video"
            ),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Severity;

    #[test]
    fn who_may_not_open_the_device_is_told_of_the_groups() {
        assert_eq!(kfd(Ok(())).severity, Severity::Good);
        let denied = kfd(Err(io::ErrorKind::PermissionDenied.into()));
        assert_eq!(denied.severity, Severity::Problem);
        assert!(
            denied.finding.contains("render,video"),
            "{}",
            denied.finding
        );
        let absent = kfd(Err(io::ErrorKind::NotFound.into()));
        assert_eq!(absent.severity, Severity::Warning);
        assert!(absent.finding.contains("HSA"), "{}", absent.finding);
    }
}
