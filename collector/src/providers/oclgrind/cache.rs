//! A cache of counts: the same source, options, variant and sizes have the same counts on every device, for ever.

use std::{cell::Cell, collections::BTreeMap, fs, io, path::PathBuf};

use kerncast_suite::FILL_VERSION;
use kerncast_wire::{Reading, Scope};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::{folders, providers::CountedWorkload};

/// The counts of a launch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Counted {
    pub(super) counters: BTreeMap<String, f64>,
    pub(super) scope: Scope,
    /// Seconds for the whole launch: measured, or estimated from a part.
    pub(super) all_would_take_s: f64,
}

impl From<Counted> for Reading {
    fn from(counted: Counted) -> Self {
        Self {
            counters: counted.counters,
            scope: counted.scope,
            refusal: None,
        }
    }
}

/// A folder of counts. If it can't be used, counting only takes longer the next time.
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

    pub(super) fn get(&self, subject: CountedWorkload<'_>, tool: &str) -> Option<Counted> {
        let bytes = fs::read(self.folder.as_ref()?.join(file(subject, tool))).ok()?;
        // A file that can't be read is counted anew and written over.
        serde_json::from_slice(&bytes).ok()
    }

    pub(super) fn put(&self, subject: CountedWorkload<'_>, tool: &str, counted: &Counted) {
        let Some(folder) = &self.folder else { return };
        let json = serde_json::to_vec(counted).map_err(io::Error::other);
        let path = folder.join(file(subject, tool));
        if let Err(error) = json.and_then(|json| folders::write(&path, &json))
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

/// The name of the file, made of everything that the counts depend on.
fn file(subject: CountedWorkload<'_>, tool: &str) -> String {
    let key = json!({
        // Names of counters are its own.
        "collector": env!("CARGO_PKG_VERSION"),
        "fills": FILL_VERSION,
        "tool": tool,
        "kernel": subject.workload.kernel.name,
        "source_hash": subject.workload.kernel.source_hash,
        "variant": subject.workload.variant.name,
        "options": subject.workload.variant.options.to_string(),
        "parameters": &subject.workload.parameters,
    });
    format!("{}.json", hex::encode(Sha256::digest(key.to_string())))
}
