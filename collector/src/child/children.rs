//! The common parts of all children: a folder for reports, and PoCL's cache.

use std::{
    env,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use kerncast_opencl::DeviceFacts;
use serde::de::DeserializeOwned;

use super::{Answer, ChildJob, Failure, Observed, process::ask};
use crate::{local_memory::MeasuredPoints, programs::Scratch, workload::WorkloadKey};

const DEVICES_LIMIT: Duration = Duration::from_secs(60);
const BUILD_LIMIT: Duration = Duration::from_secs(60);
/// Time limit for measuring local memory: far more than that takes, on a CPU too.
const LOCAL_MEMORY_LIMIT: Duration = Duration::from_secs(120);

/// Starts children.
pub struct Children {
    scratch: Scratch,
    environment: Vec<(&'static str, OsString)>,
}

impl Children {
    /// Makes the shared folder and environment.
    ///
    /// # Errors
    /// There is no place for temporary files.
    pub fn new() -> io::Result<Self> {
        let scratch = Scratch::new()?;
        let mut environment = Vec::new();
        if let Some(cache) = pocl_cache().filter(|cache| !is_writable(cache)) {
            // Without a cache PoCL shows no device.
            let stand_in = scratch.path().join("pocl");
            fs::create_dir(&stand_in)?;
            eprintln!(
                "warning: PoCL's cache {} can't be written; the next run will compile again. Make it \
                 writable, or name a folder in POCL_CACHE_DIR",
                cache.display()
            );
            environment.push(("POCL_CACHE_DIR", stand_in.into()));
        }
        Ok(Self {
            scratch,
            environment,
        })
    }

    /// The folder for files that pass between processes.
    pub fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    /// Environment variables that all children get.
    pub fn environment(&self) -> &[(&'static str, OsString)] {
        &self.environment
    }

    /// Has a child do `job` and waits until it ends or `limit` is over. `more` is added to its environment.
    ///
    /// Call it from the main thread: a child dies with the thread that started it.
    ///
    /// # Errors
    /// Whatever kept a report from coming back.
    pub fn ask<T: DeserializeOwned>(
        &self,
        job: ChildJob,
        more: &[(&'static str, OsString)],
        limit: Duration,
    ) -> Result<Answer<T>, Failure> {
        let environment = [&self.environment, more].concat();
        ask(job, self.scratch.path(), &environment, limit)
    }

    /// The devices that a child sees with `more` in its environment.
    ///
    /// # Errors
    /// There is no device, or a driver crashed.
    pub fn devices(&self, more: &[(&'static str, OsString)]) -> Result<Vec<DeviceFacts>, Failure> {
        Ok(self.ask(ChildJob::Devices, more, DEVICES_LIMIT)?.value)
    }

    /// Has a child build a workload for `device`. Returns the local memory of one work-group, bytes.
    ///
    /// # Errors
    /// The device's compiler refuses the source, or the child fails otherwise.
    pub fn local_bytes(&self, device: &DeviceFacts, workload: WorkloadKey) -> Result<u64, Failure> {
        let device = device.index;
        let job = ChildJob::LocalBytes { device, workload };
        Ok(self.ask(job, &[], BUILD_LIMIT)?.value)
    }

    /// Has a child measure the local memory of `device`. The device's state meanwhile comes with it, where the device
    /// tells.
    ///
    /// # Errors
    /// Whatever kept the points from coming back.
    pub fn local_memory(&self, device: &DeviceFacts) -> Result<Observed<MeasuredPoints>, Failure> {
        let device = device.index;
        let answer = self.ask(ChildJob::LocalMemory { device }, &[], LOCAL_MEMORY_LIMIT)?;
        Ok(answer.value)
    }
}

/// The folder where PoCL keeps compiled kernels; none where PoCL's own choice will do.
fn pocl_cache() -> Option<PathBuf> {
    if let Some(named) = env::var_os("POCL_CACHE_DIR") {
        return Some(named.into());
    }
    if let Some(cache) = env::var_os("XDG_CACHE_HOME") {
        return Some(Path::new(&cache).join("pocl/kcache"));
    }
    Some(Path::new(&env::var_os("HOME")?).join(".cache/pocl/kcache"))
}

fn is_writable(folder: &Path) -> bool {
    fs::create_dir_all(folder).is_ok() && tempfile::tempfile_in(folder).is_ok()
}
