//! Checks, before anything is measured, whether this machine can measure and count. Says what to do if it can't.

use std::{fs, io};

use kerncast_opencl::DeviceFacts;
use kerncast_suite::Parameters;
use serde::Serialize;

use crate::{child::Children, conditions::Observer, device, providers, workload::WorkloadKey};

mod amd;
mod counters;
mod nvidia;

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// The checked part, in a word or two.
    pub what: &'static str,
    /// Whether something is wrong.
    #[serde(rename = "verdict")]
    pub severity: Severity,
    /// What was found, and what to do about it.
    #[serde(rename = "found")]
    pub finding: String,
}

/// How serious the finding of a check is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Everything is as it should be.
    Good,
    /// Something may become a problem.
    Warning,
    /// Something will not work.
    Problem,
}

impl Check {
    fn good(what: &'static str, finding: impl Into<String>) -> Self {
        Self::new(what, Severity::Good, finding)
    }

    fn problem(what: &'static str, finding: impl Into<String>) -> Self {
        Self::new(what, Severity::Problem, finding)
    }

    fn warning(what: &'static str, finding: impl Into<String>) -> Self {
        Self::new(what, Severity::Warning, finding)
    }

    fn new(what: &'static str, severity: Severity, finding: impl Into<String>) -> Self {
        Self {
            what,
            severity,
            finding: finding.into(),
        }
    }
}

/// Checks everything that measuring needs.
pub fn examine(children: &Children) -> Vec<Check> {
    let devices = match children.devices(&[]) {
        Ok(devices) => devices,
        Err(failure) => return vec![Check::problem("OpenCL", failure.to_string())],
    };
    let names: Vec<&str> = devices.iter().map(|device| device.name.as_str()).collect();
    let mut checks = vec![Check::good("OpenCL", names.join(", "))];
    checks.push(match providers::Oclgrind::find(children).version() {
        Ok(version) => Check::good("oclgrind", version),
        Err(reason) => Check::problem("oclgrind", reason),
    });
    checks.push(match providers::Analysis::find().version() {
        Ok(version) => Check::good("clang", version),
        Err(reason) => Check::warning(
            "clang",
            format!("{reason}. Nothing is known from the source alone"),
        ),
    });
    let first_of = |vendor| devices.iter().find(|it| it.vendor == vendor);
    match first_of(device::NVIDIA) {
        Some(device) => {
            checks.push(conditions(device));
            checks.extend(nvidia::examine(children, device.index));
        }
        None => checks.push(Check::good("ncu", "not needed: there is no NVIDIA device")),
    }
    match first_of(device::AMD) {
        Some(device) => checks.extend(amd::examine(children, device.index)),
        None => checks.push(Check::good(
            "rocprofv3",
            "not needed: there is no AMD device",
        )),
    }
    checks
}

/// Checks whether clocks, temperature and power can be stored with each sample.
fn conditions(device: &DeviceFacts) -> Check {
    const WHAT: &str = "NVML";
    match Observer::new(device).probe() {
        Ok(state) => Check::good(WHAT, state),
        Err(reason) => Check::warning(
            WHAT,
            format!(
                "{reason}. Samples will lack clocks, temperature and power; in a container, start \
                 it with NVIDIA_DRIVER_CAPABILITIES=compute,utility"
            ),
        ),
    }
}

/// Writes a small workload on which a profiler can be tried, where a child can read it.
fn trial(children: &Children) -> io::Result<WorkloadKey> {
    let folder = children.scratch().join("probe");
    fs::create_dir_all(&folder)?;
    fs::write(
        folder.join("launch.toml"),
        include_str!("probe/launch.toml"),
    )?;
    fs::write(folder.join("probe.cl"), include_str!("probe/probe.cl"))?;
    Ok(WorkloadKey {
        folder,
        variant: "local".to_owned(),
        parameters: Parameters::from([("n".to_owned(), 256)]),
    })
}
