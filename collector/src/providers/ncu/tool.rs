//! Nsight Compute's program and its command line.

use std::{ffi::OsString, io, iter, path::Path, process::Command};

use kerncast_profilers::{catalogue, sass::EXECUTED};

use super::NAME;
use crate::programs::{Tool, versioned_folders};

const TOOLKIT_FOLDER: &str = "/usr/local/cuda/bin";
/// The folder in which Debian packages and NVIDIA's installer put a folder for each version.
const VERSIONS_FOLDER: &str = "/opt/nvidia/nsight-compute";

/// Nsight Compute's command line.
pub struct NsightCompute(pub(super) Tool);

impl NsightCompute {
    /// Finds Nsight Compute: the file or folder that KERNCAST_NCU names, PATH, and the folders of packages.
    ///
    /// # Errors
    /// Nsight Compute is not there or does not run; the message says what to do.
    pub fn find() -> Result<Self, String> {
        let folders =
            iter::once(TOOLKIT_FOLDER.into()).chain(versioned_folders(VERSIONS_FOLDER, ""));
        let missing = format!(
            "no `{NAME}` on PATH, in {TOOLKIT_FOLDER} or in {VERSIONS_FOLDER}. It comes with the CUDA toolkit (package nsight-compute)"
        );
        Tool::find(NAME, "KERNCAST_NCU", folders, &missing, version).map(Self)
    }

    /// The words before a program's own command line that have ncu write counters to `report` and messages to `log`.
    ///
    /// Clocks are left alone. Caches are flushed before every launch (ncu's default), so that counters do not depend on
    /// earlier launches.
    pub(super) fn command_line(&self, report: &Path, log: &Path) -> Vec<OsString> {
        let metrics = catalogue::requested(NAME).flat_map(catalogue::Counter::asked_names);
        let metrics: Vec<&str> = metrics.chain([EXECUTED]).collect();
        let options = [
            "--clock-control=none",
            "--cache-control=all",
            // Only launches between cuProfilerStart and cuProfilerStop.
            "--profile-from-start=off",
            "--metrics",
            &metrics.join(","),
            "--force-overwrite",
        ];
        let options = options.map(OsString::from);
        iter::once(self.0.path.clone().into())
            .chain(options)
            .chain(["--export".into(), report.into()])
            .chain(["--log-file".into(), log.into()])
            .collect()
    }

    /// A page of a report, as CSV.
    pub(super) fn page(&self, report: &Path, page: &str) -> io::Result<String> {
        let mut command = Command::new(&self.0.path);
        command.arg("--import").arg(report);
        command.args(["--csv", "--page", page, "--print-units=base", "--print-fp"]);
        let printed = command.output()?;
        Ok(String::from_utf8_lossy(&printed.stdout).into_owned())
    }
}

/// The version in a line `Version 2025.3.1.0 (build 36398880) (public-release)`.
fn version(output: &str) -> Option<String> {
    let mut lines = output.lines();
    let line = lines.find_map(|line| line.strip_prefix("Version "))?;
    line.split_whitespace().next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_version() {
        let output = "NVIDIA (R) Nsight Compute Command Line Profiler\n\
                    Copyright (c) 2018-2025 NVIDIA Corporation\n\
                    Version 2025.3.1.0 (build 36398880) (public-release)\n";
        assert_eq!(version(output).as_deref(), Some("2025.3.1.0"));
        assert_eq!(version("command not found"), None);
    }
}
