//! Counts that were taken once are kept: the same source, options, variant and sizes give the same
//! counts on every device, for ever.

use std::{
    cell::Cell,
    collections::BTreeMap,
    fs,
    io::{self, Write},
    path::PathBuf,
};

use kerncast_suite::{FILL_VERSION, Parameters};
use kerncast_wire::Scope;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{folders, providers::Subject, workload::Workload};

/// What was counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Counted {
    pub(super) counters: BTreeMap<String, f64>,
    pub(super) scope: Scope,
    /// Seconds for the whole launch: measured, or estimated from a part.
    pub(super) all_would_take_s: f64,
}

/// What the counts depend on.
#[derive(Serialize)]
pub(super) struct Key<'a> {
    collector: &'static str,
    fills: u32,
    tool: &'a str,
    kernel: &'a str,
    source_hash: &'a str,
    variant: &'a str,
    options: &'a str,
    parameters: &'a Parameters,
}

impl<'a> Key<'a> {
    pub(super) fn new(subject: Subject<'a>, tool: &'a str) -> Self {
        let Workload {
            kernel,
            variant,
            parameters,
        } = subject.workload;
        Self {
            // Names of counters are its own.
            collector: env!("CARGO_PKG_VERSION"),
            fills: FILL_VERSION,
            tool,
            kernel: &kernel.name,
            source_hash: &kernel.source_hash,
            variant: &variant.name,
            options: &variant.options,
            parameters,
        }
    }

    fn file(&self) -> String {
        let json = serde_json::to_vec(self).unwrap_or_default();
        let hash = Sha256::digest(json);
        let hex: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{hex}.json")
    }
}

/// A folder of counts. It may fail: then counting takes longer next time, and that is all.
pub(super) struct Cache {
    folder: Option<PathBuf>,
    warned: Cell<bool>,
}

impl Cache {
    pub(super) fn open() -> Self {
        Self {
            folder: folders::cache().map(|cache| cache.join("oclgrind")),
            warned: Cell::new(false),
        }
    }

    pub(super) fn get(&self, key: &Key<'_>) -> Option<Counted> {
        let bytes = fs::read(self.folder.as_ref()?.join(key.file())).ok()?;
        // A file that can't be read is counted anew and written over.
        serde_json::from_slice(&bytes).ok()
    }

    pub(super) fn put(&self, key: &Key<'_>, counted: &Counted) {
        let Some(folder) = &self.folder else { return };
        let write = || -> io::Result<()> {
            fs::create_dir_all(folder)?;
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            file.write_all(&serde_json::to_vec(counted)?)?;
            file.persist(folder.join(key.file()))?;
            Ok(())
        };
        if let Err(error) = write()
            && !self.warned.replace(true)
        {
            eprintln!(
                "warning: counts can't be kept in {} ({error}); the next run will count again. Make \
                 the folder writable, or set XDG_CACHE_HOME to one that is",
                folder.display()
            );
        }
    }
}
