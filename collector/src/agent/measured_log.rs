//! A log of measurements: a line after each workload, so that a killed run loses none. If the file is lost, everything
//! is measured again.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Write},
    path::PathBuf,
};

use chrono::{DateTime, Utc};
use kerncast_opencl::DeviceFacts;
use serde::{Deserialize, Serialize};

use super::{State, StateError, state::io_error};
use crate::workload::Workload;

const FILE: &str = "agent.measured.jsonl";

/// A workload on a device, and everything that may change its time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Subject {
    /// Device, kernel, variant and sizes.
    workload: String,
    /// The driver's version and the hash of the sources.
    #[serde(rename = "made_of")]
    versions: String,
}

impl Subject {
    pub(super) fn new(device: &DeviceFacts, workload: &Workload<'_>) -> Self {
        let DeviceFacts { vendor, name, .. } = device;
        Self {
            workload: format!("{vendor} {name}: {}", workload.name()),
            versions: format!("{} {}", device.driver_version, workload.kernel.source_hash),
        }
    }
}

/// When a workload was last tried.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct LastTry {
    #[serde(flatten)]
    subject: Subject,
    pub(super) at: DateTime<Utc>,
    pub(super) failed: bool,
}

/// The last try of each workload.
pub(super) struct MeasuredLog {
    path: PathBuf,
    file: File,
    last_tries: BTreeMap<String, LastTry>,
}

impl MeasuredLog {
    /// Reads the log, drops lines that newer ones have replaced, and opens it for more.
    pub(super) fn open(state: &State) -> Result<Self, StateError> {
        let path = state.path(FILE);
        let text = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            text => text.map_err(io_error("read", &path))?,
        };
        let mut last_tries: BTreeMap<String, LastTry> = BTreeMap::new();
        // A line that a power cut has torn is a workload that is measured again.
        for line in text.split(|&byte| byte == b'\n') {
            if let Ok(last_try) = serde_json::from_slice::<LastTry>(line) {
                last_tries.insert(last_try.subject.workload.clone(), last_try);
            }
        }
        let rewrite = || -> io::Result<File> {
            let folder = path.parent().unwrap_or(&path);
            let mut new = tempfile::NamedTempFile::new_in(folder)?;
            for it in last_tries.values() {
                write_line(new.as_file_mut(), it)?;
            }
            new.persist(&path)?;
            File::options().append(true).open(&path)
        };
        let file = rewrite().map_err(io_error("write", &path))?;
        Ok(Self {
            path,
            file,
            last_tries,
        })
    }

    /// The last try of a workload as it is now; none where its sources or the driver have changed since.
    pub(super) fn last(&self, subject: &Subject) -> Option<&LastTry> {
        let last = self.last_tries.get(&subject.workload);
        last.filter(|it| it.subject.versions == subject.versions)
    }

    /// Notes that a workload was measured just now.
    pub(super) fn note(&mut self, subject: Subject, failed: bool) -> Result<(), StateError> {
        let last_try = LastTry {
            subject,
            at: Utc::now(),
            failed,
        };
        write_line(&mut self.file, &last_try).map_err(io_error("write", &self.path))?;
        let workload = last_try.subject.workload.clone();
        self.last_tries.insert(workload, last_try);
        Ok(())
    }
}

fn write_line(file: &mut File, last_try: &LastTry) -> io::Result<()> {
    let mut line = serde_json::to_vec(last_try)?;
    line.push(b'\n');
    file.write_all(&line)
}
